import type { Database } from '#server/db/connection.ts';
import type { ListedPayout } from '#server/gateways/payments/balance-facts.ts';
import { payoutsById, payoutsToShareOut } from './payouts.store.ts';

/** The listed payouts that must be recorded, and those whose money turned out to belong to an organization. */
export async function missedPayouts({ kysely }: Database, listed: readonly ListedPayout[]): Promise<string[]> {
  const ids = listed.map(({ payoutId }) => payoutId);
  const known = new Map((await payoutsById(kysely, ids)).map((payout) => [payout.id, payout]));
  const missed = listed.filter(({ payoutId, status, complete }) => {
    const payout = known.get(payoutId);
    return !payout || payout.status !== status || (complete && !payout.complete);
  });
  return [...new Set([...missed.map(({ payoutId }) => payoutId), ...(await payoutsToShareOut(kysely))])];
}
