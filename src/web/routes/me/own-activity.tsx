import { useState } from 'react';
import { m } from '#messages';
import type { ApiClient } from '#web/api/client.ts';
import { listQuery, loadList } from '#web/api/queries.ts';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { formatLocalDateTime } from '#web/ui/local-time.ts';
import { Problem } from '#web/ui/problem.tsx';
import styles from './me.module.css';

/** A person's own audit trail (decisions §4). The list and its code are loaded on request, since few people use it. */
export function OwnActivity({ userId }: { userId: string }) {
  const api = useApi();
  const query = ownActivityQuery(api, userId);
  const [listModule, setListModule] = useState<typeof import('#web/site/activity-list.tsx')>();
  const { run, busy, problem } = useAttempt();
  const load = async () => {
    const [loadedModule] = await Promise.all([import('#web/site/activity-list.tsx'), loadList(query)]);
    setListModule(loadedModule);
  };
  if (listModule) {
    return (
      <div ref={focusElement} tabIndex={-1}>
        <listModule.ActivityList query={query} formatTime={formatLocalDateTime} renderOrg={({ orgName }) => orgName} />
      </div>
    );
  }
  return (
    <>
      <Cluster className={styles.buttons}>
        <Button kind="outline" busy={busy} onClick={() => void run(load)}>
          {m.activityShow()}
        </Button>
      </Cluster>
      <Problem inline>{problem}</Problem>
    </>
  );
}

/** Moves the focus to the list when its button disappears. */
function focusElement(list: HTMLElement | null): void {
  list?.focus({ preventScroll: true });
}

const PAGE_SIZE = 25;

function ownActivityQuery(api: ApiClient, userId: string) {
  return listQuery(api, 'readOwnActivity', { params: { userid: userId }, query: { max: PAGE_SIZE } });
}
