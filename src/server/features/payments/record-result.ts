import type { CheckoutId } from '#domain/ids.ts';
import type { AppDeps } from '#server/deps.ts';
import type { AttentionOutcome } from '#server/features/attention/attention.ts';
import type { IssueDeps } from '#server/features/receipts/issue-receipt.ts';

export type RecordDeps = Pick<AppDeps, 'db' | 'payments'> & IssueDeps;

/** Options for functions that record one of the provider's objects. */
export type RecordOptions = {
  /** True for payments that are missing from the books. Their receipts and tribute cards may already have been sent. */
  readonly isRecovery?: boolean;
};

/** A paid session and its charge with a known fee. */
export type SettledPayment = { readonly sessionId: string | undefined; readonly chargeId: string };

/**
 * Result of recording one of the provider's objects.
 *
 * - ignored: it belongs to another program or installation, or moves no money.
 * - attention: a person must decide about its money.
 * - unknown: the provider has no such object.
 */
export type RecordResult =
  | {
      readonly outcome: 'recorded';
      /** Absent for a payout. */
      readonly checkoutId?: CheckoutId | undefined;
      readonly settledPayment?: SettledPayment | undefined;
    }
  | AttentionOutcome
  | { readonly outcome: 'ignored' | 'unknown'; readonly checkoutId?: undefined };
