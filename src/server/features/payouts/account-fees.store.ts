import { type Kysely, sql, type Transaction } from 'kysely';
import type { OrgId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import { buildFactFromColumns } from '#server/db/fact-sql.ts';
import type { Tables } from '#server/db/tables.ts';

/** Finds which of these fees are already posted. */
export async function findPostedFees(db: Kysely<Tables>, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('account_fees')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Adds a fee unless it exists. Concurrent calls for the same fee run one at a time. @returns whether the fee is new */
export async function insertAccountFee(tx: Transaction<Tables>, fee: Tables['account_fees']): Promise<boolean> {
  const newFee = await tx
    .insertInto('account_fees')
    .values(fee)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return newFee !== undefined;
}

/** An organization's recent and all-time charge volumes. */
export type ChargeVolume = { readonly org_id: OrgId; readonly recent_cents: Cents; readonly all_cents: Cents };

type VolumeQuery = {
  /** Start of the recent days. */
  readonly since: Date;
  /** End of both volumes. */
  readonly until: Date;
  readonly currency: string;
  readonly livemode: boolean;
};

/** Reads the charge volume of each organization with this currency. */
export async function readChargeVolumes(
  tx: Transaction<Tables>,
  { since, until, currency, livemode }: VolumeQuery,
): Promise<ChargeVolume[]> {
  const { rows } = await sql<ChargeVolume>`
    select o.id as org_id, coalesce(sum(p.amount_cents) filter (where p.charged_at >= ${since}), 0)::int8 as recent_cents,
      coalesce(sum(p.amount_cents), 0)::int8 as all_cents
    from orgs o left join payments p on p.org_id = o.id and p.currency = ${currency} and p.livemode = ${livemode}
      and p.charged_at <= ${until}
    where o.currency = ${currency} group by o.id order by o.id`.execute(tx);
  return rows;
}

/** An organization's share of an account fee. */
export type FeePart = { readonly feeId: string; readonly orgId: OrgId; readonly cents: Cents };

export async function listAccountFeeParts(db: Kysely<Tables>, ids: readonly string[]): Promise<FeePart[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<FeePart>`
    select f.id as "feeId", e.org_id as "orgId", l.cents
    from account_fees f cross join orgs o join ledger_entries e on e.fact = ${buildFactFromColumns('account-fee', 'f.id', 'o.id')}
      join ledger_lines l on l.entry_id = e.id and l.account = 'fees'
    where f.id = any(${ids}::text[]) order by e.org_id`.execute(db);
  return rows;
}
