import { type RawBuilder, sql } from 'kysely';

/** Condition for money that counts in the current payment mode. @param livemode column; null before the first mode */
export function isInPaymentMode(livemode: string): RawBuilder<boolean> {
  const column = sql.ref(livemode);
  return sql`(${column} is null
    or ${column} is not distinct from coalesce((select payment_mode.livemode from payment_mode), ${column}))`;
}
