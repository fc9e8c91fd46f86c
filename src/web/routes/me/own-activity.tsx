import { useMutation } from '@tanstack/react-query';
import type { Activity } from '#contract/schemas/activity.ts';
import { m } from '#messages';
import type { ApiClient } from '#web/api/client.ts';
import { messageOf } from '#web/api/error-messages.ts';
import { listQuery, loadList } from '#web/api/queries.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { momentText } from '#web/ui/text.ts';
import styles from './me.module.css';

/** A person's own audit trail (decisions §4). The list and its code are loaded on request, since few people look at it. */
export function OwnActivity({ userid }: { userid: string }) {
  const api = useApi();
  const query = ownActivityQuery(api, userid);
  const { data, mutate, isPending, error } = useMutation({
    mutationFn: () => Promise.all([import('#web/site/activity-list.tsx'), loadList(query)]),
  });
  if (data) {
    const [{ ActivityList }] = data;
    return (
      <div ref={focus} tabIndex={-1}>
        <ActivityList query={query} momentText={localMomentText} />
      </div>
    );
  }
  return (
    <>
      <Cluster className={styles.buttons}>
        <Button kind="outline" busy={isPending} onClick={() => mutate()}>
          {m.activityShow()}
        </Button>
      </Cluster>
      <Problem inline>{messageOf(error)}</Problem>
    </>
  );
}

/** Replaces the focus of the button that is gone. */
function focus(place: HTMLElement | null): void {
  place?.focus({ preventScroll: true });
}

function localMomentText(time: string): string {
  return momentText(time, new Intl.DateTimeFormat().resolvedOptions().timeZone);
}

const PAGE_SIZE = 25;

function ownActivityQuery(api: ApiClient, userid: string) {
  return listQuery<Activity>(['readOwnActivity', userid], (cursorRef) => {
    const query = { max: PAGE_SIZE, ...(cursorRef === undefined ? {} : { cursorRef }) };
    return api.list('readOwnActivity', { params: { userid }, query });
  });
}
