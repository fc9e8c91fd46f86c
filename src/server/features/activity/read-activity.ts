import type { Activity } from '#contract/schemas/activity.ts';
import { ACTIVITY_NAMES, activityChanges } from '#domain/activity.ts';
import type { Database } from '#server/db/connection.ts';
import { type ListPage, listPage } from '#server/list-page.ts';
import { type ActivityRow, type ActivityScope, activityRows } from './activity.store.ts';

type Reading = { readonly max: number; readonly cursorRef?: string | undefined };

export async function readActivity(
  { kysely }: Database,
  scope: ActivityScope,
  { max, cursorRef }: Reading,
): Promise<ListPage<Activity[]>> {
  const rows = await activityRows(kysely, scope, { max: max + 1, cursorRef });
  return listPage(rows, max, (row) => present(row, scope));
}

function present(row: ActivityRow, { orgId, personId, clients = false }: ActivityScope): Activity {
  const name = ACTIVITY_NAMES.find((known) => known === `${row.kind}.${row.verb}`);
  if (!name) throw new Error(`Nothing is said of the activity ${row.kind}.${row.verb}.`);
  // Editors see where their own team works from, and not where donors live; other roles see neither.
  const seesClient =
    orgId === undefined ? personId === undefined || row.actor_id === personId : clients && row.is_of_team;
  return {
    id: row.id,
    name,
    timestamp: row.created_at.toISOString(),
    by: byOf(row),
    byName: row.actor_name,
    client: seesClient ? row.client : null,
    about: row.person_id === row.actor_id ? null : row.person_name,
    orgid: row.org_id,
    changes: activityChanges(row.before, row.after),
  };
}

function byOf({ actor_id, actor_name, by_program }: ActivityRow): Activity['by'] {
  if (actor_id !== null) return actor_name === null ? 'former' : 'person';
  return by_program ? 'program' : 'visitor';
}
