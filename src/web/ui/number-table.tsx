import type { ReactNode } from 'react';
import styles from './number-table.module.css';

/** Makes the table scrollable by keyboard. */
const FOCUSABLE = { tabIndex: 0 } as const;

/** A table of numbers that scrolls if it is wider than the page. */
export function NumberTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={styles.scroll} aria-label={label} {...FOCUSABLE}>
      <table className={styles.table}>{children}</table>
    </section>
  );
}
