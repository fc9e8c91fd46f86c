import { z } from 'zod';
import { GIFT_UNITS } from '#domain/cart.ts';
import { GIFT_STATUSES } from '#domain/recurring-gift.ts';
import { checkoutId, day, dollars, id, orgId } from './shared.ts';

/** A recurring gift. Fields that the provider has not reported yet are null. */
export const recurringGift = z.object({
  status: z.enum(GIFT_STATUSES),
  /** Dollars per charge, 2 decimals. */
  amount: dollars.nullable(),
  /** Part of the amount that covers the card fee. */
  coveredFee: dollars,
  unit: z.enum(GIFT_UNITS).nullable(),
  count: z.number().int().nullable(),
  /** The next charge, or the next retry of a past due gift. In the organization's time zone. */
  nextChargeOn: day.nullable(),
  /** True if it ended because its card could not be charged. */
  endedUnpaid: z.boolean(),
});

export type RecurringGift = z.infer<typeof recurringGift>;

/** A recurring gift in the donor's My giving. */
export const ownRecurringGift = recurringGift.extend({
  orgid: orgId,
  orgName: z.string(),
  /** Key of its page. Everyone who has it can manage the gift. */
  giftkey: id,
});

export type OwnRecurringGift = z.infer<typeof ownRecurringGift>;

const byKey = z.strictObject({ orgid: orgId, giftkey: id });

export const recurringGiftCalls = {
  readGift: { params: byKey, answer: recurringGift },
  stopGift: { params: byKey, answer: recurringGift },
  /** The provider's page for another card, which returns to the gift's own page. */
  changeGiftCard: { params: byKey, answer: z.object({ url: z.string() }) },
  changeGift: {
    params: byKey,
    body: z.strictObject({
      /** Whole dollars per charge, without a covered card fee; unchanged if omitted. */
      amount: dollars.optional(),
      unit: z.enum(GIFT_UNITS),
      count: z.number().int(),
    }),
    answer: recurringGift,
  },
  pauseGift: { params: byKey, body: z.strictObject({ paused: z.boolean() }), answer: recurringGift },
  stopCheckoutGift: { params: z.strictObject({ orgid: orgId, checkoutid: checkoutId }), answer: recurringGift },
};
