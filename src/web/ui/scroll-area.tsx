import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './scroll-area.module.css';

/** Makes the area scrollable by keyboard. */
const FOCUSABLE = { tabIndex: 0 } as const;

type ScrollAreaProps = { label: string; className?: string | undefined; children: ReactNode };

/** Scrolls a table that is wider than the page. */
export function ScrollArea({ label, className, children }: ScrollAreaProps) {
  return (
    <section className={classNames(styles.scroll, className)} aria-label={label} {...FOCUSABLE}>
      {children}
    </section>
  );
}
