import { type ReactNode, useId } from 'react';
import { Select, type SelectProps } from './choice.tsx';
import { classNames } from './class-names.ts';
import styles from './select-field.module.css';

type SelectFieldProps = SelectProps & { inline?: boolean; hint?: ReactNode; className?: string | undefined };

/** A drop-down list with a visible label, above it or `inline` with it. */
export function SelectField({ inline, hint, className, ...rest }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={classNames(inline ? styles.inline : styles.below, className)}>
      <span aria-hidden="true">{rest.label}</span>
      <Select {...rest} aria-describedby={hint === undefined ? undefined : id} />
      {hint !== undefined && (
        <small id={id} className={styles.hint}>
          {hint}
        </small>
      )}
    </div>
  );
}
