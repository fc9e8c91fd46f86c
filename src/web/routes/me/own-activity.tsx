import { type ReactNode, useState } from 'react';
import { m } from '#messages';
import { useAttempt } from '#web/api/use-attempt.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { momentText } from '#web/ui/text.ts';
import styles from './me.module.css';

/** Activity by and about a person (decisions §4). The list and its code load on demand, since few people open it. */
export function OwnActivity({ userid }: { userid: string }) {
  const api = useApi();
  const { busy, problem, run } = useAttempt();
  const [list, setList] = useState<ReactNode>();
  const load = (cursorRef?: string) =>
    api.list('readOwnActivity', { params: { userid }, query: { max: 25, ...(cursorRef ? { cursorRef } : {}) } });
  const show = async () => {
    const [{ ActivityList }, first] = await Promise.all([import('#web/site/activity-list.tsx'), load()]);
    setList(<ActivityList first={first} load={load} momentText={localTime} />);
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

/** Takes the focus from the pressed button, which has disappeared. */
function focus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}

function localTime(time: string): string {
  return momentText(time, new Intl.DateTimeFormat().resolvedOptions().timeZone);
}
