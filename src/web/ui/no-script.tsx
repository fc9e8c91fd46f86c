import type { ReactNode } from 'react';
import styles from './no-script.module.css';

/** Shown if JavaScript is disabled. */
export function NoScriptNotice({ children }: { children: ReactNode }) {
  return (
    <noscript>
      <div className={styles.notice}>{children}</div>
    </noscript>
  );
}
