import { z } from 'zod';
import { LEDGER_KINDS, MAX_REASON_LENGTH } from '#domain/books.ts';
import { PAYMENT_STATUSES } from '#domain/checkout.ts';
import { GIFT_LIST_NAMES, MAX_COUNTED_GIFTS, MAX_QUERY_LENGTH, SEARCH_STATUSES } from '#domain/checkout-search.ts';
import { STORY_STATUSES } from '#domain/profile.ts';
import { CARD_STATUSES } from '#domain/tribute.ts';
import { cartItem, tribute } from './checkouts.ts';
import { pledge } from './pledges.ts';
import { recurringGift } from './recurring-gifts.ts';
import { checkoutId, cursorRef, day, dollars, id, orgId, pounds, printableText, time, userId } from './shared.ts';
import { teamNote } from './team-notes.ts';

export const checkoutRow = z
  .object({
    id,
    cart: z.array(cartItem),
    total: dollars.describe('Dollars, 2 decimals: the items and the covered card fee.'),
    coveredFee: dollars,
    paymentStatus: z.enum(PAYMENT_STATUSES).describe('In a list, of the first payment; in a record, of all payments.'),
    refunded: dollars.describe(
      'Dollars, 2 decimals: returned by refunds and lost disputes. In a list, of the first payment; in a record, of all.',
    ),
    completed: z.boolean(),
    displayName: z.string().nullable(),
    email: z.string().nullable(),
    offsetterId: id.nullable().describe('The story of the profile step.'),
    userId: userId.nullable().describe("The payer's account."),
    createdTimestamp: time,
  })
  .meta({ id: 'CheckoutRow', description: "A checkout in the editors' list." });

export type ListedCheckout = z.infer<typeof checkoutRow>;

const renewalRow = checkoutRow
  .omit({ completed: true, offsetterId: true })
  .extend({
    id: id.describe('Id of its ledger entry.'),
    checkoutid: id.describe('The checkout of the recurring gift.'),
    cart: z.array(cartItem).describe('The recurring items of the checkout.'),
    total: dollars.describe('Dollars, 2 decimals: the charge.'),
    paymentStatus: z.enum(PAYMENT_STATUSES),
    refunded: dollars.describe('Dollars, 2 decimals: returned by refunds and lost disputes.'),
    createdTimestamp: time.describe('When it was charged.'),
  })
  .meta({ id: 'RenewalRow', description: "A later payment of a recurring gift in the editors' list." });

export type ListedRenewal = z.infer<typeof renewalRow>;

const ledgerKind = z.enum(LEDGER_KINDS);

/** An event in the timeline of a checkout or check: an entry, receipt, email, or report from the provider. */
const historyEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('opened'), at: time }),
  z.object({ kind: z.literal('pledged'), at: time, amount: dollars }),
  /** Recovered from the card processor's records after data loss. `exactly`: false if its carbon had to be rounded. */
  z.object({ kind: z.literal('recovered'), at: time, exactly: z.boolean() }),
  z.object({
    kind: z.literal('entry'),
    at: time.describe('When it was booked; for a check, when it was recorded.'),
    entryid: id,
    entryKind: ledgerKind,
    datedTimestamp: time.nullable().describe('Its original date, if booked later because that month was closed.'),
    receivedTimestamp: time.nullable().describe('For a check: a time on the day when it arrived.'),
    amount: dollars.describe('Dollars, 2 decimals; negative if returned.'),
    carbon: pounds.describe('Pounds.'),
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
    status: z.enum(['sending', 'sent', 'rejected', 'failed', 'postal-mail']),
    code: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('report'),
    at: time,
    id: z.string(),
    type: z.string(),
    outcome: z.enum(['recorded', 'ignored', 'attention', 'pending', 'unsupported']),
    reason: z.string().nullable(),
  }),
]);

export type HistoryEvent = z.infer<typeof historyEvent>;

/** A charge; recurring gifts have many. All amounts are dollars with 2 decimals. */
const paymentRecord = z.object({
  entryid: id.describe('Id of its ledger entry.'),
  chargedTimestamp: time,
  amount: dollars,
  coveredFee: dollars.describe('Part of the amount that covers the card fee.'),
  fee: dollars.nullable().describe("The provider's fee; null until the provider has settled the charge."),
  net: dollars.nullable().describe('Amount minus the fee; null until the provider has settled the charge.'),
  refunded: dollars,
  refundable: dollars.describe('Amount that can still be refunded; 0 for a disputed payment.'),
  isSample: z.boolean().describe("True for a gift of the demo, which the provider doesn't know and can't refund."),
  status: z.enum(['succeeded', 'refunded', 'disputed', 'lost']),
  payoutId: z.string().nullable(),
  returns: z.array(
    z.object({
      kind: z.enum(['refund', 'dispute']),
      at: time,
      amount: dollars,
      fee: dollars
        .nullable()
        .describe("The provider's fee for a dispute, minus returned fees; null if it isn't in the books."),
      status: z
        .enum(['pending', 'succeeded', 'failed', 'open', 'won', 'lost'])
        .describe('open, won, and lost are for disputes.'),
      dueTimestamp: time.nullable().describe('When evidence for a dispute is due at the provider.'),
      reason: z.string().nullable(),
      by: z.string().nullable().describe('The editor who refunded it; null if it was refunded at the provider.'),
    }),
  ),
});

export type PaymentRecord = z.infer<typeof paymentRecord>;

