import { Failure } from '#domain/failures.ts';
import type { Payments } from '#server/gateways/payments/payments.ts';
import { unreachableProvider } from './build-app.ts';

export type InMemoryPayments = {
  readonly payments: Payments;
  /** Number of opened payment pages. */
  countOpenedPages(): number;
  /** Marks a session as paid, without sending a webhook. */
  pay(sessionId: string): void;
  /** Ids of the sessions that the program read, in order. */
  readonly sessionReads: readonly string[];
};

/** An in-process provider that is fast enough for load tests. Its pages can be opened, paid, and read. */
export function createInMemoryPayments(now: () => Date): InMemoryPayments {
  const pages = new Map<string, Parameters<Payments['createSession']>[0]>();
  const paidPages = new Set<string>();
  const sessionIds: string[] = [];
  const payments: Payments = {
    ...unreachableProvider,
    createSession: async (request) => {
      const sessionId = `cs_${request.checkoutId}`;
      pages.set(sessionId, request);
      return { sessionId, url: `https://pay.example/${sessionId}` };
    },
    readSession: async (sessionId) => {
      sessionIds.push(sessionId);
      const page = pages.get(sessionId);
      if (!page) return new Failure('payment-unavailable');
      const isPaid = paidPages.has(sessionId);
      return {
        sessionId,
        orgId: page.orgId,
        checkoutId: page.checkoutId,
        origin: 'ours' as const,
        livemode: false,
        status: isPaid ? ('paid' as const) : ('open' as const),
        amount: page.lines.reduce((sum, { amount }) => sum + amount, 0),
        currency: 'usd',
        payerEmail: `${page.checkoutId}@example.org`,
        payerName: 'Paula Payer',
        paymentId: `pi_${page.checkoutId}`,
        customerId: undefined,
        subscriptionId: undefined,
        giftKey: undefined,
        nextChargeAt: undefined,
        charge: isPaid
          ? {
              chargeId: `ch_${page.checkoutId}`,
              intentId: `pi_${page.checkoutId}`,
              invoiceId: undefined,
              chargedAt: now(),
              settlement: undefined,
            }
          : undefined,
      };
    },
  };
  return {
    payments,
    countOpenedPages: () => pages.size,
    pay: (sessionId) => void paidPages.add(sessionId),
    sessionReads: sessionIds,
  };
}
