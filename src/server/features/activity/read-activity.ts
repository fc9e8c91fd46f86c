import type { Activity } from '#contract/schemas/activity.ts';
import { ACTIVITY_NAMES, activityChanges } from '#domain/activity.ts';
import { textTitle } from '#domain/cell-titles.ts';
import type { OrgId } from '#domain/ids.ts';
import { harmlessName } from '#domain/names.ts';
import type { Language } from '#messages';
import type { Database } from '#server/db/connection.ts';
import { type ListPage, listPage } from '#server/http/list-page.ts';
import { type ActivityRow, type ActivityScope, activityRows } from './activity.store.ts';

type ListOptions = { readonly max: number; readonly cursorRef?: string | undefined; readonly language: Language };

export async function readActivity(
  { kysely }: Database,
  scope: ActivityScope,
  { max, cursorRef, language }: ListOptions,
): Promise<ListPage<Activity[]>> {
  const rows = await activityRows(kysely, scope, { max: max + 1, cursorRef });
  return listPage(rows, max, (row) => present(row, scope, language));
}

const MAX_ABOUT_DONOR = 50;

/** Changes of donors, newest first. */
export async function readDonorActivity(
  { kysely }: Database,
  donorIds: readonly string[],
  { orgId, language }: { readonly orgId: OrgId; readonly language: Language },
): Promise<Activity[]> {
  const scope = { orgId, subjects: donorIds, kinds: ['donor'] };
  const rows = await activityRows(kysely, scope, { max: MAX_ABOUT_DONOR });
  return rows.map((row) => present(row, scope, language));
}

function present(row: ActivityRow, { orgId, personId, clients = false }: ActivityScope, language: Language): Activity {
  const changes = changesOf(row, language);
  const personal = personId === undefined ? {} : personalFields({ ...row, changes }, personId);
  const name = ACTIVITY_NAMES.find((each) => each === `${row.kind}.${row.verb}`) ?? 'unknown';
  // Editors see the IP addresses of their team but not of donors. Other roles see no addresses.
  const seesClient = orgId === undefined || (clients && row.is_of_team);
  return {
    id: row.id,
    name,
    timestamp: row.created_at.toISOString(),
    ...actorFields(row),
    client: seesClient ? row.ip_address : null,
    about: aboutOf(row),
    orgid: row.org_id,
    changes,
    ...personal,
  };
}

function aboutOf({ affected_user_id, actor_id, person_name, subject_name, before, after }: ActivityRow): string | null {
  if (affected_user_id !== null) return affected_user_id === actor_id ? null : person_name;
  // A changed name appears among the changes.
  return subject_name === null || 'name' in before || 'name' in after ? null : harmlessName(subject_name);
}

/** Kinds whose changes are the person's own data, no matter who made them. */
const PERSONAL_KINDS: readonly string[] = ['role', 'account', 'second-step', 'offsetter', 'gift'];

/** Hides other people's data from the person who did the activity or whom it is about, as in the download of all data. */
function personalFields(row: ActivityRow & Pick<Activity, 'changes'>, personId: string): Partial<Activity> {
  const isMine = row.actor_id === personId;
  const isAboutMe = row.affected_user_id === personId;
  const showsChanges = isAboutMe && (isMine || PERSONAL_KINDS.includes(row.kind));
  return {
    ...(isMine ? { by: 'you' } : {}),
    byName: null,
    client: isMine || row.kind === 'login-failed' ? row.ip_address : null,
    about: null,
    changes: showsChanges ? row.changes : [],
  };
}

function changesOf({ kind, before, after, time_zone }: ActivityRow, locale: Language) {
  return activityChanges(before, kind === 'text' ? withTextTitle(after) : after, time_zone ?? 'UTC', { locale });
}

/** Replaces a text's page and name with the title that editors see. */
function withTextTitle({ page, name, ...rest }: ActivityRow['after']): ActivityRow['after'] {
  return typeof page === 'string' && typeof name === 'string' ? { text: textTitle({ page, name }), ...rest } : rest;
}

function actorFields(row: ActivityRow): Pick<Activity, 'by' | 'byName'> {
  // A person who accepts an invitation is still a visitor at that moment.
  const isAcceptance =
    row.kind === 'role' && row.verb === 'added' && actorKindOf(row) === 'visitor' && row.person_name !== null;
  return isAcceptance ? { by: 'person', byName: row.person_name } : { by: actorKindOf(row), byName: row.actor_name };
}

function actorKindOf({ actor_id, actor_name, by_program }: ActivityRow): Activity['by'] {
  if (actor_id !== null) return actor_name === null ? 'former' : 'person';
  return by_program ? 'program' : 'visitor';
}
