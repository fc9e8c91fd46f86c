import type { Kysely } from 'kysely';
import { type Standing, statsOf } from '#domain/adjustment.ts';
import type { Stats } from '#domain/org.ts';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import { publishedAwardees, totalsOf } from './ledger.store.ts';

/**
 * What an organisation has brought about, without the editors' correction: the sum of its ledger, the gasoline that
 * holds as much carbon, and a grant for each published awardee (decisions §2, §3).
 */
export async function orgStats(db: Database, orgId: string): Promise<Stats> {
  return statsOf(await orgStanding(db.kysely, orgId));
}

/** The sums that the stats are made of, as they are now or in a transaction. */
export async function orgStanding(db: Kysely<Tables>, orgId: string): Promise<Standing> {
  const totals = await totalsOf(db, orgId);
  const { amount_cents: amount = 0, carbon = 0, gas = 0, grants = 0 } = totals ?? {};
  return { amount, carbon, gas, grants, awardees: await publishedAwardees(db, orgId) };
}
