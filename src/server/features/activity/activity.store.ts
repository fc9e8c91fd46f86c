import { type Kysely, sql } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { OrgId, UserId } from '#domain/ids.ts';
import type { Tables } from '#server/db/tables.ts';
import { TEAM_ROLES } from '#server/db/team-roles.ts';
import { selectUserName } from '#server/entities/find-user.ts';

/** Scope of a list of activities: an organization's, those by or about a person, or all if both ids are omitted. */
export type ActivityScope = {
  readonly orgId?: OrgId;
  readonly userId?: string;
  /** Ids of the records that the activities are about. */
  readonly subjects?: readonly string[];
  /** Kinds to include; all if omitted. */
  readonly kinds?: readonly string[] | undefined;
  /** True to include the team members' IP addresses. */
  readonly showsIpAddresses?: boolean;
  readonly filter?: ActivityFilter;
};

/** Filter chosen by the reader, within an ActivityScope. */
export type ActivityFilter = {
  /** Part of the name, or the full email address, of the actor or the affected person. */
  readonly person?: string | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
  readonly orgId?: OrgId | undefined;
};

export type ActivityRow = {
  readonly id: string;
  readonly created_at: Date;
  readonly org_id: OrgId | null;
  readonly kind: string;
  readonly verb: string;
  readonly is_automated: boolean;
  readonly actor_id: string | null;
  readonly ip_address: string | null;
  readonly before: Record<string, unknown>;
  readonly after: Record<string, unknown>;
  readonly actor_name: string | null;
  readonly is_team_member: boolean;
  readonly affected_user_id: string | null;
  readonly person_name: string | null;
  /** Current name of the person or home that the story, check, gift, or grant belongs to; set only for an organization's log. */
  readonly subject_name: string | null;
  /** Amount of a deposit that still exists; set only for an organization's log. */
  readonly deposit_cents: number | null;
  /** For a deleted invitation: the person who accepted it in the same transaction. */
  readonly accepted_by: string | null;
  /** The organization's time zone. */
  readonly time_zone: string | null;
  readonly org_name: string | null;
};

/**
 * Name of an activity's subject, because most activities don't record it. Null if the subject was deleted. Not used in
 * the log for admins, who may not see donors.
 */
const SUBJECT_NAME = sql<string | null>`case a.kind
  when 'offsetter' then (select name from offsetters where id = a.subject and org_id = a.org_id)
  when 'awardee' then (select name from awardees where id = a.subject and org_id = a.org_id)
  when 'installer' then (select name from installers where id = a.subject and org_id = a.org_id)
  when 'grant' then (select awardees.name from grants join awardees on awardees.id = grants.awardee_id
    where grants.id = a.subject and grants.org_id = a.org_id)
  when 'check' then (select name from pledges where id = a.subject and org_id = a.org_id)
  when 'donor' then (select name from donors where id = a.subject and org_id = a.org_id)
  when 'return' then (select c.display_name from payment_returns r join payments p on p.entry_id = r.entry_id
    join checkouts c on c.id = p.checkout_id where r.id = a.subject and p.org_id = a.org_id)
  when 'gift' then (select c.display_name from subscriptions s join checkouts c on c.id = s.checkout_id
    where s.id = a.subject and s.org_id = a.org_id)
  end`;

const DEPOSIT_CENTS = sql`case a.kind when 'deposit' then (
    select sum(e.amount_cents)::float8 from deposit_checks c join ledger_entries e on e.id = c.entry_id
    where c.deposit_id = a.subject and e.org_id = a.org_id) end`;

const ACCEPTED_BY = sql`case when a.kind = 'invitation' and a.verb = 'removed' then (
    select ${selectUserName('member')} from activities r join users member on member.id = r.affected_user_id
    where r.org_id = a.org_id and r.kind = 'role' and r.verb = 'added' and r.created_at = a.created_at
      and (r.actor_id is null or r.actor_id = r.affected_user_id)
    limit 1) end`;

/** Matches the text entry of a changed tag, which is also a setting: its other entry has the old and the new tag. */
const IS_REPEATED_TAG = sql`(a.kind = 'text' and a.after @> '{"page": "home", "name": "tag"}' and exists (
    select from activities s
    where s.org_id = a.org_id and s.kind = 'settings' and s.created_at = a.created_at and s.after ? 'tag'))`;

