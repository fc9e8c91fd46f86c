// Stripe's fees for recurring payments. Stripe documents the percentage and the transaction type. We assume one transaction
// per day, posted at the following midnight UTC. Its description and the missing link to a charge come from merchants' reports.
import { postAccountFee, startOfDay } from './balance.ts';
import type { Provider } from './provider.ts';

const DAY_SECONDS = 86_400;

/** The midnight after the first day with paid but unbilled invoices, if that midnight has passed. */
export function nextBillingTime({ store }: Provider, now: number): number | undefined {
  const firstPaidAt = store.db
    .prepare('SELECT min(paid_at) AS first FROM invoices WHERE paid_at >= ?')
    .get(Number(store.setting('billed_until') ?? 0))?.first;
  if (typeof firstPaidAt !== 'number') return undefined;
  const midnight = startOfDay(firstPaidAt) + DAY_SECONDS;
  return midnight <= now ? midnight : undefined;
}

/** Bills the invoices that were paid before the last midnight. */
export function billRecurringPayments(provider: Provider): void {
  const { store } = provider;
  const startOfToday = startOfDay(provider.now());
  const rows = store.db
    .prepare(
      `SELECT resource ->> '$.currency' AS currency, sum(resource ->> '$.amount_paid') AS volume FROM invoices
       WHERE paid_at >= ? AND paid_at < ? AND resource ->> '$.amount_paid_off_stripe' IS NULL GROUP BY 1 ORDER BY 1`,
    )
    .all(Number(store.setting('billed_until') ?? 0), startOfToday);
  store.saveSetting('billed_until', startOfToday);
  const day = new Date((startOfToday - DAY_SECONDS) * 1000).toISOString().slice(0, 10);
  for (const { currency, volume } of rows) {
    const fee = billingFee(Number(volume));
    if (fee > 0) postAccountFee(provider, fee, `Billing - Usage Fee (${day})`, String(currency));
  }
}

/** 0.7%, rounded half up. @param volume cents */
function billingFee(volume: number): number {
  return Math.floor((volume * 7 + 500) / 1000);
}
