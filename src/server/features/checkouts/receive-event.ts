import type { Failure } from '#domain/failures.ts';
import type { ProviderEvent } from '#server/gateways/payments/payments.ts';
import { outcomesOf, saveEvent } from './provider-events.store.ts';
import { type RecordDeps, recordPayment } from './record-payment.ts';

/**
 * Deals with one report of the provider, once: repeated ones and any order are harmless (decisions §3).
 * @returns Failure when the provider shall send it again: payment-unavailable, webhook-mismatch
 */
export async function receiveEvent(deps: RecordDeps, event: ProviderEvent): Promise<'recorded' | 'ignored' | Failure> {
  const before = (await outcomesOf(deps.db.kysely, [event.id])).get(event.id);
  if (before === 'recorded' || before === 'ignored') return before;
  const outcome = event.sessionId === undefined ? 'ignored' : await recordPayment(deps, event.sessionId, event);
  if (outcome === 'ignored') await saveIgnored(deps, event);
  return outcome;
}

/** Kept too, so that it can be seen that it came. */
async function saveIgnored({ db }: RecordDeps, { id, type, occurredAt }: ProviderEvent): Promise<void> {
  await saveEvent(db.kysely, { id, type, occurred_at: occurredAt, outcome: 'ignored' });
}
