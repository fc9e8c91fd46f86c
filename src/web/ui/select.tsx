import type { ComponentProps } from 'react';
import styles from './select.module.css';

type SelectProps = Omit<ComponentProps<'select'>, 'children' | 'className' | 'aria-label'> & {
  /** What is chosen, for those who listen; to those who see the page, what it stands beside says it. */
  label: string;
  options: readonly { readonly value: string; readonly label: string }[];
};

/** One of many: the browser's own list. */
export function Select({ label, options, ...rest }: SelectProps) {
  return (
    <select {...rest} aria-label={label} className={styles.select}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
