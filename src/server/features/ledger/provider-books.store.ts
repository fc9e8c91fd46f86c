import { type Kysely, sql } from 'kysely';
import { attentionSubject } from '#domain/attention-subjects.ts';
import type { LedgerKind } from '#domain/books.ts';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import { hasFactName } from '#server/db/fact-sql.ts';
import type { Tables } from '#server/db/tables.ts';
import { isResolvedOutsideBooks } from '#server/features/attention/attention.ts';

/** A ledger entry with a line on the provider account. */
export type BookEntry = {
  readonly fact: string;
  readonly kind: LedgerKind;
  readonly org_id: OrgId;
  readonly checkout_id: CheckoutId | null;
  readonly cents: Cents;
  readonly currency: string;
  readonly charge_id: string | null;
  readonly intent_id: string | null;
  readonly invoice_id: string | null;
  readonly occurred_at: Date;
  readonly reported_at: Date;
};

/** Reads the entries of one payment mode, except those of the sample organization, which never reached a provider. */
export async function readBookEntries(
  db: Kysely<Tables>,
  livemode: boolean,
  since = new Date(0),
): Promise<readonly BookEntry[]> {
  const { rows } = await sql<BookEntry>`
    select e.fact, e.kind, e.org_id, e.checkout_id, l.cents, e.currency, e.occurred_at, e.reported_at,
      coalesce(p.charge_id, t.charge_id) as charge_id, p.intent_id, p.invoice_id
    from ledger_entries e
      join ledger_lines l on l.entry_id = e.id and l.account = 'provider'
      join orgs o on o.id = e.org_id
      left join payments p on p.entry_id = e.id
      -- The charge that was refunded or disputed.
      left join payments t on t.entry_id = e.payment_entry_id and e.return_id is not null
    where coalesce(e.livemode, ${livemode}) = ${livemode} and e.occurred_at >= ${since}
      and not (o.is_sample and (${hasFactName('e.fact', 'sample')} or e.fact like '%:sample-%'))`.execute(db);
  return rows;
}

/** Sums the movements of arrived payouts that belong to no organization, by payout. */
export async function sumUnassignedByPayout(db: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, Cents>> {
  const { rows } = await sql<{ payout_id: string; cents: Cents }>`
    select m.payout_id, sum(m.net_cents)::int8 as cents
    from payout_movements m join payouts o on o.id = m.payout_id
    where o.id = any(${ids}::text[]) and o.status = 'paid' and m.org_id is null group by 1`.execute(db);
  return new Map(rows.map(({ payout_id, cents }) => [payout_id, cents]));
}

/**
 * Looks up "Needs attention" items by subject, such as 'session:cs_…', including items for events that failed to apply.
 * @returns whether a person has resolved all items of a subject, for each subject that has items
 */
export async function findResolvedSubjects(
  db: Kysely<Tables>,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  if (subjects.length === 0) return new Map();
  const { rows } = await sql<{ subject: string; is_resolved: boolean }>`
    with wanted as (select distinct unnest(${subjects}::text[]) as subject),
    items as (
      select w.subject, a.resolution from wanted w join attention_items a on a.subject = w.subject
      union all
      select w.subject, a.resolution from wanted w
        join provider_events e on e.subject_id = split_part(w.subject, ':', 2)
          and e.subject_kind = split_part(w.subject, ':', 1)
        join attention_items a on a.subject = ${attentionSubject('event', '')} || e.id)
    select subject, bool_and(${isResolvedOutsideBooks('items')}) as is_resolved
    from items group by subject`.execute(db);
  return new Map(rows.map(({ subject, is_resolved }) => [subject, is_resolved]));
}

export async function listTimeZones(db: Kysely<Tables>): Promise<readonly string[]> {
  const rows = await db.selectFrom('orgs').select('time_zone').distinct().orderBy('time_zone').execute();
  return rows.map(({ time_zone }) => time_zone);
}
