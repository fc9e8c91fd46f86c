/** A bug that the crash test must detect. */
type Fault = {
  readonly file: string;
  /** Source text that occurs exactly once in the file. */
  readonly original: string;
  readonly replacement: string;
};

export const FAULTS: Readonly<Record<string, Fault>> = {
  'responds before storing the event': {
    file: 'src/server/features/provider-events/webhook.routes.ts',
    original: 'if (await storeEvents(db.kysely, [event], now())) events.wake();',
    replacement: 'setTimeout(() => storeEvents(db.kysely, [event], now()).then(events.wake, () => {}), 300);',
  },
  'counts a repeated report again': {
    file: 'src/server/features/payments/record-session.ts',
    original: "buildFact('checkout-session', ",
    replacement: "(checkout.payment_status === 'paid' ? 'again-' : '') + buildFact('checkout-session', ",
  },
  'counts debits before they are paid': {
    file: 'src/server/features/payments/record-session.ts',
    original: `status === 'paid' ? await postPayment(`,
    replacement: `status !== 'open' ? await postPayment(`,
  },
  'adds a payment to the totals twice': {
    file: 'src/server/features/ledger/post-entry.ts',
    original: 'if (newEntry.counts) await addToTotals(tx, amounts);',
    replacement:
      'if (newEntry.counts) { await addToTotals(tx, amounts); if (Math.random() < 0.1) await addToTotals(tx, amounts); }',
  },
};

/** @throws Error unless the original text occurs exactly once */
export function injectFault(source: string, { original, replacement }: Fault): string {
  const parts = source.split(original);
  if (parts.length !== 2) throw new Error(`Occurs ${parts.length - 1} times: ${original}`);
  return parts.join(replacement);
}