export const checkoutRecord = checkoutRow
  .extend({
    carbon: pounds.describe('Pounds.'),
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
            signature: z.string(),
            status: z.enum(CARD_STATUSES),
            code: z.string().nullable().describe("The mail server's response code, if any."),
            at: time.describe('When it entered this status.'),
          })
          .nullable(),
      })
      .nullable(),
    story: z.object({ name: z.string(), status: z.enum(STORY_STATUSES), url: z.string() }).nullable(),
    donorid: id.nullable().describe('Null until it is paid.'),
    payments: z.array(paymentRecord).describe('Oldest first.'),
    recurringGift: recurringGift.nullable().describe('Null for a one-time gift.'),
    notes: z.array(teamNote).describe('Oldest first.'),
    history: z.array(historyEvent),
  })
  .meta({ id: 'CheckoutRecord', description: 'A checkout with all details.' });

export type CheckoutRecord = z.infer<typeof checkoutRecord>;

export const checkRecord = pledge
  .extend({ notes: z.array(teamNote).describe('Oldest first.'), history: z.array(historyEvent) })
  .meta({ id: 'CheckRecord', description: 'A pledged or received check with its history.' });

export type CheckRecord = z.infer<typeof checkRecord>;

/** A row of the editors' gift table: a checkout with its first payment, a renewal, or a check. */
export type ListedGift = ListedCheckout | ListedRenewal | z.infer<typeof pledge>;

const orgParams = z.strictObject({ orgid: orgId });
const checkoutParams = z.strictObject({ orgid: orgId, checkoutid: checkoutId });
const emptyResponse = z.object({});

const filterFields = {
  query: printableText(MAX_QUERY_LENGTH)
    .default('')
    .describe('A name, an email address, an amount, an id, or the number of a receipt or check.'),
  kind: z
    .enum(GIFT_LIST_NAMES)
    .default('card')
    .describe('card: checkouts. online: checkouts and renewals. check: pledged and received checks. all: all of them.'),
  status: z.enum(SEARCH_STATUSES).optional().describe('paid: includes received checks.'),
  group: z
    .enum(['received', 'attempts'])
    .optional()
    .describe('received: gifts with received or pending money. attempts: the rest. All by default.'),
  from: day.optional().describe('First and last day, inclusive.'),
  to: day.optional(),
};
const orderFields = {
  sort: z.enum(['date', 'amount']).default('date'),
  order: z.enum(['asc', 'desc']).default('desc'),
};
const checkoutFilter = z.strictObject(filterFields);

const nullableDollars = dollars.nullable();

export const checkoutSums = z
  .object({
    checkouts: z.number().int().nullable().describe('Number of matching rows.'),
    gross: nullableDollars,
    refunded: nullableDollars.describe('Returned by refunds, lost disputes, and bounced checks.'),
    fees: nullableDollars.describe('Fees for payments and disputes that the provider has settled.'),
    disputed: nullableDollars.describe('Held by the provider in open disputes.'),
    net: nullableDollars,
  })
  .meta({
    id: 'CheckoutSums',
    description:
      'Totals for a search: the first payments of its checkouts, its renewals, and its checks. ' +
      `Amounts are dollars with 2 decimals. All values are null if more than ${MAX_COUNTED_GIFTS} rows match.`,
  });

export type CheckoutSums = z.infer<typeof checkoutSums>;

export const checkoutRecordCalls = {
  searchCheckouts: {
    summary: 'Search checkouts, renewals, and checks',
    params: orgParams,
    body: checkoutFilter.extend({
      max: z.number().int().min(1).max(50).default(10),
      cursorRef,
      isNext: z
        .boolean()
        .default(true)
        .describe("false: the page before the cursor. The response's next cursor continues in the same direction."),
      ...orderFields,
    }),
    response: z.array(z.union([renewalRow, checkoutRow, pledge])),
  },
  sumCheckouts: {
    summary: 'Add up the checkouts, renewals, and checks that match a search',
    params: orgParams,
    body: checkoutFilter,
    response: checkoutSums,
  },
  downloadCheckouts: {
    summary: 'Download the checkouts, renewals, and checks that match a search',
    description: 'A CSV file with a line per checkout, renewal, or check, as in the list.',
    params: orgParams,
    query: z.strictObject({ ...filterFields, ...orderFields }),
    response: z.string(),
    responseType: 'text/csv',
  },
  readCheckoutRecord: {
    summary: 'Read everything recorded about a checkout',
    params: checkoutParams,
    response: checkoutRecord,
  },
  readCheckRecord: {
    summary: 'Read everything recorded about a check',
    params: z.strictObject({ orgid: orgId, pledgeid: id }),
    response: checkRecord,
  },
  refundPayment: {
    summary: 'Refund a payment in full or in part',
    params: checkoutParams,
    body: z.strictObject({
      requestid: z.uuid().describe('Chosen by the caller. Repeating a request with the same id has no effect.'),
      entryid: id.describe("Id of the payment's ledger entry."),
      amount: z
        .number()
        .min(0.01)
        .max(9_999_999.99)
        .multipleOf(0.01)
        .optional()
        .describe('Dollars; the whole remainder by default.'),
      reason: printableText(MAX_REASON_LENGTH * 4),
    }),
    response: z.object({ recorded: z.boolean() }).describe('False if the refund was made but is not in the books yet.'),
  },
  sendCardTo: {
    summary: "Send a tribute's card to another address",
    description: "Emails a tribute's card to an address other than the one that the donor entered.",
    params: checkoutParams,
    body: z.strictObject({ email: printableText(400) }),
    response: z.object({ email: z.string() }),
  },
  deleteCheckout: { summary: 'Delete a checkout', params: checkoutParams, response: emptyResponse },
} as const;
