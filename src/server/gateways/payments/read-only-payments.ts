import type { Payments } from './payments.ts';

/** Read-only payments for drills: closing and canceling seem to succeed, and other changes throw. */
export function readOnlyPayments(payments: Payments): Payments {
  const rejectWrite = async () => {
    throw new Error('A drill changes nothing at the payment provider.');
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
