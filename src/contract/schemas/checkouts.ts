import { z } from 'zod';
import { MAXIMUM_ITEMS } from '#domain/cart.ts';
import { PAYMENT_STATUSES } from '#domain/checkout.ts';
import { OFFSET_TYPES } from '#domain/emissions.ts';
import type { FailureCode } from '#domain/failures.ts';
import { NAME_MAXIMUM, SHOWN_AS } from '#domain/profile.ts';
import { CARD_STATUSES, TRIBUTE_KINDS } from '#domain/tribute.ts';
import { id, time, typedText } from './shared.ts';
import { optionalProfileTexts, profile, showsHomes, showsPounds } from './stories.ts';

const inOrg = z.strictObject({ orgid: id });
const checkoutParams = z.strictObject({ orgid: id, checkoutid: id });

/** Longer than any text of a tribute may be. */
const TYPED_MAXIMUM = 5000;

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

export const tribute = z.object({ kind: z.enum(TRIBUTE_KINDS), name: z.string() });

/** With what became of its card, for the donor. */
export const donorsTribute = tribute.extend({
  card: z.object({ email: z.string(), status: z.enum(CARD_STATUSES) }).nullable(),
});

export type DonorsTribute = z.infer<typeof donorsTribute>;

/** What anyone who holds a checkout's id may know of it, and nothing more (decisions §6). */
export const checkout = z.object({
  id,
  paymentStatus: z.enum(PAYMENT_STATUSES),
  completed: z.boolean(),
  over: z.boolean(),
  /** True while the checkout is open but its profile already exists: its page then makes the complete call (§4). */
  needsCompletion: z.boolean(),
  cart: z.array(cartItem),
  /** Dollars, 2 decimals: the items, and what was added to cover the card fee. */
  total: z.number(),
  coveredFee: z.number(),
  /** The hosted page, while it can still be paid there. */
  paymentURL: z.string().nullable(),
  /** The story, once there is one to be seen. */
  offsetterURL: z.string().nullable(),
  /** The story itself while it waits for an editor: its submitter may see the draft here (decisions §5). */
  draft: profile.nullable(),
  /** Set where a part of the gift was refunded, or is on its way back. */
  partlyReturned: z.literal(true).optional(),
  /** For its payer alone: signed in, or with the link of the receipt. */
  tribute: donorsTribute.optional(),
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
  showsPounds,
  showsHomes,
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

/** In whose honor or memory a checkout is, as typed: the server says what is wrong with it. */
const typedTribute = z.strictObject({
  kind: z.enum(TRIBUTE_KINDS),
  name: z.string().max(TYPED_MAXIMUM),
  /** A card by mail to the honored person, or to the family. */
  card: z
    .strictObject({
      email: z.string().max(TYPED_MAXIMUM),
      /** The reader's. */
      name: z.string().max(TYPED_MAXIMUM).optional(),
      message: z.string().max(TYPED_MAXIMUM).optional(),
      /** What the donor wants to be called; without one the donor stays anonymous. */
      signed: z.string().max(TYPED_MAXIMUM).optional(),
    })
    .optional(),
});

export const checkoutCalls = {
  createCheckout: {
    params: inOrg,
    body: z.strictObject({
      cart: z.array(claimedItem).max(MAXIMUM_ITEMS, 'cart-too-many-items' satisfies FailureCode),
      tribute: typedTribute.optional(),
      /** Whether the usual card fee is added to each payment, so that all of the gift arrives. */
      coversFee: z.boolean().default(false),
      /** Dollars, with the fee, as the donor was told. Another total is refused. */
      total: z.number().max(1_000_000).multipleOf(0.01).optional(),
      /** What Turnstile gave the visitor after the answer challenge-needed. */
      challenge: z.string().max(2048).optional(),
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
