import { z } from 'zod';
import { PAYMENT_STATUSES } from '#domain/checkout.ts';
import { ROLES } from '#domain/permissions.ts';
import { MAX_EMAIL_LENGTH, SHOWN_AS, STORY_STATUSES } from '#domain/profile.ts';
import { cartItem, tributeForDonor } from './checkouts.ts';
import { homeForDonor } from './receipts.ts';
import { userRecurringGift } from './recurring-gifts.ts';
import { checkoutId, day, dollars, id, orgId, page, pounds, printableText, time, userId } from './shared.ts';

export const authorization = z
  .object({
    id,
    email: z.string(),
    emailVerified: z.boolean(),
    displayName: z.string(),
    admin: z.boolean(),
    roles: z.record(id, z.enum(ROLES)).describe("The caller's role in each organization, by its id."),
  })
  .meta({ id: 'Authorization', description: "The caller's identity and permissions." });

export type Authorization = z.infer<typeof authorization>;

export const user = z
  .object({
    id,
    email: z.string(),
    displayName: z.string(),
    photoURL: z.string().nullable(),
    admin: z.boolean(),
    emailVerified: z.boolean(),
    isAnonymous: z.boolean(),
    providerData: z
      .array(z.object({ providerId: z.string() }))
      .describe('Login methods that the user has used: password, google.'),
    secondFactors: z
      .array(z.enum(['passkey', 'authenticator']))
      .describe('Second factors that the user can use at login.'),
    secondFactorRemovalTimestamp: time
      .nullable()
      .describe("When an admin's removal of them takes effect. A login with a second factor cancels it."),
    createdTimestamp: time,
  })
  .meta({ id: 'User', description: 'A user, for that user or an admin.' });

export type User = z.infer<typeof user>;

const listedUser = user
  .extend({ roles: z.array(z.object({ orgid: orgId, orgName: z.string(), role: z.enum(ROLES) })) })
  .meta({ id: 'ListedUser', description: "A user in the admins' list, with their roles in organizations." });

export type ListedUser = z.infer<typeof listedUser>;

export const gift = z
  .object({
    orgid: orgId,
    orgName: z.string(),
    typicalGrant: dollars.nullable().describe("Dollars of the organization's typical grant, if it has set one."),
    checkoutid: checkoutId.nullable(),
    amount: dollars.describe('Dollars, 2 decimals.'),
    coveredFee: dollars.describe('Part of the amount that covers the card fee.'),
    carbon: pounds.describe('Pounds, excluding returned ones.'),
    returned: dollars.describe('Dollars, 2 decimals: returned to the donor, or being returned.'),
    pendingReturn: dollars.describe('The part of `returned` that is still being returned.'),
    notes: z
      .array(z.object({ date: day, text: z.string() }))
      .describe('Later events, such as a refund, as listed on the receipt.'),
    cart: z.array(cartItem),
    recurring: z.boolean(),
    tribute: tributeForDonor.nullable().describe('The tribute; only the first payment includes its card.'),
    paymentStatus: z.enum(PAYMENT_STATUSES),
    receiptNumber: z.number().int().nullable(),
    receiptURL: z.string().nullable().describe('The receipt as a PDF.'),
    receiptkey: id.nullable().describe("Opens the receipt's pages without a login."),
    checkoutURL: z.string().nullable().describe('URL of the checkout page, while it accepts a story.'),
    createdTimestamp: time,
    givenOn: day.describe("Day in the organization's time zone."),
  })
  .meta({ id: 'Gift' });

export type Gift = z.infer<typeof gift>;

export const userOffsetter = z
  .object({
    id,
    orgid: orgId,
    orgName: z.string(),
    name: z.string(),
    story: z.string(),
    photoURL: z.string().nullable(),
    shownAs: z.enum(SHOWN_AS),
    status: z.enum(STORY_STATUSES),
    profileURL: z.string(),
    editURL: z.string(),
  })
  .meta({ id: 'OwnOffsetter' });

export type UserOffsetter = z.infer<typeof userOffsetter>;

export const givingYear = z
  .object({
    year: z.string(),
    gifts: z.number().int(),
    amount: dollars.describe('Dollars, 2 decimals.'),
    returned: dollars.describe('Dollars, 2 decimals: refunded or disputed.'),
    pendingReturn: dollars.describe('Part of returned that is still being refunded or in an open dispute.'),
  })
  .meta({ id: 'GivingYear', description: "A user's gifts in a tax year, according to the receipts." });

export type GivingYear = z.infer<typeof givingYear>;

const unclaimedGifts = z
  .object({
    donorid: id,
    orgid: orgId,
    orgName: z.string(),
    gifts: z.number().int(),
    lastGiftOn: day,
  })
  .meta({
    id: 'UnclaimedGifts',
    description: "Gifts whose email address an organization's team corrected to the user's.",
  });

export type UnclaimedGifts = z.infer<typeof unclaimedGifts>;

export const giving = z
  .object({
    gifts: z.array(gift),
    homes: z.array(homeForDonor).describe('Homes that got money from the gifts, most money first.'),
    recurring: z.array(userRecurringGift),
    offsetters: z.array(userOffsetter),
    claims: z.array(userOffsetter).describe("Stories submitted with the user's email address while logged out."),
    giftClaims: z.array(unclaimedGifts).describe('Gifts that the user has not confirmed yet.'),
    years: z.array(givingYear).describe('Newest first.'),
  })
  .meta({ id: 'Giving' });

export type Giving = z.infer<typeof giving>;

const userParams = z.strictObject({ userid: userId });
const emptyResponse = z.object({});

export const userCalls = {
  authorize: {
    summary: 'Read who the caller is and which organizations they edit',
    response: authorization.extend({
      inactivePermissions: z
        .object({ admin: z.boolean(), orgs: z.array(id) })
        .optional()
        .describe('Permissions that require a second factor: admin, and the roles in these organizations.'),
    }),
  },
  readUser: { summary: 'Read a user', params: userParams, response: user },
  refreshClaims: { summary: "Update the caller's roles for the next identity token", response: authorization },
  searchUsers: {
    summary: 'Search users',
    query: page.extend({ query: printableText(MAX_EMAIL_LENGTH).optional() }),
    response: z.array(listedUser),
  },
  setAdmin: {
    summary: 'Grant or revoke the admin role',
    params: userParams,
    body: z.strictObject({ admin: z.boolean() }),
    response: user,
  },
  removeSecondFactors: {
    summary: "Remove a user's second factors",
    description: 'Takes effect a day later.',
    params: userParams,
    response: user,
  },
  readGiving: { summary: "Read a user's gifts in all organizations", params: userParams, response: giving },
  downloadStatement: {
    summary: "Download a user's yearly giving statement",
    params: z.strictObject({ userid: userId, year: id }),
    response: z.string(),
    responseType: 'application/pdf',
  },
  downloadUser: {
    summary: 'Download everything stored about a user',
    params: userParams,
    response: z.looseObject({}),
  },
  deleteUser: { summary: "Delete a user's account", params: userParams, response: emptyResponse },
} as const;
