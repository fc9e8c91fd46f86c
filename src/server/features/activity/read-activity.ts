import type { Transaction } from 'kysely';
import type { Activity } from '#contract/schemas/activity.ts';
import { ACTIVITY_NAMES, listActivityChanges } from '#domain/activity.ts';
import { textHeading, textTitle } from '#domain/cell-titles.ts';
import { dayText } from '#domain/days.ts';
import type { OrgId, UserId } from '#domain/ids.ts';
import { formatCents } from '#domain/money.ts';
import { makeDisplaySafe } from '#domain/names.ts';
import { ROLE_TEXTS, ROLES } from '#domain/permissions.ts';
import { formatMonth } from '#domain/statement.ts';
import type { Language } from '#messages';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import { createListPage, type ListPage } from '#server/http/list-page.ts';
import {
  type ActivityRow,
  type ActivityScope,
  type ChangedColumns,
  selectActivities,
  selectLastChange,
} from './activity.store.ts';

type ListOptions = { readonly max: number; readonly cursorRef?: string | undefined; readonly language: Language };

export async function readActivity(
  { kysely }: Database,
  scope: ActivityScope,
  { max, cursorRef, language }: ListOptions,
): Promise<ListPage<Activity[]>> {
  const rows = await selectActivities(kysely, scope, { max: max + 1, cursorRef });
  return createListPage(rows, max, (row) => presentActivity(row, scope, language));
}

const MAX_DONOR_ACTIVITIES = 50;

/**
 * Finds the person who last changed one of these columns. Both fields are undefined if the program made the change or the
 * person's account was deleted.
 */
export async function readLastEditor(
  tx: Transaction<Tables>,
  changedColumns: ChangedColumns,
): Promise<{ readonly userId: UserId | undefined; readonly name: string | undefined }> {
  const change = await selectLastChange(tx, changedColumns);
  const name = change?.actor_name ?? undefined;
  return { userId: change?.actor_id ?? undefined, name: name && makeDisplaySafe(name) };
}

/** Reads changes to donor records, newest first. */
export async function readDonorActivity(
  { kysely }: Database,
  donorIds: readonly string[],
  { orgId, language }: { readonly orgId: OrgId; readonly language: Language },
): Promise<Activity[]> {
  const scope = { orgId, subjects: donorIds, kinds: ['donor'] };
  const rows = await selectActivities(kysely, scope, { max: MAX_DONOR_ACTIVITIES });
  return rows.map((row) => presentActivity(row, scope, language));
}

function presentActivity(
  row: ActivityRow,
  { orgId, userId, showsIpAddresses = false }: ActivityScope,
  language: Language,
): Activity {
  const changes = presentChanges(row, language);
  const personal = userId === undefined ? {} : createPersonalFields({ ...row, changes }, userId);
  const verb = row.accepted_by === null ? row.verb : 'done';
  const name = ACTIVITY_NAMES.find((candidate) => candidate === `${row.kind}.${verb}`) ?? 'unknown';
  // Editors see the IP addresses of their team but not of donors. Other roles see no addresses.
  const showsIpAddress = orgId === undefined || (showsIpAddresses && row.is_team_member);
  return {
    id: row.id,
    name,
    timestamp: row.created_at.toISOString(),
    ...presentActor(row),
    ipAddress: showsIpAddress ? row.ip_address : null,
    affectedPerson: getAffectedPersonName(row),
    objectName: describeObject({ ...row, changes }, language),
    orgid: row.org_id,
    orgName: row.org_name,
    changes,
    ...personal,
  };
}

function getAffectedPersonName({
  affected_user_id,
  actor_id,
  person_name,
  subject_name,
  before,
  after,
}: ActivityRow): string | null {
  if (affected_user_id !== null) return affected_user_id === actor_id ? null : person_name;
  // The list of changes already contains a changed name.
  return subject_name === null || 'name' in before || 'name' in after ? null : makeDisplaySafe(subject_name);
}

/**
 * The object of the sentence, such as a deposit's amount and day, a story's name, a file, a role, or the names of the
 * changed settings.
 */
function describeObject(row: ActivityRow & Pick<Activity, 'changes'>, locale: Language): string | null {
  const { kind, verb, before, after, changes, deposit_cents: cents } = row;
  const { deposited_on: day, month, name, file, email, role } = { ...before, ...after };
  switch (kind) {
    case 'deposit': {
      const parts = [cents === null ? [] : formatCents(cents), typeof day === 'string' ? dayText(day, { locale }) : []];
      return parts.flat().join(', ') || null;
    }
    case 'month':
    case 'month-reopening':
      return typeof month === 'string' ? formatMonth(month, { locale }) : null;
    case 'text':
      return typeof after.page === 'string' && typeof after.name === 'string'
        ? textHeading({ page: after.page, name: after.name })
        : null;
    case 'offsetter':
    case 'awardee':
    case 'installer':
      return typeof name === 'string' ? makeDisplaySafe(name) : null;
    case 'export':
      return typeof file === 'string' ? file : null;
    case 'role':
    case 'invitation':
      return [email, getRoleLabel(role)].filter((text) => typeof text === 'string').join(', ') || null;
    case 'settings':
      return verb === 'changed' ? changes.map(({ label }) => label).join(', ') || null : null;
    default:
      return null;
  }
}

function getRoleLabel(role: unknown): string | undefined {
  const knownRole = ROLES.find((candidate) => candidate === role);
  return knownRole && ROLE_TEXTS[knownRole].label;
}

/** Kinds whose changes are the person's own data, no matter who made them. */
const PERSONAL_KINDS: readonly string[] = ['role', 'account', 'second-step', 'offsetter', 'gift'];

/** Hides other people's data from the activity's actor and the affected person, as in the download of all data. */
function createPersonalFields(row: ActivityRow & Pick<Activity, 'changes'>, userId: string): Partial<Activity> {
  const isByUser = row.actor_id === userId;
  const isAboutUser = row.affected_user_id === userId;
  const showsChanges = isAboutUser && (isByUser || PERSONAL_KINDS.includes(row.kind));
  return {
    ...(isByUser ? { actorKind: 'you' } : {}),
    actorName: null,
    ipAddress: isByUser || row.kind === 'login-failed' ? row.ip_address : null,
    affectedPerson: null,
    objectName: null,
    changes: showsChanges ? row.changes : [],
  };
}

function presentChanges({ kind, before, after, time_zone }: ActivityRow, locale: Language) {
  return listActivityChanges(before, kind === 'text' ? replaceByTextTitle(after) : after, time_zone ?? 'UTC', {
    locale,
  });
}

/** Replaces a cell's page and name with the title that editors see. */
function replaceByTextTitle({ page, name, ...rest }: ActivityRow['after']): ActivityRow['after'] {
  return typeof page === 'string' && typeof name === 'string' ? { text: textTitle({ page, name }), ...rest } : rest;
}

function presentActor(row: ActivityRow): Pick<Activity, 'actorKind' | 'actorName'> {
  if (row.accepted_by !== null) return { actorKind: 'person', actorName: row.accepted_by };
  // A person who accepts an invitation is still a visitor at that moment.
  const isAcceptance =
    row.kind === 'role' && row.verb === 'added' && getActorKind(row) === 'visitor' && row.person_name !== null;
  return isAcceptance
    ? { actorKind: 'person', actorName: row.person_name }
    : { actorKind: getActorKind(row), actorName: row.actor_name };
}

function getActorKind({ actor_id, actor_name, is_automated }: ActivityRow): Activity['actorKind'] {
  if (actor_id !== null) return actor_name === null ? 'former' : 'person';
  return is_automated ? 'program' : 'visitor';
}
