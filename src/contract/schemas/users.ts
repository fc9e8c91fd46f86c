import { z } from 'zod';
import { PAYMENT_STATUSES } from '#domain/checkout.ts';
import { ROLES } from '#domain/permissions.ts';
import { EMAIL_MAXIMUM, SHOWN_AS } from '#domain/profile.ts';
import { cartItem, donorsTribute } from './checkouts.ts';
import { ownRecurringGift } from './recurring-gifts.ts';
import { checkoutId, day, dollars, id, orgId, page, pounds, time, typedText, userId } from './shared.ts';

/** The caller's identity and permissions (decisions §4). */
export const authorization = z.object({
  id,
  email: z.string(),
  emailVerified: z.boolean(),
  displayName: z.string(),
  admin: z.boolean(),
  /** The caller's role in each organization, by its id. */
  roles: z.record(id, z.enum(ROLES)),
});

export type Authorization = z.infer<typeof authorization>;

/** A user, for that user or an admin (§3, §7). */
export const user = z.object({
  id,
  email: z.string(),
  displayName: z.string(),
  photoURL: z.string().nullable(),
  admin: z.boolean(),
  emailVerified: z.boolean(),
  isAnonymous: z.boolean(),
  /** Ways of logging in that the user has used: password, google. */
  providerData: z.array(z.object({ providerId: z.string() })),
  /** Second factors that the user can show at a login. */
  secondFactors: z.array(z.enum(['passkey', 'authenticator'])),
  /** When an admin's removal of them takes effect. A login with one of them cancels it. */
  secondFactorsEndTimestamp: time.nullable(),
  createdTimestamp: time,
});

export type User = z.infer<typeof user>;

export const gift = z.object({
  orgid: orgId,
  orgName: z.string(),
  /** Dollars of the organization's typical grant, if it has set one. */
  typicalGrant: dollars.nullable(),
  checkoutid: checkoutId.nullable(),
  /** Dollars, 2 decimals. */
  amount: dollars,
  /** Part of the amount that covers the card fee. */
  coveredFee: dollars,
  /** Pounds, without returned ones. */
  carbon: pounds,
  /** Dollars, 2 decimals: returned to the donor, or on the way there. */
  returned: dollars,
  returning: dollars,
  /** Later events, as listed on the receipt. */
  notes: z.array(z.object({ on: day, text: z.string() })),
  cart: z.array(cartItem),
  recurring: z.boolean(),
  /** The tribute; only the first payment includes its card. */
  tribute: donorsTribute.nullable(),
  paymentStatus: z.enum(PAYMENT_STATUSES),
  receiptNumber: z.number().int().nullable(),
  /** The receipt as a PDF. */
  receiptURL: z.string().nullable(),
  /** Opens the receipt's pages without a login. */
  receiptkey: id.nullable(),
  /** URL of the checkout page, while it accepts a story. */
  checkoutURL: z.string().nullable(),
  createdTimestamp: time,
  /** Day in the organization's time zone. */
  givenOn: day,
});

export type Gift = z.infer<typeof gift>;

export const ownOffsetter = z.object({
  id,
  orgid: orgId,
  orgName: z.string(),
  name: z.string(),
  story: z.string(),
  photoURL: z.string().nullable(),
  shownAs: z.enum(SHOWN_AS),
  status: z.enum(['draft', 'published', 'hidden']),
  profileURL: z.string(),
  editURL: z.string(),
});

export type OwnOffsetter = z.infer<typeof ownOffsetter>;

/** A user's gifts in a tax year, according to the receipts. */
export const givingYear = z.object({
  year: z.string(),
  gifts: z.number().int(),
  /** Dollars, 2 decimals. */
  amount: dollars,
  /** Dollars, 2 decimals: refunded or disputed. */
  returned: dollars,
});

export type GivingYear = z.infer<typeof givingYear>;

export const giving = z.object({
  gifts: z.array(gift),
  recurring: z.array(ownRecurringGift),
  offsetters: z.array(ownOffsetter),
  /** Stories that were sent with the user's address while logged out. */
  claims: z.array(ownOffsetter),
  /** Newest first. */
  years: z.array(givingYear),
});

export type Giving = z.infer<typeof giving>;

const userParams = z.strictObject({ userid: userId });
const emptyResponse = z.object({});

export const userCalls = {
  authorize: {
    answer: authorization.extend({
      /** Permissions that need a second factor first: admin, and the roles in these organizations. */
      inert: z.object({ admin: z.boolean(), orgs: z.array(id) }).optional(),
    }),
  },
  readUser: { params: userParams, answer: user },
  refreshClaims: { answer: authorization },
  searchUsers: { query: page.extend({ query: typedText(EMAIL_MAXIMUM).optional() }), answer: z.array(user) },
  setAdmin: { params: userParams, body: z.strictObject({ admin: z.boolean() }), answer: user },
  /** Takes effect a day later. */
  removeSecondFactors: { params: userParams, answer: user },
  readGiving: { params: userParams, answer: giving },
  downloadStatement: {
    params: z.strictObject({ userid: userId, year: id }),
    answer: z.string(),
    answerType: 'application/pdf',
  },
  /** All stored data of a user, as a file. */
  downloadUser: { params: userParams, answer: z.looseObject({}) },
  deleteUser: { params: userParams, answer: emptyResponse },
} as const;
