import { z } from 'zod';
import { LEDGER_KINDS } from '#domain/books.ts';
import { PERIODS } from '#domain/overview.ts';
import { day, dollars, orgId, pounds } from './shared.ts';

const inOrg = z.strictObject({ orgid: orgId });

/** Gifts of one kind; returned money is negative. */
const sums = z.object({
  /** Dollars, 2 decimals. */
  amount: dollars,
  /** Pounds. */
  carbon: pounds,
  entries: z.number().int(),
});

/** The editors' first page. */
export const overview = z.object({
  step: z.enum(['day', 'week', 'month', 'year']),
  /** Columns with their first day, oldest first. Kinds without entries are omitted. */
  columns: z.array(z.object({ start: day, kinds: z.partialRecord(z.enum(LEDGER_KINDS), sums) })),
  waiting: z.object({
    processing: z.number().int(),
    /** In the last 30 days. */
    failed: z.number().int(),
    disputed: z.number().int(),
    pledges: z.number().int(),
    /** Dollars, 2 decimals. */
    pledged: dollars,
    /** Listed separately, and not in the sum. */
    unlikelyPledges: z.number().int(),
    stories: z.number().int(),
    /** Money at the provider that could not be applied. */
    attention: z.number().int(),
    /** Undelivered receipts. */
    receipts: z.number().int(),
  }),
});

export type Overview = z.infer<typeof overview>;

export const treasuryCalls = {
  /** A CSV table with a line per ledger entry. */
  downloadLedger: {
    params: inOrg,
    query: z.strictObject({ from: day.optional(), to: day.optional() }),
    answer: z.string(),
    answerType: 'text/csv',
  },
  readOverview: {
    params: inOrg,
    query: z.strictObject({ period: z.enum(PERIODS).default('year') }),
    answer: overview,
  },
} as const;
