import { z } from 'zod';
import { LEDGER_KINDS } from '#domain/books.ts';
import { isMonth, isStatementPeriod } from '#domain/statement.ts';
import { checkoutId, cursorRef, day, dollars, id, orgId, time } from './shared.ts';

/**
 * A payout and this organization's share of it: its gifts, fees, and returned money. All amounts are dollars with 2
 * decimals; outgoing amounts are negative.
 */
export const payout = z.object({
  id,
  status: z.enum(['in-transit', 'paid', 'failed']).describe('paid: it reached the bank. failed: the bank returned it.'),
  arrivesOn: day,
  amount: dollars.describe("Amount on the bank's statement."),
  gifts: dollars.describe("This organization's gifts, before fees."),
  fees: dollars,
  refunds: dollars,
  disputes: dollars,
  returned: dollars.describe('Money from an earlier payout that the bank returned.'),
  manualPayouts: dollars.describe(
    "Money in a manual payout, whose contents the card processor doesn't list; negative in the next payout.",
  ),
  share: dollars,
  otherOrgs: dollars.describe('Money in the same card processor account that belongs to other organizations.'),
  accountMovements: dollars.describe("Balance changes that aren't payments, such as a reserve."),
  movements: z.number().int(),
  replacementPayoutId: id.nullable().describe("The later payout that contains a failed payout's money."),
});

export type Payout = z.infer<typeof payout>;

/** A payment, refund, dispute, or fee in a payout. */
const payoutMovement = z.object({
  id,
  kind: z.enum(['payment', 'refund', 'dispute', 'returned-payout', 'manual', 'fee']),
  at: time,
  gross: dollars,
  fee: dollars,
  net: dollars,
  donor: z.string().nullable(),
  checkoutid: checkoutId.nullable().describe('Null if its checkout was deleted.'),
});

export type PayoutMovement = z.infer<typeof payoutMovement>;

const accountStatement = z.object({
  opening: dollars,
  gifts: dollars,
  fees: dollars,
  refunds: dollars,
  disputes: dollars,
  payouts: dollars,
  grants: dollars,
  closing: dollars,
});

const statement = z.object({
  period: z.string().describe('A month, such as 2026-03, or a year.'),
  firstMonth: z.string().describe('The first month with a statement.'),
  lastMonth: z.string().describe('The current month.'),
  provider: accountStatement,
  bank: accountStatement,
  disputed: accountStatement,
  all: accountStatement,
  undeposited: dollars.describe('Checks in the closing balance at the bank that were deposited later or not yet.'),
  given: dollars.describe('Gifts minus returns.'),
  donors: z.number().int().describe('Donors with a gift that was not returned in full in the same period.'),
  grantsPaid: z.number().int().describe('Grants paid, minus reversed payments.'),
  closedOn: day.nullable().describe('When a treasurer closed the month, or the last month of the year.'),
  lateEntries: z
    .array(z.object({ id, kind: z.enum(LEDGER_KINDS), bookedOn: day, datedOn: day, amount: dollars }))
    .describe('Entries dated before the period, in months that were already closed.'),
});

export type Statement = z.infer<typeof statement>;

const orgParams = z.strictObject({ orgid: orgId });
const month = z.string().refine(isMonth, 'must be a month, such as 2026-03');
const period = z.string().refine(isStatementPeriod, 'must be a month or year, such as 2026-03 or 2026');
const periodQuery = z.strictObject({ period });

export const bookCalls = {
  readPayoutMovements: {
    summary: 'List the payments, refunds, and fees in a payout',
    params: z.strictObject({ orgid: orgId, payoutid: id }),
    query: z.strictObject({ max: z.coerce.number().int().min(1).max(50).default(10), cursorRef }),
    response: z.array(payoutMovement),
  },
  readStatement: {
    summary: 'Read the statement of a month or year',
    description: 'The current month by default.',
    params: orgParams,
    query: z.strictObject({ period: period.optional() }),
    response: statement,
  },
  downloadStatementPdf: {
    summary: 'Download a statement as a PDF',
    params: orgParams,
    query: periodQuery,
    response: z.string(),
    responseType: 'application/pdf',
  },
  downloadStatementTable: {
    summary: 'Download a statement as CSV',
    params: orgParams,
    query: periodQuery,
    response: z.string(),
    responseType: 'text/csv',
  },
  downloadQuickBooks: {
    summary: "Download a month's entries for QuickBooks",
    description:
      "Exports the card processor account or the bank account in QuickBooks Online's import format for bank accounts.",
    params: orgParams,
    query: z.strictObject({
      period: month,
      account: z
        .enum(['provider', 'bank'])
        .default('provider')
        .describe('bank: checks and grants. Payouts are transfers from the card processor.'),
    }),
    response: z.string(),
    responseType: 'text/csv',
  },
} as const;
