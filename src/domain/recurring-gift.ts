import { type Day, dayText } from './days.ts';

/** What the provider says of a recurring gift. unknown: it has not answered yet. */
export const GIFT_STATUSES = ['unknown', 'active', 'past_due', 'paused', 'canceled'] as const;
export type GiftStatus = (typeof GIFT_STATUSES)[number];

type ShownGift = {
  readonly status: GiftStatus;
  readonly nextChargeOn: Day | null;
  readonly endedUnpaid: boolean;
};

/** The status of a gift, in words for donors and editors. */
export function giftSentence({ status, nextChargeOn, endedUnpaid }: ShownGift): string {
  const day = nextChargeOn === null ? undefined : dayText(nextChargeOn);
  switch (status) {
    case 'active':
      return day === undefined ? 'This gift is running.' : `The next charge will be around ${day}.`;
    case 'past_due':
      return `The last charge did not go through. ${day === undefined ? 'It won’t be tried again by itself.' : `It will be tried again around ${day}.`}`;
    case 'paused':
      return 'This gift is paused. Nothing is charged until it is resumed.';
    case 'canceled':
      return endedUnpaid
        ? 'This gift has ended, because it could not be charged. Nothing more will be charged.'
        : 'This gift has ended. Nothing more will be charged.';
    case 'unknown':
      return 'The card processor has not told us yet when this gift is charged next.';
  }
}

export const GIFT_LABELS: Readonly<Record<GiftStatus, string>> = {
  unknown: 'Not known yet',
  active: 'Active',
  past_due: 'Past due',
  paused: 'Paused',
  canceled: 'Ended',
};
