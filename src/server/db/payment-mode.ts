import { type RawBuilder, sql } from 'kysely';

/**
 * Condition for money that counts in the current payment mode. PostgreSQL assumes that half of the rows meet a `coalesce`, but
 * only 0.5% an `is not distinct from`, which makes it join a whole ledger row by row.
 *
 * @param livemode column; null before the first mode
 */
export function isInPaymentMode(livemode: string): RawBuilder<boolean> {
  return sql`coalesce(${sql.ref(livemode)} = (select payment_mode.livemode from payment_mode), true)`;
}
