import { z } from 'zod';
import { LEDGER_KINDS } from '#domain/books.ts';
import { PAYMENT_STATUSES } from '#domain/checkout.ts';
import { SEARCH_MAXIMUM } from '#domain/checkout-search.ts';
import { cartItem } from './checkouts.ts';
import { day, id, time, typedText } from './shared.ts';

/** A checkout as the organization's editors see one. */
export const checkoutRow = z.object({
  id,
  cart: z.array(cartItem),
  /** Dollars, 2 decimals. */
  total: z.number(),
  paymentStatus: z.enum(PAYMENT_STATUSES),
  completed: z.boolean(),
  displayName: z.string().nullable(),
  email: z.string().nullable(),
  createdTimestamp: time,
});

export type CheckoutListed = z.infer<typeof checkoutRow>;

const ledgerKind = z.enum(LEDGER_KINDS);

/** What became of a checkout, each with when: what was posted, receipted, mailed, and what the provider reported. */
const pastEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('opened'), at: time }),
  z.object({
    kind: z.literal('entry'),
    at: time,
    entryid: id,
    entryKind: ledgerKind,
    /** Dollars, 2 decimals; negative if returned. */
    amount: z.number(),
    /** Pounds. */
    carbon: z.number(),
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

/** A checkout with all that is known of it. */
export const checkoutRecord = checkoutRow.extend({
  /** Pounds. */
  carbon: z.number(),
  paidTimestamp: time.nullable(),
  provider: z.object({
    sessionId: z.string().nullable(),
    paymentId: z.string().nullable(),
    customerId: z.string().nullable(),
    subscriptionId: z.string().nullable(),
  }),
  story: z.object({ name: z.string(), status: z.enum(['draft', 'published', 'hidden']), url: z.string() }).nullable(),
  history: z.array(pastEvent),
});

export type CheckoutRecord = z.infer<typeof checkoutRecord>;

const inOrg = z.strictObject({ orgid: id });
const checkoutParams = z.strictObject({ orgid: id, checkoutid: id });
const said = z.object({});

export const checkoutRecordCalls = {
  searchCheckouts: {
    params: inOrg,
    body: z.strictObject({
      max: z.number().int().min(1).max(50).default(10),
      cursorRef: id.optional(),
      /** false: the ones before the cursor. The answer's next cursor leads further in the same direction. */
      isNext: z.boolean().default(true),
      order: z.enum(['asc', 'desc']).default('desc'),
      /** A name, an address, an amount or an id. */
      query: typedText(SEARCH_MAXIMUM).default(''),
      status: z.enum(PAYMENT_STATUSES).optional(),
      /** The first and the last day, both of them included. */
      from: day.optional(),
      to: day.optional(),
    }),
    answer: z.array(checkoutRow),
  },
  readCheckoutRecord: { params: checkoutParams, answer: checkoutRecord },
  deleteCheckout: { params: checkoutParams, answer: said },
};
