import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import styles from './problem.module.css';

type ProblemProps = Omit<ComponentProps<'p'>, 'role'> & {
  /** Within a sentence, or a row of buttons. */
  inline?: boolean;
};

/** What went wrong, which whoever hears the page is told at once. Nothing is seen of it while there is nothing to say. */
export function Problem({ inline = false, className, ...rest }: ProblemProps) {
  if (inline) return <span role="alert" className={classNames(styles.problem, className)} {...rest} />;
  return <p role="alert" className={classNames(styles.problem, styles.below, className)} {...rest} />;
}
