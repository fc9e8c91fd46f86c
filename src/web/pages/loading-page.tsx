import styles from './message-page.module.css';

/** Shown when a page's data is slow to come. */
export function LoadingPage() {
  return (
    <div className={styles.message}>
      <output>Loading…</output>
    </div>
  );
}
