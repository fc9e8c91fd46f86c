import { classNames } from '../ui/class-names.ts';
import styles from './message-page.module.css';

/** Shown when a page's data is slow to come. */
export function LoadingPage() {
  return (
    <div className={classNames(styles.message, styles.loading)}>
      <output>Loading…</output>
    </div>
  );
}
