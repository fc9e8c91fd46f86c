import type { ReactNode } from 'react';
import { Select, type SelectProps } from './choice.tsx';
import { classNames } from './class-names.ts';
import { useDescription } from './field.tsx';
import { Problem } from './problem.tsx';
import styles from './select-field.module.css';

type SelectFieldProps = Omit<SelectProps, 'aria-label'> & {
  label: string;
  inline?: boolean;
  hint?: ReactNode;
  /** Announced by screen readers when it appears. */
  error?: string | undefined;
  className?: string | undefined;
};

/** A drop-down list with a visible label, above it or `inline` with it. */
export function SelectField({ label, inline, hint, error, className, ...rest }: SelectFieldProps) {
  const description = useDescription(rest.id, hint, error);
  const { id } = description;
  return (
    <div className={classNames(inline ? styles.inline : styles.below, className)}>
      <label htmlFor={id}>{label}</label>
      <Select {...rest} {...description} />
      {hint !== undefined && (
        <small id={`${id}-hint`} className={styles.hint}>
          {hint}
        </small>
      )}
      <Problem tone="field" id={`${id}-error`}>
        {error}
      </Problem>
    </div>
  );
}
