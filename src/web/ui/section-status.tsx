import { m } from '#messages';
import { Button } from './button.tsx';
import styles from './section-status.module.css';

/** Shown instead of a part of a page while it loads, or after loading failed. */
export function SectionStatus({ hasFailed, onRetry }: { hasFailed: boolean; onRetry: () => void }) {
  return (
    <div className={styles.status}>
      {hasFailed ? (
        <>
          <p role="alert">{m.partNotLoaded()}</p>
          <Button kind="outline" onClick={onRetry}>
            {m.tryAgain()}
          </Button>
        </>
      ) : (
        <p>{m.loading()}</p>
      )}
    </div>
  );
}
