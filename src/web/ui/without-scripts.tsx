import type { ReactNode } from 'react';
import styles from './without-scripts.module.css';

/** Said in the place of what needs scripts, to whoever has none. */
export function WithoutScripts({ children }: { children: ReactNode }) {
  return (
    <noscript>
      <div className={styles.notice}>{children}</div>
    </noscript>
  );
}
