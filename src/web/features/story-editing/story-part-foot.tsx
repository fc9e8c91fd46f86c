import { Button } from '../../ui/button.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import styles from './story-editing.module.css';

type StoryPartFootProps = {
  hasMore: boolean;
  busy: boolean;
  problem: string | undefined;
  /** "awardees" */
  what: string;
  onMore: () => void;
};

/** Under a list: what went wrong with it, and the way on. */
export function StoryPartFoot({ hasMore, busy, problem, what, onMore }: StoryPartFootProps) {
  return (
    <>
      <p role="alert" className={styles.problem}>
        {problem}
      </p>
      {hasMore && (
        <Button kind="outline" className={styles.more} busy={busy} onClick={onMore}>
          {busy ? 'Loading…' : 'Load more'}
          <VisuallyHidden> {what}</VisuallyHidden>
        </Button>
      )}
    </>
  );
}
