import { NOTE_MAXIMUM } from './check.ts';
import type { Failure } from './failures.ts';
import { formFailure } from './form-failures.ts';
import { lengthOf } from './profile.ts';

const NOTE_MINIMUM = 3;

/**
 * A note must say what was done about a payment.
 * @returns Failure note-too-short, note-too-long
 */
export function settlementFailure(note: string): Failure | undefined {
  const length = lengthOf(note.trim());
  if (length < NOTE_MINIMUM) return formFailure('note-too-short', { least: NOTE_MINIMUM });
  return length > NOTE_MAXIMUM ? formFailure('note-too-long', { most: NOTE_MAXIMUM }) : undefined;
}

/** Reasons of items whose money is in the books, and whose donor's bank objects to it. */
export const DISPUTE = 'dispute';
export const INQUIRY = 'inquiry';
export const FRAUD_WARNING = 'fraud warning';

/** Reason of an invoice that someone marked as paid at the provider, without a charge. */
export const PAID_OUTSIDE = 'paid outside the provider';

/** Begins the reason of an item whose event could not be applied; the error's name follows. */
export const EVENT_FAILED = 'event failed: ';
