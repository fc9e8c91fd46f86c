import { Button } from './button.tsx';
import styles from './list-foot.module.css';
import { Problem } from './problem.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';

type ListFootProps = {
  hasMore: boolean;
  busy: boolean;
  problem: string | undefined;
  /** What is listed: "awardees". */
  what: string;
  onMore: () => void;
};

/** Under a list that comes in parts: what went wrong with it, and the way on. */
export function ListFoot({ hasMore, busy, problem, what, onMore }: ListFootProps) {
  return (
    <>
      <Problem>{problem}</Problem>
      {hasMore && (
        <Button kind="outline" className={styles.more} busy={busy} onClick={onMore}>
          {busy ? 'Loading…' : 'Load more'}
          <VisuallyHidden> {what}</VisuallyHidden>
        </Button>
      )}
    </>
  );
}
