import { z } from 'zod';
import { LEDGER_KINDS, MAX_REASON_LENGTH } from '#domain/books.ts';
import { MAX_QUERY_LENGTH } from '#domain/checkout-search.ts';
import { DONOR_SORTS, MAX_COUNTED_ROWS, MAX_POSTAL_ADDRESS_LENGTH } from '#domain/donor.ts';
import { activity } from './activity.ts';
import { recurringGift } from './recurring-gifts.ts';
import { checkoutId, cursorRef, day, dollars, id, orgId, printableText } from './shared.ts';
import { teamNote } from './team-notes.ts';
import { givingYear } from './users.ts';

export const donor = z
  .object({
    id,
    name: z.string().nullable(),
    email: z.string().nullable().describe('Address for receipts and statements.'),
    hasAccount: z.boolean(),
    gifts: z.number().int(),
    firstGiftOn: day,
    lastGiftOn: day,
    thisYear: dollars.describe('Gifts of this year minus their returns; dollars with 2 decimals.'),
    lifetime: dollars.describe('All gifts minus their returns; dollars with 2 decimals.'),
    recurring: z.array(recurringGift).describe('Recurring gifts that have not ended.'),
  })
  .meta({ id: 'Donor', description: 'A person or household with gifts to an organization.' });

export type Donor = z.infer<typeof donor>;

const donorName = donor.pick({ id: true, name: true, email: true });
export type DonorName = z.infer<typeof donorName>;

export const donorRecord = donor
  .extend({
    giftEmail: z
      .string()
      .nullable()
      .describe('Email address of the account or the gifts. Only this address receives links to manage gifts.'),
    postalAddress: z.string().nullable(),
    years: z.array(givingYear).describe('Years with a statement, newest first.'),
    mergedDonors: z
      .array(donorName.extend({ postalAddress: z.string().nullable() }))
      .describe('Donors whose gifts count for this donor.'),
    notes: z.array(teamNote).describe('Oldest first.'),
    corrections: z.array(activity).describe('Corrections and merges, newest first.'),
  })
  .meta({ id: 'DonorRecord', description: 'A donor with all details.' });

export type DonorRecord = z.infer<typeof donorRecord>;

export const donorGift = z
  .object({
    id: id.describe('Id of its ledger entry.'),
    kind: z.enum(LEDGER_KINDS),
    givenOn: day,
    amount: dollars.describe('Dollars, 2 decimals.'),
    returned: dollars.describe('Refunded, lost in a dispute, or bounced.'),
    checkoutid: checkoutId.nullable(),
    pledgeid: id.nullable().describe('Id of the check.'),
    checkNumber: z.string().nullable(),
    receiptNumber: z.number().int().nullable(),
  })
  .meta({ id: 'DonorGift', description: "A donor's gift." });

export type DonorGift = z.infer<typeof donorGift>;

const donorSums = z.object({
  donors: z.number().int().describe(`At most ${MAX_COUNTED_ROWS}.`),
  hasMore: z.boolean().describe('True if there are more.'),
  lifetime: dollars.describe('Sum of the counted donors’ gifts; dollars with 2 decimals.'),
});

export type DonorSums = z.infer<typeof donorSums>;

const orgParams = z.strictObject({ orgid: orgId });
const donorParams = z.strictObject({ orgid: orgId, donorid: id });
const reason = printableText(MAX_REASON_LENGTH * 4);
const emptyResponse = z.object({});
const query = printableText(MAX_QUERY_LENGTH).default('').describe('Part of a name or address.');
const max = z.coerce.number().int().min(1).max(50).default(20);

export const donorCalls = {
  readDonors: {
    summary: 'List donors',
    params: orgParams,
    query: z.strictObject({ query, sort: z.enum(DONOR_SORTS).default('last-gift'), max, cursorRef }),
    response: z.array(donor),
  },
  sumDonors: {
    summary: 'Count donors and add up their gifts',
    params: orgParams,
    query: z.strictObject({ query }),
    response: donorSums,
  },
  countHomes: {
    summary: 'Count the homes that donors helped',
    params: orgParams,
    body: z.strictObject({ ids: z.array(id).min(1).max(50) }),
    response: z.array(z.object({ id, homes: z.number().int() })),
  },
  readDonor: { summary: 'Read a donor', params: donorParams, response: donorRecord },
  readDonorGifts: {
    summary: "List a donor's gifts, newest first",
    params: donorParams,
    query: z.strictObject({ max, cursorRef }),
    response: z.array(donorGift),
  },
  correctDonor: {
    summary: "Correct a donor's email and postal address",
    description: 'Receipts and statements go to the corrected address, without links that act for the donor.',
    params: donorParams,
    body: z.strictObject({
      email: printableText(400).describe('If empty, the address from the gifts is used.'),
      postalAddress: printableText(MAX_POSTAL_ADDRESS_LENGTH * 4),
      reason,
    }),
    response: emptyResponse,
  },
  claimGifts: {
    summary: "Confirm or deny that a donor's gifts are the caller's",
    description: 'For the owner of a corrected address. Confirmed gifts appear in My giving.',
    params: donorParams,
    body: z.strictObject({ mine: z.boolean() }),
    response: emptyResponse,
  },
  mergeDonor: {
    summary: 'Merge a donor with another',
    description: 'The other donor’s gifts then count for this donor.',
    params: donorParams,
    body: z.strictObject({ otherid: id, reason }),
    response: emptyResponse,
  },
  separateDonor: {
    summary: 'Separate a donor who was merged with another',
    params: donorParams,
    body: z.strictObject({ reason }),
    response: emptyResponse,
  },
  downloadDonors: {
    summary: 'Download all donors as CSV',
    params: orgParams,
    response: z.string(),
    responseType: 'text/csv',
  },
  downloadDonorStatement: {
    summary: "Download a donor's yearly statement",
    params: z.strictObject({ orgid: orgId, donorid: id, year: id }),
    response: z.string(),
    responseType: 'application/pdf',
  },
  downloadDonorStatements: {
    summary: 'Download the yearly statements of all donors as one file to print',
    params: orgParams,
    query: z.strictObject({
      year: z.string().regex(/^\d{4}$/),
      recipients: z
        .enum(['everyone', 'without-email'])
        .default('everyone')
        .describe('without-email: donors without an email address.'),
    }),
    response: z.string(),
    responseType: 'application/pdf',
  },
} as const;
