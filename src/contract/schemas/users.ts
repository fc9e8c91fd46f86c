import { z } from 'zod';
import { PAYMENT_STATUSES } from '#domain/checkout.ts';
import { ROLES } from '#domain/permissions.ts';
import { EMAIL_MAXIMUM, SHOWN_AS } from '#domain/profile.ts';
import { cartItem, donorsTribute } from './checkouts.ts';
import { ownRecurringGift } from './recurring-gifts.ts';
import { day, id, page, time, typedText } from './shared.ts';

/** Who the caller is, and may do (decisions §4). */
export const authorization = z.object({
  id,
  email: z.string(),
  emailVerified: z.boolean(),
  displayName: z.string(),
  admin: z.boolean(),
  /** The role in each organization edited, by its id. */
  roles: z.record(id, z.enum(ROLES)),
});

export type Authorization = z.infer<typeof authorization>;

/** A user, as that user or an admin sees it (§3, §7). */
export const user = z.object({
  id,
  email: z.string(),
  displayName: z.string(),
  photoURL: z.string().nullable(),
  admin: z.boolean(),
  emailVerified: z.boolean(),
  isAnonymous: z.boolean(),
  /** The ways of logging in that the user has used: password, google. */
  providerData: z.array(z.object({ providerId: z.string() })),
  /** What the user can show as the second step of a login. */
  secondFactors: z.array(z.enum(['passkey', 'authenticator'])),
  /** When they end because an admin removes them; a login with one of them calls that off. */
  secondFactorsEndTimestamp: time.nullable(),
  createdTimestamp: time,
});

export type User = z.infer<typeof user>;

export const gift = z.object({
  orgid: id,
  orgName: z.string(),
  /** Dollars that a typical grant of the organization pays, if it says so. */
  typicalGrant: z.number().nullable(),
  checkoutid: id.nullable(),
  /** Dollars, 2 decimals. */
  amount: z.number(),
  /** Of the amount: what was added to cover the card fee. */
  coveredFee: z.number(),
  /** Pounds, without those of what went back. */
  carbon: z.number(),
  /** Dollars, 2 decimals: what went back to the donor, and what is on its way there. */
  returned: z.number(),
  returning: z.number(),
  /** What became of it since, as its receipt says. */
  notes: z.array(z.object({ on: day, text: z.string() })),
  cart: z.array(cartItem),
  recurring: z.boolean(),
  /** With its card at the first payment alone. */
  tribute: donorsTribute.nullable(),
  paymentStatus: z.enum(PAYMENT_STATUSES),
  receiptNumber: z.number().int().nullable(),
  /** The receipt as a PDF. */
  receiptURL: z.string().nullable(),
  /** Opens what belongs to the receipt, without a login. */
  receiptkey: id.nullable(),
  /** The checkout page, while a story can be submitted there. */
  checkoutURL: z.string().nullable(),
  createdTimestamp: time,
  /** Its day in the time zone of the organization. */
  givenOn: day,
});

export type Gift = z.infer<typeof gift>;

export const ownOffsetter = z.object({
  id,
  orgid: id,
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

/** What a user gave in a tax year, by the receipts. */
export const givingYear = z.object({
  year: z.string(),
  gifts: z.number().int(),
  /** Dollars, 2 decimals. */
  amount: z.number(),
  /** Dollars, 2 decimals: refunded, or disputed. */
  returned: z.number(),
});

export type GivingYear = z.infer<typeof givingYear>;

export const giving = z.object({
  gifts: z.array(gift),
  recurring: z.array(ownRecurringGift),
  offsetters: z.array(ownOffsetter),
  /** Stories that somebody sent with the user's address while logged out. */
  claims: z.array(ownOffsetter),
  /** The newest first. */
  years: z.array(givingYear),
});

export type Giving = z.infer<typeof giving>;

const userParams = z.strictObject({ userid: id });
const said = z.object({});

export const userCalls = {
  authorize: {
    answer: authorization.extend({
      /** What has no effect before a second factor is shown: being an admin, and the roles in these organizations. */
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
    params: z.strictObject({ userid: id, year: id }),
    answer: z.string(),
    answerType: 'application/pdf',
  },
  /** All stored data of a user, as a file. */
  downloadUser: { params: userParams, answer: z.looseObject({}) },
  deleteUser: { params: userParams, answer: said },
} as const;
