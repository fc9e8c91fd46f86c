import { type ComponentProps, type ReactNode, useId } from 'react';
import { m } from '#messages';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { Icon } from './icon.tsx';

type Described = {
  label: ReactNode;
  hint?: ReactNode;
  /** Screen readers hear it when it appears. */
  error?: string | undefined;
};

type Framed = Described & {
  /** Before the input, such as "$". */
  prefix?: ReactNode;
  /** After the input, such as ".00" or a button. */
  suffix?: ReactNode;
};

type FieldFrameProps = Framed & {
  id: string;
  className?: string | undefined;
  children: ReactNode;
};

export function FieldFrame({ id, label, hint, error, prefix, suffix, className, children }: FieldFrameProps) {
  return (
    <div className={classNames(styles.field, className)}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <div className={classNames(styles.frame, error !== undefined && styles.wrong)}>
        {prefix !== undefined && <span className={styles.affix}>{prefix}</span>}
        {children}
        {suffix !== undefined && <span className={styles.affix}>{suffix}</span>}
      </div>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      <p id={`${id}-error`} className={styles.error} aria-live="polite">
        {error}
      </p>
    </div>
  );
}

export type TextFieldProps = Framed & Omit<ComponentProps<'input'>, 'prefix'>;

export function TextField({ label, hint, error, prefix, suffix, className, ...rest }: TextFieldProps) {
  const described = useDescription(rest.id, hint, error);
  return (
    <FieldFrame
      label={label}
      hint={hint}
      error={error}
      prefix={prefix}
      suffix={suffix}
      className={className}
      id={described.id}
    >
      <input {...rest} {...described} className={styles.input} />
    </FieldFrame>
  );
}

type NumberFieldProps = Omit<TextFieldProps, 'suffix' | 'type' | 'inputMode' | 'label'> & {
  label: string;
  suffix?: ReactNode;
  /** Adds buttons for one less and one more. */
  onStep?: ((by: 1 | -1) => void) | undefined;
};

/** A text input with number keys on phones. Browsers rewrite the text of real number inputs. */
export function NumberField({ onStep, suffix, label, ...rest }: NumberFieldProps) {
  const steps = onStep && <Steps of={label} onStep={onStep} />;
  return (
    <TextField inputMode="decimal" autoComplete="off" label={label} suffix={steps ?? suffix} {...rest} type="text" />
  );
}

function Steps({ of, onStep }: { of: string; onStep: (by: 1 | -1) => void }) {
  const what = of.toLowerCase();
  return (
    <span className={styles.steps}>
      <button type="button" aria-label={m.fieldFewer({ what })} onClick={() => onStep(-1)}>
        <Icon name="minus" size={16} />
      </button>
      <button type="button" aria-label={m.fieldMore({ what })} onClick={() => onStep(1)}>
        <Icon name="plus" size={16} />
      </button>
    </span>
  );
}

export type TextAreaProps = Described & ComponentProps<'textarea'>;

export function TextArea({ label, hint, error, className, ...rest }: TextAreaProps) {
  const described = useDescription(rest.id, hint, error);
  return (
    <FieldFrame label={label} hint={hint} error={error} className={className} id={described.id}>
      <textarea rows={6} {...rest} {...described} className={classNames(styles.input, styles.area)} />
    </FieldFrame>
  );
}

/** The attributes that tie an input to its label, hint and error. */
function useDescription(givenId: string | undefined, hint: ReactNode, error: string | undefined) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const parts = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean);
  return {
    id,
    'aria-describedby': parts.length > 0 ? parts.join(' ') : undefined,
    'aria-invalid': error === undefined ? undefined : true,
  } as const;
}
