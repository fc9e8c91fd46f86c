import type { ComponentProps, ReactNode } from 'react';
import styles from './checkbox.module.css';
import { classNames } from './class-names.ts';

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & { children: ReactNode };

export function Checkbox({ children, className, ...rest }: CheckboxProps) {
  return (
    <label className={classNames(styles.choice, className)}>
      <input type="checkbox" {...rest} />
      <span>{children}</span>
    </label>
  );
}
