import { z } from 'zod';
import { MAX_CART_ITEMS, RECURRENCES } from '#domain/cart.ts';
import { PAYMENT_STATUSES } from '#domain/checkout.ts';
import { OFFSET_TYPES } from '#domain/emissions.ts';
import type { FailureCode } from '#domain/failures.ts';
import type { Dollars, Pounds } from '#domain/money.ts';
import { MAX_NAME_LENGTH, SHOWN_AS, STORY_STATUSES } from '#domain/profile.ts';
import { CARD_STATUSES, TRIBUTE_KINDS } from '#domain/tribute.ts';
import { checkoutId, day, dollars, id, orgId, pounds, printableText, time } from './shared.ts';
import { optionalProfileTexts, profile, showsHomes, showsPounds } from './stories.ts';

const orgParams = z.strictObject({ orgid: orgId });
const checkoutParams = z.strictObject({ orgid: orgId, checkoutid: checkoutId });

/** Longer than any valid text in a tribute. */
const MAX_TEXT_INPUT_LENGTH = 5000;

/** The maximum is above any price that the card provider accepts, and exact as a JavaScript number. */
const amount = z.number().min(0).max(1_000_000_000).multipleOf(0.0001);
const submittedCost: z.ZodType<Dollars, number> = amount;
const submittedCarbon: z.ZodType<Pounds, number> = amount;

export const submittedItem = z
  .strictObject({
    title: z.string().max(200).optional(),
    description: z.string().max(500).optional(),
    type: z.enum(['donation', 'offset']),
    cost: submittedCost,
    carbon: submittedCarbon.optional(),
    offsetType: z.enum(OFFSET_TYPES).optional(),
    recurring: z.enum(RECURRENCES).optional(),
    recurringInterval: z.number().int().min(1).optional(),
    factorsVersion: z.string().max(40).optional(),
  })
  .meta({
    id: 'SubmittedItem',
    description: "An item in a browser's request. The server recomputes the title and description.",
  });

export const cartItem = z
  .object({
    title: z.string(),
    description: z.string(),
    type: z.enum(['donation', 'offset']),
    cost: dollars,
    carbon: pounds,
    offsetType: z.enum(OFFSET_TYPES).optional(),
    recurring: z.enum(RECURRENCES),
    recurringInterval: z.number().int().optional(),
    factorsVersion: z.string().optional(),
  })
  .meta({ id: 'CartItem' });

export const tribute = z.object({ kind: z.enum(TRIBUTE_KINDS), name: z.string() }).meta({ id: 'Tribute' });

export const tributeForDonor = tribute
  .extend({
    card: z.object({ email: z.string(), status: z.enum(CARD_STATUSES) }).nullable(),
  })
  .meta({ id: 'TributeForDonor', description: 'A tribute with the status of its card, for the donor.' });

export type TributeForDonor = z.infer<typeof tributeForDonor>;

const checkoutDonor = z
  .object({
    name: z.string().nullable(),
    maskedEmail: z.string().nullable().describe('Such as "j***@visitor.example".'),
    receiptNumber: z.number().int().nullable(),
    receiptURL: z.string().nullable().describe('The receipt as a PDF.'),
    nextChargeOn: day.nullable().describe('The next charge of a recurring gift.'),
  })
  .meta({
    id: 'CheckoutDonor',
    description: 'Details of a paid checkout, for its donor only: logged in, or in the browser that opened it.',
  });

export const checkout = z
  .object({
    id,
    paymentStatus: z.enum(PAYMENT_STATUSES),
    completed: z.boolean(),
    isOver: z.boolean(),
    needsCompletion: z
      .boolean()
      .describe(
        'True if the checkout is open but its profile already exists. The checkout page then calls completeCheckout.',
      ),
    cart: z.array(cartItem),
    total: dollars.describe('Dollars, 2 decimals: the items and the covered card fee.'),
    coveredFee: dollars,
    paymentURL: z.string().nullable().describe('URL of the hosted page while it accepts a payment.'),
    offsetterURL: z.string().nullable().describe('URL of the story, once it is visible.'),
    draft: profile.nullable().describe('The story while it is in review; only for the person who submitted it.'),
    isPartlyReturned: z.literal(true).optional().describe('Set if part of the gift was or is being refunded.'),
    tribute: tributeForDonor.optional().describe('Only for its donor, or with the receipt’s link.'),
    donor: checkoutDonor.optional(),
    createdTimestamp: time,
  })
  .meta({ id: 'Checkout', description: "The fields that anyone with a checkout's id may read." });

