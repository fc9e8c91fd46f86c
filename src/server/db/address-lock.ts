import { sql, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * Until the transaction ends, nobody else does anything about this address that asks for it too. So what is left for
 * an address just while it is being proven is either found by the proof, or finds the proof.
 * @param address in small letters
 */
export async function lockAddress(tx: Transaction<Tables>, address: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`address:${address}`}, 0))`.execute(tx);
}
