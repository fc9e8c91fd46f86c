import { z } from 'zod';
import { GIFT_ENTRIES, LEDGER_KINDS } from '#domain/books.ts';
import { PERIODS, STEPS } from '#domain/overview.ts';
import { day, dollars, id, orgId, pounds, time } from './shared.ts';

const orgParams = z.strictObject({ orgid: orgId });

/** Gifts of one kind; returned money is negative. */
const kindSums = z.object({
  amount: dollars.describe('Dollars, 2 decimals.'),
  carbon: pounds.describe('Pounds.'),
  entries: z.number().int(),
});

export const overview = z
  .object({
    step: z.enum(STEPS),
    columns: z
      .array(z.object({ start: day, kinds: z.partialRecord(z.enum(LEDGER_KINDS), kindSums) }))
      .describe('Chart columns with their first day, oldest first. Kinds without entries are omitted.'),
    recentGifts: z
      .array(
        z.object({
          entryid: id,
          kind: z.enum(GIFT_ENTRIES),
          giftid: id.nullable().describe('Id of the checkout or check; null once it is deleted.'),
          name: z.string().nullable(),
          amount: dollars,
          bookedTimestamp: time,
        }),
      )
      .describe('The last ten gifts, newest first.'),
    month: z
      .object({ amount: dollars, lastYear: dollars })
      .describe('Gifts minus returns: this month so far, and the same days a year ago.'),
    year: dollars.describe('Gifts minus returns: this year so far.'),
    disputes: z
      .array(
        z.object({
          giftid: id,
          name: z.string().nullable(),
          amount: dollars,
          dueTimestamp: time.nullable().describe('When evidence is due at the provider.'),
        }),
      )
      .describe('Open disputes by deadline, at most five.'),
    pendingCounts: z.object({
      processing: z.number().int(),
      failed: z.number().int().describe('In the last 30 days.'),
      disputed: z.number().int(),
      pledges: z.number().int(),
      pledgedDollars: dollars.describe('Dollars, 2 decimals.'),
      suspiciousPledges: z.number().int().describe('Not included in `pledges` and `pledgedDollars`.'),
      stories: z.number().int(),
      attention: z.number().int().describe('Money at the provider that could not be applied.'),
      contested: z.number().int().describe("Payments that the donor's bank contests, except in `disputed`."),
      receipts: z.number().int().describe('Undelivered receipts.'),
      monthToClose: z.string().nullable().describe("The oldest month that is over but isn't closed."),
    }),
  })
  .meta({ id: 'Overview', description: "The first page of the editors' area." });

export type Overview = z.infer<typeof overview>;

export const treasuryCalls = {
  downloadLedger: {
    summary: 'Download the ledger',
    description: 'A CSV file with a line per ledger entry.',
    params: orgParams,
    query: z.strictObject({ from: day.optional(), to: day.optional() }),
    response: z.string(),
    responseType: 'text/csv',
  },
  readOverview: {
    summary: "Read an organization's gifts, refunds, and pounds over time",
    params: orgParams,
    query: z.strictObject({ period: z.enum(PERIODS).default('year') }),
    response: overview,
  },
} as const;
