import styles from './sample-banner.module.css';

/** Says on every page of the sample organisation that it is one. */
export function SampleBanner() {
  return (
    <aside aria-label="Notice" className={styles.banner}>
      This is a sample organization. Its people are invented and no money moves.
    </aside>
  );
}
