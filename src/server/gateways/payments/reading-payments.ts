import type { Payments } from './payments.ts';

/** The same payments, of which nothing is changed: what would end there is said to have ended. For drills. */
export function readingPayments(payments: Payments): Payments {
  const refuse = async () => {
    throw new Error('A drill changes nothing at the payment provider.');
  };
  return {
    ...payments,
    close: async () => 'closed',
    cancelSubscription: async () => 'ended',
    open: refuse,
    refund: refuse,
    changeSubscription: refuse,
    openCardPage: refuse,
  };
}