export type Checkout = z.infer<typeof checkout>;

export const profileFields = z
  .strictObject({
    checkoutId: checkoutId.optional(),
    orgid: orgId.optional(),
    email: printableText(400).default(''),
    ...optionalProfileTexts.shape,
    shownAs: z.enum(SHOWN_AS).default('full'),
    showsPounds,
    showsHomes,
    receipt: id.optional().describe("Key of the receipt's link, which keeps a paid checkout open for 30 days."),
  })
  .meta({
    id: 'ProfileFields',
    description: 'The text fields of the profile form; the photo is the multipart file `file`.',
  });

export type ProfileFields = z.infer<typeof profileFields>;

export const submittedProfile = profile
  .extend({
    _id: id,
    shownAs: z.enum(SHOWN_AS),
    status: z.enum(STORY_STATUSES),
  })
  .meta({ id: 'SubmittedProfile', description: 'The offsetter created from a submitted profile. §7 requires `_id`.' });

export type SubmittedProfile = z.infer<typeof submittedProfile>;

/** A tribute as submitted. The use case validates it. */
const tributeInput = z.strictObject({
  kind: z.enum(TRIBUTE_KINDS),
  name: z.string().max(MAX_TEXT_INPUT_LENGTH),
  card: z
    .strictObject({
      email: z.string().max(MAX_TEXT_INPUT_LENGTH),
      name: z.string().max(MAX_TEXT_INPUT_LENGTH).optional().describe("The recipient's name."),
      message: z.string().max(MAX_TEXT_INPUT_LENGTH).optional(),
      signature: z
        .string()
        .max(MAX_TEXT_INPUT_LENGTH)
        .optional()
        .describe("The donor's signature; anonymous if omitted."),
    })
    .optional()
    .describe('An email card for the honored person or the family.'),
});

export const checkoutCalls = {
  createCheckout: {
    summary: 'Open a checkout and get the URL of its payment page',
    params: orgParams,
    body: z.strictObject({
      cart: z.array(submittedItem).max(MAX_CART_ITEMS, 'cart-too-many-items' satisfies FailureCode),
      tribute: tributeInput.optional(),
      coversFee: z
        .boolean()
        .default(false)
        .describe('Adds the usual card fee to each payment, so that the fund receives the whole gift.'),
      total: z
        .number()
        .max(1_000_000)
        .multipleOf(0.01)
        .optional()
        .describe('Dollars with the fee, as shown to the donor. A total that differs from the cart is rejected.'),
      challenge: z.string().max(2048).optional().describe("Turnstile's token, after a challenge-needed response."),
    }),
    response: z.object({ id, url: z.string() }),
  },
  readCheckout: {
    summary: 'Read a checkout',
    params: checkoutParams,
    query: z.strictObject({ receipt: id.optional() }),
    response: checkout,
  },
  openCheckoutReceipt: {
    summary: "Download a gift's receipt in the browser that opened its checkout",
    params: checkoutParams,
    response: z.string(),
    responseType: 'application/pdf' as const,
  },
  submitProfile: {
    summary: "Submit a paid checkout's profile and photo",
    params: checkoutParams,
    form: profileFields,
    response: submittedProfile,
  },
  completeCheckout: {
    summary: 'Complete a paid checkout that needs no new profile',
    params: checkoutParams,
    response: checkout,
  },
  pledgeCheck: {
    summary: 'Pledge a check',
    params: orgParams,
    body: z.strictObject({
      name: printableText(MAX_NAME_LENGTH * 2),
      email: printableText(400),
      amount: z.number().int().min(1).max(999_999).describe('Whole dollars.'),
    }),
    response: z.object({ id, amount: dollars }),
  },
};
