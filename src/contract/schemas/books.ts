import { z } from 'zod';
import { LEDGER_KINDS } from '#domain/books.ts';
import { isMonth } from '#domain/statement.ts';
import { checkoutId, cursorRef, day, dollars, id, orgId, time } from './shared.ts';

/** A payout and this organization's share of it. All amounts are dollars with 2 decimals; outgoing amounts are negative. */
const payout = z.object({
  id,
  /** paid: it reached the bank. failed: the bank returned it. */
  status: z.enum(['on-its-way', 'paid', 'failed']),
  arrivesOn: day,
  /** The bank's line. */
  amount: dollars,
  /** Money of this organization: gifts before fees, fees, and returned money. */
  gifts: dollars,
  fees: dollars,
  refunds: dollars,
  disputes: dollars,
  /** Money of an earlier payout that the bank had returned. */
  returned: dollars,
  /** Money of a payout made by hand, whose contents the card processor doesn't list; negative in the next payout. */
  byHand: dollars,
  share: dollars,
  /** Money of the same account at the card processor that isn't this organization's. */
  others: dollars,
  /** The card processor's fees for the account itself. */
  accountMovements: dollars,
  movements: z.number().int(),
  /** The payout with the money of a failed one. */
  returnedIn: id.nullable(),
});

export type Payout = z.infer<typeof payout>;

/** A movement in a payout. */
const payoutMovement = z.object({
  id,
  kind: z.enum(['payment', 'refund', 'dispute', 'returned-payout', 'by-hand', 'fee']),
  at: time,
  gross: dollars,
  fee: dollars,
  net: dollars,
  donor: z.string().nullable(),
  /** Null if its checkout was deleted. */
  checkoutid: checkoutId.nullable(),
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
  /** The first month with a statement, and the current one. */
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

const inOrg = z.strictObject({ orgid: orgId });
const month = z.string().refine(isMonth, 'is not a month such as 2026-03');
const ofMonth = z.strictObject({ month });
const page = z.strictObject({ max: z.coerce.number().int().min(1).max(50).default(10), cursorRef });

export const bookCalls = {
  readPayouts: { params: inOrg, query: page, answer: z.array(payout) },
  readPayoutMovements: {
    params: z.strictObject({ orgid: orgId, payoutid: id }),
    query: page,
    answer: z.array(payoutMovement),
  },
  /** Current month by default. */
  readMonth: { params: inOrg, query: z.strictObject({ month: month.optional() }), answer: monthlyStatement },
  downloadMonthPdf: { params: inOrg, query: ofMonth, answer: z.string(), answerType: 'application/pdf' },
  downloadMonthTable: { params: inOrg, query: ofMonth, answer: z.string(), answerType: 'text/csv' },
  /** The card processor's account in QuickBooks Online's import format for bank accounts. */
  downloadQuickBooks: { params: inOrg, query: ofMonth, answer: z.string(), answerType: 'text/csv' },
} as const;
