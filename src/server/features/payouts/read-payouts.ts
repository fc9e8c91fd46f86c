import type { Kysely } from 'kysely';
import type { Payout, PayoutMovement } from '#contract/schemas/books.ts';
import type { ParsedQuery } from '#contract/schemas.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import { toDollars } from '#domain/money.ts';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import { createListPage, type ListPage } from '#server/http/list-page.ts';
import {
  type DayRange,
  type ListedMovement,
  type ListedPayoutRow,
  listMovements,
  listPayouts,
  type OrgPayout,
} from './payouts.store.ts';

export { findArrival, findLastArrival } from './payouts.store.ts';

/** Reads payouts that contain an organization's money, by arrival. */
export async function readPayouts(db: Kysely<Tables>, orgId: OrgId, days: DayRange): Promise<Payout[]> {
  return (await listPayouts(db, orgId, days)).map(presentPayout);
}

/** Reads an organization's movements in a payout, oldest first. @returns Failure payout-not-found */
export async function readPayoutMovements(
  { kysely }: Database,
  key: OrgPayout,
  { max, cursorRef }: ParsedQuery<'readPayoutMovements'>,
): Promise<ListPage<PayoutMovement[]> | Failure> {
  const rows = await listMovements(kysely, key, { max: max + 1, after: cursorRef });
  if (rows.length === 0 && cursorRef === undefined) return new Failure('payout-not-found');
  return createListPage(rows, max, presentMovement);
}

function presentPayout(row: ListedPayoutRow): Payout {
  return {
    id: row.id,
    status: row.status,
    arrivesOn: row.arrives_on,
    amount: toDollars(row.amount_cents),
    gifts: toDollars(row.gift_cents),
    fees: toDollars(-row.fee_cents),
    refunds: toDollars(row.refund_cents),
    disputes: toDollars(row.dispute_cents),
    manualPayouts: toDollars(row.manual_cents),
    returned: toDollars(row.returned_cents),
    share: toDollars(row.share_cents),
    otherOrgs: toDollars(row.other_cents),
    accountMovements: toDollars(row.account_cents),
    movements: row.movements,
    replacementPayoutId: row.replacement_payout_id,
  };
}

function presentMovement(row: ListedMovement): PayoutMovement {
  return {
    id: row.id,
    kind: row.kind,
    at: row.occurred_at.toISOString(),
    gross: toDollars(row.gross_cents),
    fee: toDollars(-row.fee_cents),
    net: toDollars(row.net_cents),
    donor: row.donor,
    checkoutid: row.checkout_id,
  };
}
