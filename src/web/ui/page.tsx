import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './page.module.css';

/** The room of a page that is read: as wide as the wrap, or narrow where it is mostly words. */
export function Page({ children, narrow = false }: { children: ReactNode; narrow?: boolean }) {
  return <div className={classNames(styles.page, narrow && styles.narrow)}>{children}</div>;
}
