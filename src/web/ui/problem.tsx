import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import styles from './problem.module.css';

type ProblemProps = Omit<ComponentProps<'p'>, 'role'> & {
  /** Within a sentence or a row of buttons. */
  inline?: boolean;
};

/** An error that screen readers announce. Takes no space while empty. */
export function Problem({ inline = false, className, ...rest }: ProblemProps) {
  if (inline) return <span role="alert" className={classNames(styles.problem, className)} {...rest} />;
  return <p role="alert" className={classNames(styles.problem, styles.below, className)} {...rest} />;
}
