import { type RawBuilder, sql } from 'kysely';

/** True if money counts in the current payment mode. @param livemode column; null for money from before the first mode */
export function isInPaymentMode(livemode: string): RawBuilder<boolean> {
  const column = sql.ref(livemode);
  return sql`(${column} is null
    or ${column} is not distinct from coalesce((select payment_mode.livemode from payment_mode), ${column}))`;
}
