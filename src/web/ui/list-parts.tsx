import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './layout.module.css';
import { Problem } from './problem.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';

/** What stands in the place of a list that is empty, and the way on where there is one. */
export function EmptyNote({ children }: { children: ReactNode }) {
  return <div className={styles.note}>{children}</div>;
}

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

/** done: as it should be. waiting: somebody waits for it. wrong: it needs a look. plain: nothing is to be done. */
export type Tone = 'done' | 'waiting' | 'wrong' | 'plain';

/** How something stands, in a word; the colour only underlines it. */
export function StatusMark({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={classNames(styles.mark, tone !== 'plain' && styles[tone])}>{children}</span>;
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.factsFacts}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
