import { z } from 'zod';
import { LEDGER_KINDS } from '#domain/books.ts';
import { isMonth } from '#domain/statement.ts';
import { cursorRef, day, id, time } from './shared.ts';

const dollars = z.number();

/** A payout beside what of it is this organization's. All amounts are dollars, 2 decimals; what left is negative. */
const payout = z.object({
  id,
  /** paid: it is at the bank. failed: the bank sent it back. */
  status: z.enum(['on-its-way', 'paid', 'failed']),
  arrivesOn: day,
  /** The bank's line. */
  amount: dollars,
  /** What is in it of this organization: gifts before fees, fees, and what went back. */
  gifts: dollars,
  fees: dollars,
  refunds: dollars,
  disputes: dollars,
  /** Of an earlier payout that the bank had sent back. */
  returned: dollars,
  share: dollars,
  /** Of the same account at the card processor, but not this organization's. */
  others: dollars,
  /** Movements of the account that belong to no organization, such as a reserve. */
  accountMovements: dollars,
  movements: z.number().int(),
  /** The payout that carried the money of a failed one. */
  returnedIn: id.nullable(),
});

export type Payout = z.infer<typeof payout>;

/** A movement in a payout. */
const payoutMovement = z.object({
  id,
  kind: z.enum(['payment', 'refund', 'dispute', 'returned-payout', 'fee']),
  at: time,
  gross: dollars,
  fee: dollars,
  net: dollars,
  donor: z.string().nullable(),
  /** Null where its checkout was deleted. */
  checkoutid: id.nullable(),
});

export type PayoutMovement = z.infer<typeof payoutMovement>;

const accountMonth = z.object({
  opening: dollars,
  gifts: dollars,
  fees: dollars,
  refunds: dollars,
  disputes: dollars,
  payouts: dollars,
  grants: dollars,
  closing: dollars,
});

const monthlyStatement = z.object({
  month: z.string(),
  /** The first month that has a statement, and the current one. */
  firstMonth: z.string(),
  lastMonth: z.string(),
  provider: accountMonth,
  bank: accountMonth,
  disputed: accountMonth,
  all: accountMonth,
  /** Entries of earlier months that became known when those were closed. */
  late: z.array(z.object({ id, kind: z.enum(LEDGER_KINDS), bookedOn: day, datedOn: day, amount: dollars })),
});

export type MonthlyStatement = z.infer<typeof monthlyStatement>;

const inOrg = z.strictObject({ orgid: id });
const month = z.string().refine(isMonth, 'is not a month such as 2026-03');
const ofMonth = z.strictObject({ month });
const page = z.strictObject({ max: z.coerce.number().int().min(1).max(50).default(10), cursorRef });

export const bookCalls = {
  readPayouts: { params: inOrg, query: page, answer: z.array(payout) },
  readPayoutMovements: {
    params: z.strictObject({ orgid: id, payoutid: id }),
    query: page,
    answer: z.array(payoutMovement),
  },
  /** By default of the current month. */
  readMonth: { params: inOrg, query: z.strictObject({ month: month.optional() }), answer: monthlyStatement },
  downloadMonthPdf: { params: inOrg, query: ofMonth, answer: z.string(), answerType: 'application/pdf' },
  downloadMonthTable: { params: inOrg, query: ofMonth, answer: z.string(), answerType: 'text/csv' },
  /** The card processor's account as QuickBooks Online imports a bank's. */
  downloadQuickBooks: { params: inOrg, query: ofMonth, answer: z.string(), answerType: 'text/csv' },
} as const;
