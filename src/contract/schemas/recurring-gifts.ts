import { z } from 'zod';
import { GIFT_UNITS } from '#domain/cart.ts';
import { RECURRING_GIFT_GROUPS, RECURRING_GIFT_STATUSES } from '#domain/recurring-gift.ts';
import { checkoutId, day, dollars, id, orgId, page, time } from './shared.ts';

export const recurringGift = z
  .object({
    status: z.enum(RECURRING_GIFT_STATUSES),
    amount: dollars.nullable().describe('Dollars per charge, 2 decimals.'),
    coveredFee: dollars.describe('Part of the amount that covers the card fee.'),
    unit: z.enum(GIFT_UNITS).nullable(),
    count: z.number().int().nullable(),
    nextChargeOn: day
      .nullable()
      .describe("The next charge, or the next retry of a past due gift. In the organization's time zone."),
    endedUnpaid: z.boolean().describe('True if it ended because its card could not be charged.'),
  })
  .meta({
    id: 'RecurringGift',
    description: 'A recurring gift. Fields that the provider has not reported yet are null.',
  });

export type RecurringGift = z.infer<typeof recurringGift>;

export const userRecurringGift = recurringGift
  .extend({
    orgid: orgId,
    orgName: z.string(),
    giftkey: id.describe('Key of its page. Anyone with the key can manage the gift.'),
  })
  .meta({ id: 'OwnRecurringGift', description: "A recurring gift in the donor's My giving." });

export type UserRecurringGift = z.infer<typeof userRecurringGift>;

export const listedRecurringGift = recurringGift
  .extend({
    id: id.describe("The provider's id."),
    donorid: id.nullable().describe('Null until its first payment is recorded.'),
    name: z.string().nullable(),
    email: z.string().nullable(),
    checkoutid: checkoutId,
    monthly: dollars.nullable().describe('Average dollars per month, 2 decimals.'),
    startedOn: day,
    endedOn: day.nullable(),
    failures: z.number().int().describe('Failed charges since the last one that succeeded.'),
    lastFailedOn: day.nullable(),
    createdTimestamp: time,
  })
  .meta({ id: 'ListedRecurringGift', description: "A recurring gift in its organization's list." });

export type ListedRecurringGift = z.infer<typeof listedRecurringGift>;

const recurringSum = z.object({
  gifts: z.number().int(),
  monthly: dollars.describe('Average dollars per month, 2 decimals.'),
});

export const recurringSums = z
  .object({
    active: recurringSum,
    paused: recurringSum,
    failing: recurringSum,
    ended: recurringSum,
    lost: recurringSum.describe('Ended in the last 90 days because a card could not be charged.'),
  })
  .meta({ id: 'RecurringSums', description: 'Counts and monthly amounts of recurring gifts.' });

export type RecurringSums = z.infer<typeof recurringSums>;

const orgParams = z.strictObject({ orgid: orgId });
const giftKeyParams = z.strictObject({ orgid: orgId, giftkey: id });

export const recurringGiftCalls = {
  readRecurringGift: { summary: 'Read a recurring gift', params: giftKeyParams, response: recurringGift },
  stopRecurringGift: { summary: 'Stop a recurring gift', params: giftKeyParams, response: recurringGift },
  changeRecurringGiftCard: {
    summary: "Get the URL of the page for changing a recurring gift's card",
    description: "The provider's page for changing the card, which links back to the gift's page.",
    params: giftKeyParams,
    response: z.object({ url: z.string() }),
  },
  changeRecurringGift: {
    summary: "Change a recurring gift's amount or interval",
    params: giftKeyParams,
    body: z.strictObject({
      amount: dollars
        .optional()
        .describe('Whole dollars per charge, without a covered card fee; unchanged if omitted.'),
      unit: z.enum(GIFT_UNITS),
      count: z.number().int(),
    }),
    response: recurringGift,
  },
  pauseRecurringGift: {
    summary: 'Pause or resume a recurring gift',
    params: giftKeyParams,
    body: z.strictObject({ paused: z.boolean() }),
    response: recurringGift,
  },
  readRecurringGifts: {
    summary: 'List recurring gifts',
    params: orgParams,
    query: page.pick({ max: true, cursorRef: true }).extend({
      group: z
        .enum(RECURRING_GIFT_GROUPS)
        .optional()
        .describe('lost: ended in the last 90 days because its card failed.'),
    }),
    response: z.array(listedRecurringGift),
  },
  sumRecurringGifts: {
    summary: 'Count recurring gifts and add up their monthly amounts',
    params: orgParams,
    response: recurringSums,
  },
  stopRecurringGiftOfCheckout: {
    summary: "Stop a checkout's recurring gift",
    params: z.strictObject({ orgid: orgId, checkoutid: checkoutId }),
    response: recurringGift,
  },
};
