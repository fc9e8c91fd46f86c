import { z } from 'zod';
import { LEDGER_KINDS } from '#domain/books.ts';
import { PERIODS } from '#domain/overview.ts';
import { day, id } from './shared.ts';

const inOrg = z.strictObject({ orgid: id });

/** Gifts of one kind: what came, and what went back with a minus. */
const sums = z.object({
  /** Dollars, 2 decimals. */
  amount: z.number(),
  /** Pounds. */
  carbon: z.number(),
  entries: z.number().int(),
});

/** What an editor sees at first sight. */
export const overview = z.object({
  step: z.enum(['day', 'week', 'month', 'year']),
  /** The oldest first; each with its first day. A kind that did not happen is left out. */
  columns: z.array(z.object({ start: day, kinds: z.partialRecord(z.enum(LEDGER_KINDS), sums) })),
  waiting: z.object({
    processing: z.number().int(),
    /** Of the last 30 days. */
    failed: z.number().int(),
    disputed: z.number().int(),
    pledges: z.number().int(),
    /** Dollars, 2 decimals. */
    pledged: z.number(),
    /** Kept apart, and not in the sum. */
    unlikelyPledges: z.number().int(),
    stories: z.number().int(),
    /** Money at the provider that could not be applied. */
    attention: z.number().int(),
    /** That did not arrive. */
    receipts: z.number().int(),
  }),
});

export type Overview = z.infer<typeof overview>;

export const treasuryCalls = {
  /** A table in CSV, a line for each entry of the ledger. */
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
