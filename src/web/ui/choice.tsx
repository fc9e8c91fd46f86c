import { type ComponentProps, type ReactNode, useId } from 'react';
import checkbox from './checkbox.module.css';
import styles from './choice.module.css';
import { classNames } from './class-names.ts';
import { Problem } from './problem.tsx';
import selectable from './selectable.module.css';

export type Choice<Value extends string> = {
  readonly value: Value;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
};

type ChoiceGroupProps<Value extends string> = {
  legend: ReactNode;
  options: readonly Choice<Value>[];
  value: Value | undefined;
  onChange: (value: Value) => void;
  /** row: short options side by side. segment: the same, joined into one control. */
  layout?: 'column' | 'row' | 'segment';
  /** Announced by screen readers when it appears. */
  error?: string | undefined;
  className?: string | undefined;
};

/** Native radio buttons, so that the arrow keys work. */
export function ChoiceGroup<Value extends string>(props: ChoiceGroupProps<Value>) {
  const { legend, options, value, onChange, layout = 'column', error, className } = props;
  const name = useId();
  return (
    <fieldset
      className={classNames(styles.group, className)}
      aria-describedby={error === undefined ? undefined : `${name}-error`}
    >
      <legend className={styles.legend}>{legend}</legend>
      <div className={styles[layout]}>
        {options.map((option) => (
          <label
            key={option.value}
            className={layout === 'segment' ? classNames(styles.part, selectable.selectable) : checkbox.choice}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              // Radio buttons don't support `aria-invalid`.
              data-invalid={error === undefined ? undefined : true}
              onChange={() => onChange(option.value)}
            />
            <span>
              {option.label}
              {option.hint !== undefined && <small className={styles.hint}>{option.hint}</small>}
            </span>
          </label>
        ))}
      </div>
      {error !== undefined && (
        <Problem tone="field" id={`${name}-error`}>
          {error}
        </Problem>
      )}
    </fieldset>
  );
}

type Option = { readonly value: string; readonly label: string };
export type SelectGroup = { readonly label: string; readonly options: readonly Option[] };

export type SelectProps = Omit<ComponentProps<'select'>, 'children' | 'className'> & {
  options: readonly (Option | SelectGroup)[];
};

/** A native drop-down list, labeled by SelectField or an `aria-label`. */
export function Select({ options, ...rest }: SelectProps) {
  return (
    <select {...rest} className={styles.select}>
      {options.map((option) =>
        'options' in option ? (
          <optgroup key={option.label} label={option.label}>
            {option.options.map(renderOption)}
          </optgroup>
        ) : (
          renderOption(option)
        ),
      )}
    </select>
  );
}

function renderOption({ value, label }: Option) {
  return (
    <option key={value} value={value}>
      {label}
    </option>
  );
}
