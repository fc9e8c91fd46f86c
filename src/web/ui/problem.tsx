import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import styles from './problem.module.css';

type ProblemProps = Omit<ComponentProps<'p'>, 'role'> & {
  /** below: after a form or a list. field: at a field, in smaller type. box: on a page with little else. */
  tone?: 'below' | 'field' | 'box';
  /** True within a sentence or a row of buttons. */
  inline?: boolean;
};

/** An error that screen readers announce. Takes no space while empty. */
export function Problem({ tone = 'below', inline = false, className, ...rest }: ProblemProps) {
  if (inline) return <span role="alert" className={classNames(styles.problem, className)} {...rest} />;
  return (
    <p role="alert" className={classNames(styles.problem, tone !== 'field' && styles[tone], className)} {...rest} />
  );
}
