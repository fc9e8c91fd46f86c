import type { ReactNode } from 'react';
import styles from './number-table.module.css';
import { ScrollArea } from './scroll-area.tsx';

/** A table of numbers that scrolls if it is wider than the page. */
export function NumberTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ScrollArea label={label} className={styles.card}>
      <table className={styles.table}>{children}</table>
    </ScrollArea>
  );
}
