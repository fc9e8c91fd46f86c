import { z } from 'zod';
import { GIFT_UNITS } from '#domain/cart.ts';
import { GIFT_STATUSES } from '#domain/recurring-gift.ts';
import { day, id } from './shared.ts';

/** A recurring gift. What the provider has not reported yet is null. */
export const recurringGift = z.object({
  status: z.enum(GIFT_STATUSES),
  /** Dollars each time, 2 decimals. */
  amount: z.number().nullable(),
  /** Of the amount: what covers the card fee. */
  coveredFee: z.number(),
  unit: z.enum(GIFT_UNITS).nullable(),
  count: z.number().int().nullable(),
  /** Of a gift that is past due: when the card is tried again. In the time zone of the organization. */
  nextChargeOn: day.nullable(),
  /** Whether it ended because its card could not be charged. */
  endedUnpaid: z.boolean(),
});

export type RecurringGift = z.infer<typeof recurringGift>;

/** A recurring gift as its donor sees it in My giving. */
export const ownRecurringGift = recurringGift.extend({
  orgid: id,
  orgName: z.string(),
  /** Names its page. Everyone who has it can manage the gift. */
  giftkey: id,
});

export type OwnRecurringGift = z.infer<typeof ownRecurringGift>;

const byKey = z.strictObject({ orgid: id, giftkey: id });

export const recurringGiftCalls = {
  readGift: { params: byKey, answer: recurringGift },
  stopGift: { params: byKey, answer: recurringGift },
  /** The provider's page for another card, which leads back to the gift's own. */
  changeGiftCard: { params: byKey, answer: z.object({ url: z.string() }) },
  changeGift: {
    params: byKey,
    body: z.strictObject({
      /** Whole dollars each time, without the card fee where the gift covers it; left out, the amount stays. */
      amount: z.number().optional(),
      unit: z.enum(GIFT_UNITS),
      count: z.number().int(),
    }),
    answer: recurringGift,
  },
  pauseGift: { params: byKey, body: z.strictObject({ paused: z.boolean() }), answer: recurringGift },
  stopCheckoutGift: { params: z.strictObject({ orgid: id, checkoutid: id }), answer: recurringGift },
};
