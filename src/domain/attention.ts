import { NOTE_MAXIMUM } from './check.ts';
import type { Failure } from './failures.ts';
import { formFailure } from './form-failures.ts';
import { lengthOf } from './profile.ts';

const NOTE_MINIMUM = 3;

/**
 * Checks a note, which must explain how a payment was settled.
 * @returns Failure note-too-short, note-too-long
 */
export function settlementFailure(note: string): Failure | undefined {
  const length = lengthOf(note.trim());
  if (length < NOTE_MINIMUM) return formFailure('note-too-short', { least: NOTE_MINIMUM });
  return length > NOTE_MAXIMUM ? formFailure('note-too-long', { most: NOTE_MAXIMUM }) : undefined;
}

/** Reasons of items whose money is in the books and contested by the donor's bank. */
export const DISPUTE = 'dispute';
export const INQUIRY = 'inquiry';
export const FRAUD_WARNING = 'fraud warning';

/** Reason of an invoice that was marked as paid at the provider, without a charge. */
export const PAID_OUTSIDE = 'paid outside the provider';

/** Start of the reason of a movement on the provider's balance that the books have no entry for. Its name follows. */
export const UNBOOKED_MOVEMENT = 'movement: ';

/** Note of an item that the program closed because its money was applied after all. */
export const COUNTED_LATER = 'Counted later.';

/** Start of the reason of an item whose event could not be applied. The error's name follows. */
export const EVENT_FAILED = 'event failed: ';
