import { z } from 'zod';
import { LEDGER_KINDS, REASON_MAXIMUM } from '#domain/books.ts';
import { PAYMENT_STATUSES } from '#domain/checkout.ts';
import { SEARCH_MAXIMUM } from '#domain/checkout-search.ts';
import { CARD_STATUSES } from '#domain/tribute.ts';
import { cartItem, tribute } from './checkouts.ts';
import { recurringGift } from './recurring-gifts.ts';
import { checkoutId, cursorRef, day, dollars, id, orgId, pounds, time, typedText, userId } from './shared.ts';

/** A checkout in the organization's editors' list. */
export const checkoutRow = z.object({
  id,
  cart: z.array(cartItem),
  /** Dollars, 2 decimals: the items and the covered card fee. */
  total: dollars,
  coveredFee: dollars,
  paymentStatus: z.enum(PAYMENT_STATUSES),
  /** Dollars, 2 decimals: returned money of all its payments, by refunds and lost disputes. */
  refunded: dollars,
  completed: z.boolean(),
  displayName: z.string().nullable(),
  email: z.string().nullable(),
  /** The story of the profile step (§3). */
  offsetterId: id.nullable(),
  /** The account of the payer (§3). */
  userId: userId.nullable(),
  createdTimestamp: time,
});

export type CheckoutListed = z.infer<typeof checkoutRow>;

const ledgerKind = z.enum(LEDGER_KINDS);

/** Timeline of a checkout: entries, receipts, emails, and the provider's reports. */
const pastEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('opened'), at: time }),
  /** Recovered from the card processor's records after a loss; not exactly if its carbon had to be rounded. */
  z.object({ kind: z.literal('recovered'), at: time, exactly: z.boolean() }),
  z.object({
    kind: z.literal('entry'),
    at: time,
    entryid: id,
    entryKind: ledgerKind,
    /** Its own date, if it was booked later because that month was closed. */
    datedTimestamp: time.nullable(),
    /** Dollars, 2 decimals; negative if returned. */
    amount: dollars,
    /** Pounds. */
    carbon: pounds,
    reason: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('receipt'),
    at: time,
    entryid: id,
    number: z.number().int(),
    email: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('mail'),
    at: time,
    number: z.number().int(),
    status: z.enum(['sending', 'mailed', 'refused', 'failed', 'by-post']),
    code: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('report'),
    at: time,
    id: z.string(),
    type: z.string(),
    outcome: z.enum(['recorded', 'ignored', 'refused', 'pending', 'later']),
    reason: z.string().nullable(),
  }),
]);

export type PastEvent = z.infer<typeof pastEvent>;

/** A charge; recurring gifts have many. All amounts are dollars with 2 decimals. */
const paymentRecord = z.object({
  /** Id of its ledger entry. */
  entryid: id,
  chargedTimestamp: time,
  amount: dollars,
  /** Part of the amount that covers the card fee. */
  coveredFee: dollars,
  /** The provider's fee and the rest; null until the provider has settled the charge. */
  fee: dollars.nullable(),
  net: dollars.nullable(),
  refunded: dollars,
  status: z.enum(['succeeded', 'refunded', 'disputed', 'lost']),
  payoutId: z.string().nullable(),
  returns: z.array(
    z.object({
      kind: z.enum(['refund', 'dispute']),
      at: time,
      amount: dollars,
      /** The provider's fee for a dispute, minus returned fees; null if the books don't know it. */
      fee: dollars.nullable(),
      /** open, won, and lost are for disputes. */
      status: z.enum(['pending', 'succeeded', 'failed', 'open', 'won', 'lost']),
      reason: z.string().nullable(),
      /** The editor who refunded it; null if it was refunded at the provider. */
      by: z.string().nullable(),
    }),
  ),
});

export type PaymentRecord = z.infer<typeof paymentRecord>;

/** A checkout with all details. */
export const checkoutRecord = checkoutRow.extend({
  /** Pounds. */
  carbon: pounds,
  paidTimestamp: time.nullable(),
  provider: z.object({
    sessionId: z.string().nullable(),
    paymentId: z.string().nullable(),
    customerId: z.string().nullable(),
    subscriptionId: z.string().nullable(),
  }),
  tribute: tribute
    .extend({
      card: z
        .object({
          email: z.string(),
          name: z.string(),
          message: z.string(),
          signed: z.string(),
          status: z.enum(CARD_STATUSES),
          /** The mail server's response code, if any. */
          code: z.string().nullable(),
          /** When it entered this status. */
          at: time,
        })
        .nullable(),
    })
    .nullable(),
  story: z.object({ name: z.string(), status: z.enum(['draft', 'published', 'hidden']), url: z.string() }).nullable(),
  /** Oldest first. */
  payments: z.array(paymentRecord),
  /** Null for a one-time gift. */
  recurringGift: recurringGift.nullable(),
  history: z.array(pastEvent),
});

export type CheckoutRecord = z.infer<typeof checkoutRecord>;

const inOrg = z.strictObject({ orgid: orgId });
const checkoutParams = z.strictObject({ orgid: orgId, checkoutid: checkoutId });
const emptyResponse = z.object({});

const checkoutFilter = z.strictObject({
  /** A name, an address, an amount, or an id. */
  query: typedText(SEARCH_MAXIMUM).default(''),
  status: z.enum(PAYMENT_STATUSES).optional(),
  /** Checkouts that brought or may still bring money, or the other attempts; all by default. */
  group: z.enum(['received', 'attempts']).optional(),
  /** First and last day, inclusive. */
  from: day.optional(),
  to: day.optional(),
});

/** Sums of all payments of matching checkouts, including renewals. Amounts are dollars with 2 decimals. */
export const checkoutSums = z.object({
  checkouts: z.number().int(),
  gross: dollars,
  /** Returned by refunds and lost disputes. */
  refunded: dollars,
  /** Fees for payments and disputes that the provider has settled. */
  fees: dollars,
  net: dollars,
});

export type CheckoutSums = z.infer<typeof checkoutSums>;

export const checkoutRecordCalls = {
  searchCheckouts: {
    params: inOrg,
    body: checkoutFilter.extend({
      max: z.number().int().min(1).max(50).default(10),
      cursorRef,
      /** false: the page before the cursor. The response's next cursor continues in the same direction. */
      isNext: z.boolean().default(true),
      order: z.enum(['asc', 'desc']).default('desc'),
    }),
    answer: z.array(checkoutRow),
  },
  sumCheckouts: { params: inOrg, body: checkoutFilter, answer: checkoutSums },
  readCheckoutRecord: { params: checkoutParams, answer: checkoutRecord },
  refundPayment: {
    params: checkoutParams,
    body: z.strictObject({
      /** Chosen by the caller. Repeating it repeats the same refund, without effect. */
      requestid: z.uuid(),
      /** Id of the payment's ledger entry. */
      entryid: id,
      /** Dollars; the whole remainder by default. */
      amount: z.number().min(0.01).max(9_999_999.99).multipleOf(0.01).optional(),
      reason: typedText(REASON_MAXIMUM * 4),
    }),
    /** False if the refund was made, but its report is still to come. */
    answer: z.object({ recorded: z.boolean() }),
  },
  /** Emails a tribute's card to another address than the donor's. */
  sendCardTo: {
    params: checkoutParams,
    body: z.strictObject({ email: typedText(400) }),
    answer: z.object({ email: z.string() }),
  },
  deleteCheckout: { params: checkoutParams, answer: emptyResponse },
};
