import { z } from 'zod';
import { MAXIMUM_ITEMS } from '#domain/cart.ts';
import { PAYMENT_STATUSES } from '#domain/checkout.ts';
import { OFFSET_TYPES } from '#domain/emissions.ts';
import { sentenceOf } from '#domain/failures.ts';
import { NAME_MAXIMUM, SHOWN_AS } from '#domain/profile.ts';
import { id, time, typedText } from './shared.ts';
import { optionalProfileTexts, profile } from './stories.ts';

const inOrg = z.strictObject({ orgid: id });
const checkoutParams = z.strictObject({ orgid: id, checkoutid: id });

/** Above any price and any estimate that the card provider takes, and exact as a JavaScript number. */
const amount = z.number().min(0).max(1_000_000_000).multipleOf(0.0001);

/** An item as a browser sends it (§3). What can be computed, title and description, is computed again by the server. */
export const claimedItem = z.strictObject({
  title: z.string().max(200).optional(),
  description: z.string().max(500).optional(),
  type: z.enum(['donation', 'offset']),
  cost: amount,
  carbon: amount.optional(),
  offsetType: z.enum(OFFSET_TYPES).optional(),
  recurring: z.enum(['no', 'month', 'year']).optional(),
  recurringInterval: z.number().int().min(1).optional(),
  factorsVersion: z.string().max(40).optional(),
});

export const cartItem = z.object({
  title: z.string(),
  description: z.string(),
  type: z.enum(['donation', 'offset']),
  cost: z.number(),
  carbon: z.number(),
  offsetType: z.enum(OFFSET_TYPES).optional(),
  recurring: z.enum(['no', 'month', 'year']),
  recurringInterval: z.number().int().optional(),
  factorsVersion: z.string().optional(),
});

/** What anyone who holds a checkout's id may know of it, and nothing more (decisions §6). */
export const checkout = z.object({
  id,
  paymentStatus: z.enum(PAYMENT_STATUSES),
  completed: z.boolean(),
  over: z.boolean(),
  cart: z.array(cartItem),
  /** Dollars, 2 decimals. */
  total: z.number(),
  /** The hosted page, while it can still be paid there. */
  paymentURL: z.string().nullable(),
  /** The story, once there is one to be seen. */
  offsetterURL: z.string().nullable(),
  /** The story itself while it waits for an editor: its submitter may see the draft here (decisions §5). */
  draft: profile.nullable(),
  createdTimestamp: time,
});

export type Checkout = z.infer<typeof checkout>;

/** The text fields of the profile form; the photo is the multipart file `file` (§7). */
export const profileFields = z.strictObject({
  checkoutId: id.optional(),
  orgid: id.optional(),
  email: typedText(400).default(''),
  ...optionalProfileTexts.shape,
  shownAs: z.enum(SHOWN_AS).default('full'),
  /** The key of the receipt's link, which keeps a paid checkout open for 30 days. */
  receipt: id.optional(),
});

export type ProfileFields = z.infer<typeof profileFields>;

/** The offsetter that a submitted profile became; `_id` as §7 has it. */
export const submittedProfile = profile.extend({
  _id: id,
  shownAs: z.enum(SHOWN_AS),
  status: z.enum(['draft', 'published', 'hidden']),
});

export type SubmittedProfile = z.infer<typeof submittedProfile>;

export const checkoutCalls = {
  createCheckout: {
    params: inOrg,
    body: z.strictObject({
      cart: z.array(claimedItem).max(MAXIMUM_ITEMS, sentenceOf('cart-too-many-items', { most: MAXIMUM_ITEMS })),
    }),
    answer: z.object({ id, url: z.string() }),
  },
  readCheckout: { params: checkoutParams, query: z.strictObject({ receipt: id.optional() }), answer: checkout },
  submitProfile: { params: checkoutParams, form: profileFields, answer: submittedProfile },
  completeCheckout: { params: checkoutParams, answer: checkout },
  pledgeCheck: {
    params: inOrg,
    body: z.strictObject({
      name: typedText(NAME_MAXIMUM * 2),
      email: typedText(400),
      /** Whole dollars. */
      amount: z.number().int().min(1).max(999_999),
    }),
    answer: z.object({ id, amount: z.number() }),
  },
};
