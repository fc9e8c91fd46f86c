import type { Donor, DonorName } from '#contract/schemas/donors.ts';
import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import { dayText } from '#domain/days.ts';
import { formatWhole } from '#domain/money.ts';
import type { RecurringGiftStatus } from '#domain/recurring-gift.ts';
import type { Tone } from '#web/ui/list-parts.tsx';

/** A donor's name or, if unknown, email address. */
export function getDonorName({ name, email }: Pick<DonorName, 'name' | 'email'>): string {
  return name || email || 'Unknown donor';
}

/** Explains a recurring gift's status to editors; the donor's own sentence says "you". Empty if there is nothing to add. */
export function describeRecurringStatus({
  status,
  nextChargeOn,
  endedUnpaid,
}: Pick<RecurringGift, 'status' | 'nextChargeOn' | 'endedUnpaid'>): string {
  const day = nextChargeOn === null ? undefined : dayText(nextChargeOn);
  switch (status) {
    case 'active':
      return day === undefined ? '' : `Next charge ${day}.`;
    case 'past_due':
      return day === undefined ? 'The card won’t be charged again.' : `Next try ${day}.`;
    case 'paused':
      return 'Until the donor resumes it.';
    case 'canceled':
      return endedUnpaid ? 'The card could not be charged.' : '';
    case 'unknown':
      return 'The card processor hasn’t reported it yet.';
  }
}

export const GIFT_TONES: Readonly<Record<RecurringGiftStatus, Tone>> = {
  unknown: 'plain',
  active: 'done',
  past_due: 'error',
  paused: 'waiting',
  canceled: 'plain',
};

/** "1 gift", "12 gifts" */
export function formatGiftCount({ gifts }: Pick<Donor, 'gifts'>): string {
  return gifts === 1 ? '1 gift' : `${formatWhole(gifts)} gifts`;
}

/** "1 home", "3 homes" */
export function formatHomeCount(homes: number): string {
  return homes === 1 ? '1 home' : `${formatWhole(homes)} homes`;
}
