import { z } from 'zod';
import { MEASURES } from '#domain/grant.ts';
import { cursorRef, day, id, time, typedText } from './shared.ts';
import { profile } from './stories.ts';

/** A receipt that did not arrive, as the organization's editors see it. */
export const undelivered = z.object({
  /** The ledger's entry that it is of. */
  id,
  number: z.number().int(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  /** Dollars, 2 decimals. */
  amount: z.number(),
  givenOn: day,
  /** refused: for good. failed: after the last try. waiting: not tried for hours. */
  reason: z.enum(['refused', 'failed', 'no-address', 'waiting']),
  /** The mail server's, if it gave one. */
  code: z.string().nullable(),
  triedTimestamp: time,
});

export type Undelivered = z.infer<typeof undelivered>;

/** What is told of a home that a gift helped (ToldHome in the domain). */
const toldHome = z.object({
  /** Of its household’s story. */
  page: profile.pick({ id: true, name: true, photo: true, profileURL: true }).nullable(),
  amount: z.number(),
  pounds: z.number().nullable(),
  delivered: z.number().nullable(),
  measures: z.array(z.enum(MEASURES)),
  installer: z.string().nullable(),
  grant: z.number().nullable(),
  savings: z.object({ yearlyPounds: z.number(), years: z.number().int() }).nullable(),
  work: z.object({ doneOn: day.nullable(), inspectedOn: day.nullable() }).nullable(),
});

/** What is told of a gift to its donor (ToldGift in the domain). Dollars, 2 decimals. */
const toldGift = z.object({
  ...{ paid: z.number(), returned: z.number(), fee: z.number(), waiting: z.number(), isDisputed: z.boolean() },
  ...{ promised: z.number(), promisedWaiting: z.number().nullable(), behind: z.number().nullable() },
  ...{ isBehind: z.boolean(), homes: z.array(toldHome) },
});

const giftHomes = z.object({
  /** The city of the fund; empty if it names none. */
  place: z.string(),
  /** Null for a gift that the totals do not count. */
  gift: toldGift.nullable(),
  /** Of a recurring gift with several payments: all of them. */
  all: z.object({ payments: z.number().int(), gift: toldGift }).nullable(),
});

export type GiftHomes = z.infer<typeof giftHomes>;

const inOrg = z.strictObject({ orgid: id });
const ofEntry = z.strictObject({ orgid: id, entryid: id });
const number = z.number().int();

export const receiptCalls = {
  downloadReceipt: { params: ofEntry, answer: z.string(), answerType: 'application/pdf' },
  /** By the key in its mail, which opens the receipt without a login. */
  openReceipt: {
    params: inOrg,
    query: z.strictObject({ key: id }),
    answer: z.string(),
    answerType: 'application/pdf',
  },
  /** Which homes the gift helped, by the same key. */
  openGiftHomes: { params: inOrg, query: z.strictObject({ key: id }), answer: giftHomes },
  readUndelivered: {
    params: inOrg,
    query: z.strictObject({ max: z.coerce.number().int().min(1).max(50).default(10), cursorRef }),
    answer: z.array(undelivered),
  },
  sendReceipt: { params: ofEntry, answer: z.object({ number, email: z.string() }) },
  sendReceiptTo: {
    params: ofEntry,
    body: z.strictObject({ email: typedText(400) }),
    answer: z.object({ number, email: z.string() }),
  },
  noteReceiptPosted: { params: ofEntry, answer: z.object({ number }) },
} as const;
