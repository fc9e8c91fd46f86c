import { MAX_NOTE_LENGTH } from './check.ts';
import type { Failure } from './failures.ts';
import { formFailure } from './form-failures.ts';
import { visibleLength } from './profile.ts';

const MIN_NOTE_LENGTH = 3;

/**
 * Checks a note, which must explain how a payment was settled.
 * @returns Failure note-too-short, note-too-long
 */
export function settlementFailure(note: string): Failure | undefined {
  const length = visibleLength(note.trim());
  if (length < MIN_NOTE_LENGTH) return formFailure('note-too-short', { min: MIN_NOTE_LENGTH });
  return length > MAX_NOTE_LENGTH ? formFailure('note-too-long', { max: MAX_NOTE_LENGTH }) : undefined;
}

/**
 * Reasons why money needs a person's attention.
 *
 * - amount, currency, session, subscription: it differs from its checkout's.
 * - no-checkout: the organization has no such checkout.
 * - account: another account or mode of the provider received it.
 * - unknown-payment: a refund or dispute of a payment that isn't in the books.
 * - manual-payout: a manual payout is more than the organizations have at the provider.
 * - paid-outside: an invoice was marked as paid at the provider, without a charge.
 * - dispute, inquiry, fraud-warning: it's in the books, and the donor's bank contests it.
 */
export const ATTENTION_REASONS = [
  'amount',
  'currency',
  'session',
  'subscription',
  'no-checkout',
  'account',
  'unknown-payment',
  'manual-payout',
  'paid-outside',
  'dispute',
  'inquiry',
  'fraud-warning',
] as const;

/** Reasons of items whose money is in the books and contested by the donor's bank. */
export const CONTESTED_REASONS = ['dispute', 'inquiry', 'fraud-warning'] as const satisfies SimpleAttentionReason[];

export type SimpleAttentionReason = (typeof ATTENTION_REASONS)[number];

/** Reason prefix for a balance transaction with no ledger entry; the transaction type follows. */
export const UNBOOKED_MOVEMENT_PREFIX = 'movement: ';

/** Note of an item that the program closed because its money was applied after all. */
export const APPLIED_LATER_NOTE = 'Counted later.';

/** Start of the reason of an item whose event could not be applied. The error's name follows. */
export const EVENT_FAILED_PREFIX = 'event failed: ';

export type AttentionReason =
  | SimpleAttentionReason
  | `${typeof UNBOOKED_MOVEMENT_PREFIX}${string}`
  | `${typeof EVENT_FAILED_PREFIX}${string}`;
