import { type ComponentProps, type ReactNode, useId } from 'react';
import { m } from '#messages';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { Icon } from './icon.tsx';

type FieldTexts = {
  label: ReactNode;
  hint?: ReactNode;
  /** Announced by screen readers when it appears. */
  error?: string | undefined;
};

type FramedFieldProps = FieldTexts & {
  /** Shown before the input, such as "$". */
  prefix?: ReactNode;
  /** Shown after the input, such as ".00" or a button. */
  suffix?: ReactNode;
};

type FieldFrameProps = FramedFieldProps & {
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
      <div className={classNames(styles.frame, error !== undefined && styles.invalid)}>
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

export type TextFieldProps = FramedFieldProps & Omit<ComponentProps<'input'>, 'prefix'>;

export function TextField({ label, hint, error, prefix, suffix, className, ...rest }: TextFieldProps) {
  const description = useDescription(rest.id, hint, error);
  return (
    <FieldFrame
      label={label}
      hint={hint}
      error={error}
      prefix={prefix}
      suffix={suffix}
      className={className}
      id={description.id}
    >
      <input {...rest} {...description} className={styles.input} />
    </FieldFrame>
  );
}

type NumberFieldProps = Omit<TextFieldProps, 'suffix' | 'type' | 'inputMode' | 'label'> & {
  label: string;
  suffix?: ReactNode;
  /** Adds − and + buttons. */
  onStep?: ((step: 1 | -1) => void) | undefined;
};

/** A text input that opens a numeric keyboard on phones. In a real number input, browsers change the typed text. */
export function NumberField({ onStep, suffix, label, ...rest }: NumberFieldProps) {
  const steps = onStep && <StepButtons label={label} onStep={onStep} />;
  return (
    <TextField inputMode="decimal" autoComplete="off" label={label} suffix={steps ?? suffix} {...rest} type="text" />
  );
}

function StepButtons({ label, onStep }: { label: string; onStep: (step: 1 | -1) => void }) {
  const labelInSentence = label.toLowerCase();
  return (
    <span className={styles.steps}>
      <button type="button" aria-label={m.fieldFewer({ label: labelInSentence })} onClick={() => onStep(-1)}>
        <Icon name="minus" size={16} />
      </button>
      <button type="button" aria-label={m.fieldMore({ label: labelInSentence })} onClick={() => onStep(1)}>
        <Icon name="plus" size={16} />
      </button>
    </span>
  );
}

export type TextAreaProps = FieldTexts & ComponentProps<'textarea'>;

export function TextArea({ label, hint, error, className, ...rest }: TextAreaProps) {
  const description = useDescription(rest.id, hint, error);
  return (
    <FieldFrame label={label} hint={hint} error={error} className={className} id={description.id}>
      <textarea rows={6} {...rest} {...description} className={classNames(styles.input, styles.area)} />
    </FieldFrame>
  );
}

/** The attributes that connect an input with its label, hint, and error. */
export function useDescription(customId: string | undefined, hint: ReactNode, error: string | undefined) {
  const generatedId = useId();
  const id = customId ?? generatedId;
  const parts = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean);
  return {
    id,
    'aria-describedby': parts.length > 0 ? parts.join(' ') : undefined,
    ...(error === undefined ? {} : { 'aria-invalid': true }),
  } as const;
}
