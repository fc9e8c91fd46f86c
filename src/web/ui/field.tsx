import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { Icon } from './icon.tsx';

type Described = {
  label: ReactNode;
  /** What helps to fill it in, always shown. */
  hint?: ReactNode;
  /** Why what is typed cannot be taken; read out when it appears. */
  error?: string | undefined;
};

type Framed = Described & {
  /** Stands in the frame before what is typed, such as "$". */
  prefix?: ReactNode;
  /** Stands in the frame behind it, such as ".00", or a button. */
  suffix?: ReactNode;
};

export type TextFieldProps = Framed & Omit<ComponentProps<'input'>, 'prefix'>;

export function TextField({ label, hint, error, prefix, suffix, className, ...rest }: TextFieldProps) {
  const { id, describing, notes } = useNotes(rest.id, hint, error);
  return (
    <div className={classNames(styles.field, className)}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <div className={classNames(styles.frame, error !== undefined && styles.wrong)}>
        {prefix !== undefined && <span className={styles.affix}>{prefix}</span>}
        <input {...rest} {...describing} id={id} className={styles.input} />
        {suffix !== undefined && <span className={styles.affix}>{suffix}</span>}
      </div>
      {notes}
    </div>
  );
}

type NumberFieldProps = Omit<TextFieldProps, 'suffix' | 'type' | 'inputMode' | 'label'> & {
  label: string;
  suffix?: ReactNode;
  /** Where one fewer and one more are worth a button each. */
  onStep?: ((by: 1 | -1) => void) | undefined;
};

/** A number as text: no browser rewrites it while it is typed, and phones show their number keys. */
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
      <button type="button" aria-label={`Fewer ${what}`} onClick={() => onStep(-1)}>
        <Icon name="minus" size={16} />
      </button>
      <button type="button" aria-label={`More ${what}`} onClick={() => onStep(1)}>
        <Icon name="plus" size={16} />
      </button>
    </span>
  );
}

export type TextAreaProps = Described & ComponentProps<'textarea'>;

export function TextArea({ label, hint, error, className, ...rest }: TextAreaProps) {
  const { id, describing, notes } = useNotes(rest.id, hint, error);
  return (
    <div className={classNames(styles.field, className)}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <div className={classNames(styles.frame, error !== undefined && styles.wrong)}>
        <textarea rows={6} {...rest} {...describing} id={id} className={classNames(styles.input, styles.area)} />
      </div>
      {notes}
    </div>
  );
}

/** What stands under a field, and the attributes that tie the two together. */
function useNotes(givenId: string | undefined, hint: ReactNode, error: string | undefined) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  return {
    id,
    describing: { 'aria-describedby': described || undefined, 'aria-invalid': error === undefined ? undefined : true },
    notes: (
      <>
        {hint !== undefined && (
          <p id={`${id}-hint`} className={styles.hint}>
            {hint}
          </p>
        )}
        <p id={`${id}-error`} className={styles.error} aria-live="polite">
          {error}
        </p>
      </>
    ),
  } as const;
}
