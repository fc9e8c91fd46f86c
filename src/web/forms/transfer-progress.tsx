import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './transfer-progress.module.css';

/** Screen readers announce every 25 percent. */
const ANNOUNCED_STEP = 25;

type TransferProgressProps = {
  /** Between 0 and 1. */
  fraction: number;
  /** Accessible name of the progress bar. */
  label: string;
  /** Shown above the bar, such as "Sending the photo". */
  text: string;
};

/** Progress of an upload or download. */
export function TransferProgress({ fraction, label, text }: TransferProgressProps) {
  const percent = Math.floor(fraction * 100);
  return (
    <div className={styles.transfer}>
      <p className={styles.words} aria-hidden="true">
        <span>{text}</span>
        <span>{percent}%</span>
      </p>
      <progress className={styles.bar} value={fraction} max={1} aria-label={label} />
      <output>
        <VisuallyHidden>
          {text} {percent - (percent % ANNOUNCED_STEP)}%
        </VisuallyHidden>
      </output>
    </div>
  );
}
