import { type ReactNode, useEffect, useRef } from 'react';
import { m } from '#messages';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './layout.module.css';
import { Problem } from './problem.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';

/** Replaces an empty list and suggests what to do next. */
export function EmptyNote({ children }: { children: ReactNode }) {
  return <div className={styles.note}>{children}</div>;
}

type ListFooterProps = {
  hasMore: boolean;
  busy: boolean;
  problem: string | undefined;
  /** Plural noun, such as "awardees". */
  itemNoun: string;
  onMore: () => void;
};

/** "Load more" below a paginated list. After loading, the focus moves to the first control of the new items. */
export function ListFooter({ hasMore, busy, problem, itemNoun, onMore }: ListFooterProps) {
  const lastControl = useRef<HTMLElement>(undefined);
  useEffect(() => {
    if (busy || !lastControl.current) return;
    const focusable = findControls(lastControl.current);
    const nextControl = focusable[focusable.indexOf(lastControl.current) + 1];
    lastControl.current = undefined;
    nextControl?.focus();
  }, [busy]);
  const loadMore = (button: HTMLButtonElement) => {
    const focusable = findControls(button);
    lastControl.current = focusable[focusable.indexOf(button) - 1];
    onMore();
  };
  return (
    <>
      <Problem>{problem}</Problem>
      {hasMore && (
        <Button
          kind="outline"
          className={styles.more}
          busy={busy}
          onClick={({ currentTarget }) => loadMore(currentTarget)}
        >
          {busy ? m.loading() : m.loadMore()}
          <VisuallyHidden> {itemNoun}</VisuallyHidden>
        </Button>
      )}
    </>
  );
}

/** Finds the controls in the page or dialog that contains `control`. */
function findControls(control: HTMLElement): HTMLElement[] {
  const container = control.closest('dialog, main') ?? document;
  return [...container.querySelectorAll<HTMLElement>('a[href], button:not(:disabled)')];
}

/** done: all good. waiting: someone has to act. error: needs attention. plain: anything else. */
export type Tone = 'done' | 'waiting' | 'error' | 'plain';

/** A status in a word or two; color is never the only cue. */
export function StatusMark({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={classNames(styles.mark, tone !== 'plain' && styles[tone])}>{children}</span>;
}

export function DetailList({ children }: { children: ReactNode }) {
  return <dl className={styles.detailList}>{children}</dl>;
}

export function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
