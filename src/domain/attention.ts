import { MAX_NOTE_LENGTH } from './check.ts';
import type { Failure } from './failures.ts';
import { formFailure } from './form-failures.ts';
import { visibleLength } from './profile.ts';

const MIN_NOTE_LENGTH = 3;

/**
 * Validates the note that explains how an item was resolved.
 * @returns Failure note-too-short, note-too-long
 */
export function resolutionNoteFailure(note: string): Failure | undefined {
  const length = visibleLength(note.trim());
  if (length < MIN_NOTE_LENGTH) return formFailure('note-too-short', { min: MIN_NOTE_LENGTH });
  return length > MAX_NOTE_LENGTH ? formFailure('note-too-long', { max: MAX_NOTE_LENGTH }) : undefined;
}

/**
 * Reasons why money needs a person's attention.
 *
 * - amount, currency, session, subscription: the payment's value differs from its checkout's.
 * - no-checkout: the organization has no such checkout.
 * - account: the payment belongs to another provider account, or to the other mode (test or live).
 * - unknown-payment: a refund or dispute of a payment that isn't in the books.
 * - manual-payout: a manual payout exceeds the organizations' balance at the provider.
 * - paid-outside: an invoice was marked as paid at the provider, without a charge.
 * - dispute, inquiry, fraud-warning: the payment is in the books, but the donor's bank contests it.
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

/** Reasons for items whose money is in the books but contested by the donor's bank. */
export const CONTESTED_REASONS = ['dispute', 'inquiry', 'fraud-warning'] as const satisfies SimpleAttentionReason[];

/** @returns whether an item's money is in the books, but contested */
export function isContested(reason: string): boolean {
  return CONTESTED_REASONS.some((contested) => contested === reason);
}

export type SimpleAttentionReason = (typeof ATTENTION_REASONS)[number];

/** Reason prefix for a balance transaction with no ledger entry; the transaction type follows. */
export const UNBOOKED_MOVEMENT_PREFIX = 'movement: ';

/** Note on an item that was closed automatically because its payment was recorded after all. */
export const APPLIED_LATER_NOTE = 'Counted later.';

/** Reason prefix for an event that could not be applied; the error's name follows. */
export const EVENT_FAILED_PREFIX = 'event failed: ';

export type AttentionReason =
  | SimpleAttentionReason
  | `${typeof UNBOOKED_MOVEMENT_PREFIX}${string}`
  | `${typeof EVENT_FAILED_PREFIX}${string}`;
