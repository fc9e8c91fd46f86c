import type { ReactNode } from 'react';
import styles from './number-table.module.css';

/** Otherwise the keyboard cannot scroll it. */
const FOCUSABLE = { tabIndex: 0 } as const;

/** A table of numbers that scrolls where it is wider than the page. */
export function NumberTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={styles.scroll} aria-label={label} {...FOCUSABLE}>
      <table className={styles.table}>{children}</table>
    </section>
  );
}
