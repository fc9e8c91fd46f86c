import { toNumber } from '#domain/decimal.ts';
import { gasEquivalent } from '#domain/emissions.ts';
import { dollarsOf, KEPT_DECIMALS, poundsOf } from '#domain/money.ts';
import type { Stats } from '#domain/org.ts';
import type { Database } from '#server/db/connection.ts';
import { countAwardees } from '#server/features/stories/count-awardees.ts';
import { totalsOf } from './ledger.store.ts';

/**
 * What an organisation has brought about, without the editors' correction: the sum of its ledger, the gasoline that
 * holds as much carbon, and a grant for each published awardee (decisions §2, §3).
 */
export async function orgStats(db: Database, orgId: string): Promise<Stats> {
  const [totals, awardees] = await Promise.all([totalsOf(db.kysely, orgId), countAwardees(db, orgId)]);
  const { amount_cents = 0, carbon = 0, gas = 0, grants = 0 } = totals ?? {};
  return {
    co2: poundsOf(carbon),
    gas: toNumber({ units: BigInt(gasEquivalent(carbon) + gas), scale: KEPT_DECIMALS }),
    funds: dollarsOf(amount_cents),
    grants: awardees + grants,
  };
}
