import styles from './upload-progress.module.css';
import { VisuallyHidden } from './visually-hidden.tsx';

/** How often it is read out: at every quarter. */
const TOLD_EACH = 25;

type UploadProgressProps = {
  /** From 0 to 1. */
  sent: number;
  what?: string;
};

/** How far the upload is. */
export function UploadProgress({ sent, what = 'your story' }: UploadProgressProps) {
  const percent = Math.floor(sent * 100);
  const told = percent - (percent % TOLD_EACH);
  return (
    <div className={styles.upload}>
      <p className={styles.words} aria-hidden="true">
        <span>{percent < 100 ? `Sending ${what}` : `Saving ${what}`}</span>
        <span>{percent}%</span>
      </p>
      <progress className={styles.bar} value={sent} max={1} aria-label="Upload" />
      <output>
        <VisuallyHidden>{told < 100 ? `${told} percent sent` : 'All is sent and is being saved'}</VisuallyHidden>
      </output>
    </div>
  );
}
