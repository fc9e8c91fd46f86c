import { type ReactNode, useState } from 'react';
import { m } from '#messages';
import { useAttempt } from '#web/api/use-attempt.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { momentText } from '#web/ui/text.ts';
import styles from './me.module.css';

/** What a person did, and what was done about them (decisions §4). Few look: the list and its code come when asked for. */
export function OwnActivity({ userid }: { userid: string }) {
  const api = useApi();
  const { busy, problem, run } = useAttempt();
  const [list, setList] = useState<ReactNode>();
  const load = (cursorRef?: string) =>
    api.list('readOwnActivity', { params: { userid }, query: { max: 25, ...(cursorRef ? { cursorRef } : {}) } });
  const show = async () => {
    const [{ ActivityList }, first] = await Promise.all([import('#web/site/activity-list.tsx'), load()]);
    setList(<ActivityList first={first} load={load} momentText={ownTime} />);
  };
  if (list) {
    return (
      <div ref={focus} tabIndex={-1}>
        {list}
      </div>
    );
  }
  return (
    <>
      <Cluster className={styles.buttons}>
        <Button kind="outline" busy={busy} onClick={() => void run(show)}>
          {m.activityShow()}
        </Button>
      </Cluster>
      <Problem inline>{problem}</Problem>
    </>
  );
}

/** The button that was pressed is gone. */
function focus(place: HTMLElement | null): void {
  place?.focus({ preventScroll: true });
}

function ownTime(time: string): string {
  return momentText(time, new Intl.DateTimeFormat().resolvedOptions().timeZone);
}