/** Selects activities, newest first. @throws Failure unknown-cursor */
export async function selectActivities(
  db: Kysely<Tables>,
  { orgId, userId, subjects, kinds, filter = {} }: ActivityScope,
  { max, cursorRef }: { readonly max: number; readonly cursorRef?: string | undefined },
): Promise<ActivityRow[]> {
  if (cursorRef !== undefined && !/^\d{1,15}$/.test(cursorRef))
    throw new Failure('unknown-cursor', { cursor: cursorRef, field: 'cursorRef' });
  const { rows } = await sql<ActivityRow>`
    select a.id::text, a.created_at, a.org_id, a.kind, a.is_automated, a.actor_id, a.ip_address, a.verb, a.before, a.after,
      a.affected_user_id,
      ${selectUserName('actor')} as actor_name,
      ${selectUserName('person')} as person_name, orgs.time_zone,
      orgs.name as org_name,
      ${orgId === undefined ? sql`null` : SUBJECT_NAME} as subject_name,
      ${orgId === undefined ? sql`null` : DEPOSIT_CENTS} as deposit_cents,
      ${ACCEPTED_BY} as accepted_by,
      coalesce(actor.admin, false) or exists (
        select from ${TEAM_ROLES} as member where member.org_id = a.org_id and member.user_id = a.actor_id) as is_team_member
    from activities a
      left join users actor on actor.id = a.actor_id
      left join users person on person.id = a.affected_user_id
      left join orgs on orgs.id = a.org_id
    where true
      ${orgId === undefined ? sql`` : sql`and a.org_id = ${orgId}`}
      ${subjects === undefined ? sql`` : sql`and a.subject = any(${subjects})`}
      ${kinds === undefined ? sql`` : sql`and a.kind = any(${kinds})`}
      ${userId === undefined ? sql`` : sql`and (a.actor_id = ${userId} or a.affected_user_id = ${userId})`}
      ${cursorRef === undefined ? sql`` : sql`and a.id < ${cursorRef}`}
      ${kinds === undefined && filter.kinds === undefined ? sql`and not ${IS_REPEATED_TAG}` : sql``}
      ${buildFilterSql(filter)}
    order by a.id desc limit ${max}`.execute(db);
  return rows;
}

function buildFilterSql({ person, kinds, from, until, orgId }: ActivityFilter) {
  const conditions = [
    ...(kinds === undefined ? [] : [sql`a.kind = any(${kinds})`]),
    ...(from === undefined ? [] : [sql`a.created_at >= ${from}`]),
    ...(until === undefined ? [] : [sql`a.created_at < ${until}`]),
    ...(orgId === undefined ? [] : [sql`a.org_id = ${orgId}`]),
    ...(person === undefined ? [] : [isAboutPerson(person)]),
  ];
  return conditions.length === 0 ? sql`` : sql`and ${sql.join(conditions, sql` and `)}`;
}

/** Matches email addresses only in full, so that a search can't reveal the address of a person who is listed by name. */
function isAboutPerson(person: string) {
  const people = sql`select id from users
    where position(lower(${person}) in lower(display_name)) > 0 or email = lower(${person})`;
  return sql`(a.actor_id in (${people}) or a.affected_user_id in (${people}))`;
}

export type LastChange = { readonly actor_id: UserId | null; readonly actor_name: string | null };

export type ChangedColumns = {
  readonly orgId: OrgId;
  readonly kind: 'settings' | 'awardee' | 'installer';
  /** Id of the changed record. */
  readonly subject: string;
  readonly columns: readonly string[];
};

/** Finds the last change of any of these columns. */
export async function selectLastChange(
  db: Kysely<Tables>,
  { orgId, kind, subject, columns }: ChangedColumns,
): Promise<LastChange | undefined> {
  const { rows } = await sql<LastChange>`
    select a.actor_id, ${selectUserName('actor')} as actor_name
    from activities a left join users actor on actor.id = a.actor_id
    where a.org_id = ${orgId} and a.kind = ${kind} and a.subject = ${subject} and (a.before || a.after) ?| ${columns}
    order by a.id desc limit 1`.execute(db);
  return rows[0];
}

/** Erases old IP addresses. Recent addresses are needed to investigate attacks. */
export async function eraseIpAddresses(db: Kysely<Tables>, before: Date): Promise<void> {
  await sql`update activities set ip_address = null where ip_address is not null and created_at < ${before}`.execute(
    db,
  );
}

export type NewActivity = {
  readonly kind: 'login-failed' | 'export' | 'donors' | 'claim' | 'gift';
  readonly orgId?: OrgId | undefined;
  readonly actorId?: string | undefined;
  readonly affectedUserId?: string | undefined;
  readonly subject?: string;
  readonly ipAddress: string;
  readonly after?: Readonly<Record<string, string>>;
};

/** Records an activity that no database trigger records, such as a download or a failed login. */
export async function insertActivity(
  db: Kysely<Tables>,
  { kind, orgId, actorId, affectedUserId, subject, ipAddress, after = {} }: NewActivity,
): Promise<void> {
  await db
    .insertInto('activities')
    .values({
      org_id: orgId ?? null,
      kind,
      verb: 'done',
      is_automated: false,
      ip_address: ipAddress,
      actor_id: actorId ?? null,
      affected_user_id: affectedUserId ?? null,
      subject: subject ?? null,
      after: JSON.stringify(after),
    })
    .execute();
}
