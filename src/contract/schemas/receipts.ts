import { z } from 'zod';
import { MEASURES } from '#domain/grant.ts';
import { checkoutId, cursorRef, day, dollars, id, orgId, pounds, printableText, time } from './shared.ts';
import { profile } from './stories.ts';

export const undeliveredReceipt = z
  .object({
    /** Id of its ledger entry. */
    id,
    number: z.number().int(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    postalAddress: z.string().nullable().describe("The donor's postal address, if known."),
    amount: dollars.describe('Dollars, 2 decimals.'),
    givenOn: day,
    reason: z
      .enum(['rejected', 'failed', 'no-address', 'pending'])
      .describe('rejected: permanently. failed: after the last attempt. pending: not sent for hours.'),
    code: z.string().nullable().describe("The mail server's response code, if any."),
    triedTimestamp: time,
  })
  .meta({ id: 'UndeliveredReceipt', description: "An undelivered receipt, for the organization's editors." });

export type UndeliveredReceipt = z.infer<typeof undeliveredReceipt>;

/** A home that a gift helped, for the gift's donor (DonorHomeView in the domain). */
export const homeForDonor = z.object({
  page: profile
    .pick({ id: true, name: true, photo: true, profileURL: true })
    .nullable()
    .describe('The household’s story.'),
  amount: dollars,
  pounds: pounds.nullable(),
  deliveredPounds: pounds.nullable(),
  measures: z.array(z.enum(MEASURES)),
  installer: z.string().nullable(),
  grant: dollars.nullable(),
  savings: z.object({ yearlyPounds: pounds, years: z.number().int() }).nullable(),
  work: z.object({ doneOn: day.nullable(), inspectedOn: day.nullable() }).nullable(),
});

/** A gift's allocation for its donor (DonorAllocation in the domain). Dollars with 2 decimals. */
const giftForDonor = z.object({
  paid: dollars,
  returned: dollars,
  fee: dollars,
  unallocatedDollars: dollars,
  isDisputed: z.boolean(),
  soldPounds: pounds,
  unallocatedPounds: pounds.nullable(),
  shortfallPounds: pounds.nullable(),
  isShortfallCovered: z
    .boolean()
    .nullable()
    .describe(
      "Null if the gift's homes save all pounds that it bought; otherwise, whether the fund's other homes save the rest.",
    ),
  homes: z.array(homeForDonor),
});

const giftHomes = z.object({
  place: z.string().describe("The fund's city; empty if not set."),
  checkoutid: checkoutId.nullable().describe('Null for a check.'),
  gift: giftForDonor.nullable().describe("Null for a gift that doesn't count in the totals."),
  allPayments: z
    .object({ payments: z.number().int(), gift: giftForDonor })
    .nullable()
    .describe('All payments of a recurring gift; null if there is only one.'),
});

export type HomeForDonor = z.infer<typeof homeForDonor>;

export type GiftHomes = z.infer<typeof giftHomes>;

const orgParams = z.strictObject({ orgid: orgId });
const entryParams = z.strictObject({ orgid: orgId, entryid: id });
const receiptNumber = z.number().int();

export const receiptCalls = {
  downloadReceipt: {
    summary: 'Download a receipt as a PDF',
    params: entryParams,
    response: z.string(),
    responseType: 'application/pdf',
  },
  openReceipt: {
    summary: 'Download a receipt with the key from its email',
    description: 'Opens a receipt without a login, using the key in its email.',
    params: orgParams,
    query: z.strictObject({ key: id }),
    response: z.string(),
    responseType: 'application/pdf',
  },
  openGiftHomes: {
    summary: 'Read which homes a gift helped, with the key from its receipt',
    description: 'Homes that the gift helped, using the same key.',
    params: orgParams,
    query: z.strictObject({ key: id }),
    response: giftHomes,
  },
  readUndelivered: {
    summary: 'List receipts that could not be emailed',
    params: orgParams,
    query: z.strictObject({ max: z.coerce.number().int().min(1).max(50).default(10), cursorRef }),
    response: z.array(undeliveredReceipt),
  },
  downloadUndelivered: {
    summary: 'Download the receipts that could not be emailed as one file to print',
    params: orgParams,
    response: z.string(),
    responseType: 'application/pdf',
  },
  sendReceipt: {
    summary: 'Email a receipt again',
    params: entryParams,
    response: z.object({ number: receiptNumber, email: z.string() }),
  },
  sendReceiptTo: {
    summary: 'Email a receipt to another address',
    params: entryParams,
    body: z.strictObject({ email: printableText(400) }),
    response: z.object({ number: receiptNumber, email: z.string() }),
  },
  markReceiptsMailed: {
    summary: 'Record that receipts were sent by postal mail',
    params: orgParams,
    body: z.strictObject({ entryids: z.array(id).min(1).max(1000) }),
    response: z.object({}),
  },
} as const;
