import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import styles from './select.module.css';
import { VisuallyHidden } from './visually-hidden.tsx';

type SelectProps = Omit<ComponentProps<'select'>, 'children'> & {
  label: ReactNode;
  /** Where what it stands beside says it to those who see the page. */
  labelHidden?: boolean;
  options: readonly { readonly value: string; readonly label: string }[];
};

/** One of many: the browser's own list. */
export function Select({ label, labelHidden = false, options, className, ...rest }: SelectProps) {
  const id = useId();
  return (
    <span className={classNames(styles.field, className)}>
      <label htmlFor={id} className={styles.label}>
        {labelHidden ? <VisuallyHidden>{label}</VisuallyHidden> : label}
      </label>
      <select {...rest} id={id} className={styles.select}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  );
}
