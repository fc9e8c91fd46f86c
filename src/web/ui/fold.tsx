import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './fold.module.css';

type FoldProps = {
  title: string;
  /** Id of the heading. */
  id?: string;
  children: ReactNode;
};

/** A section that most visitors skip. Expanded for printing. */
export function Fold({ title, id, children }: FoldProps) {
  return (
    <details className={classNames(styles.folds, styles.fold)}>
      <summary>
        <h2 id={id}>{title}</h2>
      </summary>
      {children}
    </details>
  );
}
