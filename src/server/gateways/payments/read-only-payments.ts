import type { Payments } from './payments.ts';

/** Makes payments read-only for drills: closing and canceling appear to succeed, and other changes throw. */
export function createReadOnlyPayments(payments: Payments): Payments {
  const rejectWrite = async () => {
    throw new Error('A drill must not change anything in the payment provider’s account.');
  };
  return {
    ...payments,
    closeSession: async () => 'closed',
    cancelSubscription: async () => 'ended',
    createSession: rejectWrite,
    refund: rejectWrite,
    changeSubscription: rejectWrite,
    openCardPage: rejectWrite,
  };
}
