import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { CONTESTED_REASONS } from '#domain/attention.ts';
import { GIFT_ENTRIES } from '#domain/books.ts';
import type { GiftInterval } from '#domain/cart.ts';
import type { OrgId, UserId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import { ROLES, roleCan } from '#domain/permissions.ts';
import {
  DEFAULT_EMAIL_CHOICES,
  type EmailChoices,
  type EmailTopic,
  TEAM_EMAIL_PERMISSIONS,
  type TeamEmailKind,
} from '#domain/team-emails.ts';
import { isOfKind } from '#server/db/fact-sql.ts';
import { isInPaymentMode } from '#server/db/payment-mode.ts';
import type { Tables } from '#server/db/tables.ts';
import { TEAM_ROLES } from '#server/db/team-roles.ts';

type Member = { readonly orgId: OrgId; readonly userId: UserId };

export function findEmailChoices(db: Kysely<Tables>, { orgId, userId }: Member): Promise<EmailChoices | undefined> {
  return db
    .selectFrom('email_choices')
    .select(['gifts', 'stories', 'problems', 'statements'])
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

export async function upsertEmailChoices(
  db: Kysely<Tables>,
  { orgId, userId }: Member,
  choices: EmailChoices,
  oldChoices: EmailChoices,
): Promise<void> {
  const getChangeTime = (topic: EmailTopic) => (choices[topic] === oldChoices[topic] ? undefined : sql<Date>`now()`);
  const values = {
    ...choices,
    gifts_changed_at: getChangeTime('gifts'),
    stories_changed_at: getChangeTime('stories'),
    problems_changed_at: getChangeTime('problems'),
    statements_changed_at: getChangeTime('statements'),
  };
  await db
    .insertInto('email_choices')
    .values({ org_id: orgId, user_id: userId, ...values })
    .onConflict((conflict) => conflict.columns(['org_id', 'user_id']).doUpdateSet(values))
    .execute();
}

/** An email to a person: a kind, and the id of the gift, story, or other subject. */
export type TeamEmailKey = Member & { readonly kind: TeamEmailKind; readonly subject: string };

/** Pairs of an email kind and a role that may get it. */
const PERMITTED_KINDS = Object.entries(TEAM_EMAIL_PERMISSIONS).flatMap(([kind, action]) =>
  ROLES.filter((role) => roleCan(role, action)).map((role) => sql`(${sql.lit(kind)}, ${sql.lit(role)})`),
);

/**
 * Selects recent gifts, stories, and other subjects of emails, with their times. Disputes and fraud warnings have their
 * own email.
 */
function selectRecentSubjects(since: Date, now: Date) {
  return sql`
    select org_id, 'story' as kind, id as subject, created_at as at from offsetters
      where status = 'draft' and shown_as <> 'none' and created_at >= ${since}
    union all select org_id, 'gift', id, created_at from ledger_entries
      where org_id in (select org_id from email_choices where gifts = 'each')
        and ${isOfKind('kind', GIFT_ENTRIES)} and created_at >= ${since} and ${isInPaymentMode('livemode')}
    union all select org_id, 'attention', id, created_at from attention_items
      where org_id is not null and resolved_at is null and created_at >= ${since}
        and reason <> all(${[...CONTESTED_REASONS]})
    union all select s.org_id, 'renewal', f.invoice_id, min(f.failed_at)
      from failed_renewals f join subscriptions s on s.id = f.subscription_id
      where f.failed_at >= ${since} group by 1, 3
    union all select org_id, 'ended', id, canceled_at from subscriptions where canceled_at >= ${since}
    union all select org_id, 'receipt', ledger_entry_id, delivery_at from receipts
      where delivery in ('rejected', 'failed') and delivery_at >= ${since}
    union all select id, 'daily', ((${now}::timestamptz at time zone time_zone)::date - 1)::text,
        date_trunc('day', ${now}::timestamptz at time zone time_zone) at time zone time_zone
      from orgs where id in (select org_id from email_choices where 'daily' in (gifts, stories))
    -- A month that is closed again has another subject, so that its new statement is sent too.
    union all select c.org_id, 'statement', c.month || coalesce('/' || nullif((
          select count(*) from month_changes p where p.org_id = c.org_id and p.month = c.month and p.id < c.id), 0), ''),
        c.created_at
      from month_changes c where c.action = 'closed' and c.created_at >= ${since}`;
}

/** Matches people who had chosen emails about a topic at the time of the subject `f`. */
function isChosen(topic: EmailTopic, frequency: 'each' | 'daily') {
  const choice = sql.ref(`c.${topic}`);
  const changedAt = sql.ref(`c.${topic}_changed_at`);
  return sql`(coalesce(${choice}, ${DEFAULT_EMAIL_CHOICES[topic]}) = ${frequency}
    and coalesce(${changedAt} <= f.at, true))`;
}

/**
 * Adds a row for each new email that a team member has chosen to receive.
 *
 * The primary key prevents concurrent processes from adding an email twice. Team members get no emails about subjects
 * from before they got their role or chose these emails.
 *
 * @param since earlier subjects are skipped
 * @returns the new emails, up to `max`
 */
export async function insertTeamEmails(
  tx: Transaction<Tables>,
  { since, now, max }: { readonly since: Date; readonly now: Date; readonly max: number },
): Promise<TeamEmailKey[]> {
  const { rows } = await sql<TeamEmailKey>`
    insert into team_emails (org_id, user_id, kind, subject, last_attempt_at)
    select f.org_id, member.user_id, f.kind, f.subject, ${now}
    from (${selectRecentSubjects(since, now)}) f
    join ${TEAM_ROLES} member on member.org_id = f.org_id and member.created_at <= f.at
    join users u on u.id = member.user_id and u.email_verified
    left join email_choices c on c.org_id = member.org_id and c.user_id = member.user_id
    where (f.kind, member.role) in (${sql.join(PERMITTED_KINDS)})
      and case f.kind
        when 'gift' then ${isChosen('gifts', 'each')}
        when 'story' then ${isChosen('stories', 'each')}
        when 'daily' then ${isChosen('gifts', 'daily')} or ${isChosen('stories', 'daily')}
        when 'statement' then ${isChosen('statements', 'each')}
        else ${isChosen('problems', 'each')} end
      and not exists (select from team_emails t where (t.org_id, t.user_id, t.kind, t.subject)
        = (f.org_id, member.user_id, f.kind, f.subject))
    order by f.at limit ${max}
    on conflict do nothing
    returning org_id as "orgId", user_id as "userId", kind, subject`.execute(tx);
  return rows;
}

/** @returns false if the email was already sent or skipped */
export async function isTeamEmailPending(
  db: Kysely<Tables>,
  { orgId, userId, kind, subject }: TeamEmailKey,
): Promise<boolean> {
  const row = await db
    .selectFrom('team_emails')
    .select('status')
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.status === 'sending';
}

export async function recordTeamEmailOutcome(
  db: Kysely<Tables>,
  { orgId, userId, kind, subject }: TeamEmailKey,
  { status, error_code }: Pick<Selectable<Tables['team_emails']>, 'status' | 'error_code'>,
  attemptedAt: Date,
): Promise<void> {
  await db
    .updateTable('team_emails')
    .set({ status, error_code, last_attempt_at: attemptedAt })
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('status', '=', 'sending')
    .execute();
}

/** Finds a story that is still waiting for review. */
export function findDraftStory(db: Kysely<Tables>, orgId: OrgId, id: string) {
  return db
    .selectFrom('offsetters')
    .select(['name', 'story'])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('status', '=', 'draft')
    .executeTakeFirst();
}

export type RecurringGiftFacts = {
  readonly checkoutId: string;
  readonly donor: string | null;
  readonly amount: Cents | null;
  readonly unit: GiftInterval['unit'] | null;
  readonly count: number | null;
  readonly endedUnpaid: boolean;
};

/** Finds a recurring gift that has ended. */
export function findEndedGift(db: Kysely<Tables>, orgId: OrgId, id: string): Promise<RecurringGiftFacts | undefined> {
  return selectRecurringGifts(db, orgId).where('subscriptions.id', '=', id).executeTakeFirst();
}

/** Finds the latest failed attempt to renew a recurring gift that is still past due. */
export function findFailedRenewal(db: Kysely<Tables>, orgId: OrgId, invoiceId: string) {
  return selectRecurringGifts(db, orgId)
    .innerJoin('failed_renewals', 'failed_renewals.subscription_id', 'subscriptions.id')
    .select(['failed_renewals.amount_cents as charge', 'failed_renewals.retry_at as retryAt'])
    .where('failed_renewals.invoice_id', '=', invoiceId)
    .where('subscriptions.status', '=', 'past_due')
    .orderBy('failed_renewals.attempt', 'desc')
    .executeTakeFirst();
}

function selectRecurringGifts(db: Kysely<Tables>, orgId: OrgId) {
  return db
    .selectFrom('subscriptions')
    .innerJoin('checkouts', 'checkouts.id', 'subscriptions.checkout_id')
    .select([
      'checkouts.id as checkoutId',
      'checkouts.display_name as donor',
      'subscriptions.amount_cents as amount',
      'subscriptions.interval_unit as unit',
      'subscriptions.interval_count as count',
      'subscriptions.ended_unpaid as endedUnpaid',
    ])
    .where('subscriptions.org_id', '=', orgId);
}

type TimeSpan = { readonly from: Date; readonly until: Date };

/** Counts and sums the gifts recorded in a time span. */
export async function sumGiftsWithin(
  db: Kysely<Tables>,
  orgId: OrgId,
  { from, until }: TimeSpan,
): Promise<{ readonly count: number; readonly cents: Cents }> {
  return db
    .selectFrom('ledger_entries')
    .select(sql<number>`count(*)`.as('count'))
    .select(sql<Cents>`coalesce(sum(amount_cents), 0)::int8`.as('cents'))
    .where('org_id', '=', orgId)
    .where('kind', 'in', GIFT_ENTRIES)
    .where(isInPaymentMode('livemode'))
    .where('created_at', '>=', from)
    .where('created_at', '<', until)
    .executeTakeFirstOrThrow();
}

/** Counts stories that were submitted in a time span and are still waiting for review. */
export async function countDraftsWithin(db: Kysely<Tables>, orgId: OrgId, { from, until }: TimeSpan): Promise<number> {
  const { stories } = await db
    .selectFrom('offsetters')
    .select(sql<number>`count(*)`.as('stories'))
    .where('org_id', '=', orgId)
    .where('status', '=', 'draft')
    .where('shown_as', '<>', 'none')
    .where('created_at', '>=', from)
    .where('created_at', '<', until)
    .executeTakeFirstOrThrow();
  return stories;
}
