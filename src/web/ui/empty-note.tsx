import type { ReactNode } from 'react';
import styles from './empty-note.module.css';

/** What stands in the place of a list that is empty, and the way on where there is one. */
export function EmptyNote({ children }: { children: ReactNode }) {
  return <div className={styles.note}>{children}</div>;
}
