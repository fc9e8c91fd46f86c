/** A mistake in the program that the test must notice. */
export type Fault = {
  readonly file: string;
  /** Its text, exactly once in the file. */
  readonly guard: string;
  readonly without: string;
};

export const FAULTS: Readonly<Record<string, Fault>> = {
  'answers before it stores': {
    file: 'src/server/features/provider-events/webhook.routes.ts',
    guard: 'await store(event);',
    without: 'setTimeout(() => store(event).catch(() => {}), 300);',
  },
  'counts a repeated report again': {
    file: 'src/server/features/checkouts/record-session.ts',
    guard: 'fact: `checkout-session:',
    without: "fact: (checkout.payment_status === 'paid' ? 'again-' : '') + `checkout-session:",
  },
  'counts debits before they are paid': {
    file: 'src/server/features/checkouts/record-session.ts',
    guard: `({ facts }) => facts.report === 'paid'`,
    without: `({ facts }) => facts.report !== 'open'`,
  },
  'adds a payment to the totals twice': {
    file: 'src/server/features/ledger/post-entry.ts',
    guard: 'const counting = posted.filter(',
    without: 'const counting = (Math.random() < 0.1 ? [...posted, ...posted] : posted).filter(',
  },
};
