import type { Activity } from '#contract/schemas/activity.ts';
import { ACTIVITY_NAMES, activityChanges } from '#domain/activity.ts';
import { textTitle } from '#domain/cell-titles.ts';
import { harmlessName } from '#domain/names.ts';
import type { Language } from '#messages';
import type { Database } from '#server/db/connection.ts';
import { type ListPage, listPage } from '#server/http/list-page.ts';
import { type ActivityRow, type ActivityScope, activityRows } from './activity.store.ts';

type Reading = { readonly max: number; readonly cursorRef?: string | undefined; readonly language: Language };

export async function readActivity(
  { kysely }: Database,
  scope: ActivityScope,
  { max, cursorRef, language }: Reading,
): Promise<ListPage<Activity[]>> {
  const rows = await activityRows(kysely, scope, { max: max + 1, cursorRef });
  return listPage(rows, max, (row) => present(row, scope, language));
}

function present(row: ActivityRow, { orgId, personId, clients = false }: ActivityScope, language: Language): Activity {
  const changes = changesOf(row, language);
  const shown = personId === undefined ? {} : presentOwn({ ...row, changes }, personId);
  const name = ACTIVITY_NAMES.find((known) => known === `${row.kind}.${row.verb}`) ?? 'unknown';
  // Editors see where their own team works from, and not where donors live; other roles see neither.
  const seesClient = orgId === undefined || (clients && row.is_of_team);
  return {
    id: row.id,
    name,
    timestamp: row.created_at.toISOString(),
    ...doerOf(row),
    client: seesClient ? row.client : null,
    about: aboutOf(row),
    orgid: row.org_id,
    changes,
    ...shown,
  };
}

function aboutOf({ person_id, actor_id, person_name, subject_name, before, after }: ActivityRow): string | null {
  if (person_id !== null) return person_id === actor_id ? null : person_name;
  // A name that changed is among the changes.
  return subject_name === null || 'name' in before || 'name' in after ? null : harmlessName(subject_name);
}

/** What is recorded of these is the person's own, whoever did it. */
const OWN_KINDS: readonly string[] = ['role', 'account', 'second-step', 'offsetter', 'gift'];

/** To the person who did it, or whom it is about: without what is someone else's, as in the file with all data. */
function presentOwn(row: ActivityRow & Pick<Activity, 'changes'>, personId: string): Partial<Activity> {
  const isMine = row.actor_id === personId;
  const isAboutMe = row.person_id === personId;
  const showsChanges = isAboutMe && (isMine || OWN_KINDS.includes(row.kind));
  return {
    ...(isMine ? { by: 'you' } : {}),
    byName: null,
    client: isMine || row.kind === 'login-failed' ? row.client : null,
    about: null,
    changes: showsChanges ? row.changes : [],
  };
}

function changesOf({ kind, before, after, time_zone }: ActivityRow, locale: Language) {
  return activityChanges(before, kind === 'text' ? withTitle(after) : after, time_zone ?? 'UTC', { locale });
}

/** Which text it was, as its editors call it. */
function withTitle({ page, name, ...rest }: ActivityRow['after']): ActivityRow['after'] {
  return typeof page === 'string' && typeof name === 'string' ? { text: textTitle({ page, name }), ...rest } : rest;
}

function doerOf(row: ActivityRow): Pick<Activity, 'by' | 'byName'> {
  // Who accepts an invitation is a visitor until then.
  const isAccepted = row.kind === 'role' && row.verb === 'added' && byOf(row) === 'visitor' && row.person_name !== null;
  return isAccepted ? { by: 'person', byName: row.person_name } : { by: byOf(row), byName: row.actor_name };
}

function byOf({ actor_id, actor_name, by_program }: ActivityRow): Activity['by'] {
  if (actor_id !== null) return actor_name === null ? 'former' : 'person';
  return by_program ? 'program' : 'visitor';
}
