import { z } from 'zod';
import { MEASURES } from '#domain/grant.ts';
import { cursorRef, day, dollars, id, orgId, pounds, time, typedText } from './shared.ts';
import { profile } from './stories.ts';

/** An undelivered receipt, for the organization's editors. */
export const undelivered = z.object({
  /** Id of its ledger entry. */
  id,
  number: z.number().int(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  /** Dollars, 2 decimals. */
  amount: dollars,
  givenOn: day,
  /** refused: permanently. failed: after the last try. waiting: not tried for hours. */
  reason: z.enum(['refused', 'failed', 'no-address', 'waiting']),
  /** The mail server's response code, if any. */
  code: z.string().nullable(),
  triedTimestamp: time,
});

export type Undelivered = z.infer<typeof undelivered>;

/** A helped home, for the gift's donor (DonorsHome in the domain). */
const donorsHome = z.object({
  /** The household’s story. */
  page: profile.pick({ id: true, name: true, photo: true, profileURL: true }).nullable(),
  amount: dollars,
  pounds: pounds.nullable(),
  delivered: pounds.nullable(),
  measures: z.array(z.enum(MEASURES)),
  installer: z.string().nullable(),
  grant: dollars.nullable(),
  savings: z.object({ yearlyPounds: pounds, years: z.number().int() }).nullable(),
  work: z.object({ doneOn: day.nullable(), inspectedOn: day.nullable() }).nullable(),
});

/** A gift's allocation for its donor (DonorsGift in the domain). Dollars with 2 decimals. */
const donorsGift = z.object({
  paid: dollars,
  returned: dollars,
  fee: dollars,
  waiting: dollars,
  isDisputed: z.boolean(),
  promised: pounds,
  promisedWaiting: pounds.nullable(),
  behind: pounds.nullable(),
  isBehind: z.boolean(),
  homes: z.array(donorsHome),
});

const giftHomes = z.object({
  /** The fund's city; empty if not set. */
  place: z.string(),
  /** Null for a gift that doesn't count in the totals. */
  gift: donorsGift.nullable(),
  /** All payments of a recurring gift; null if there is only one. */
  all: z.object({ payments: z.number().int(), gift: donorsGift }).nullable(),
});

export type GiftHomes = z.infer<typeof giftHomes>;

const inOrg = z.strictObject({ orgid: orgId });
const ofEntry = z.strictObject({ orgid: orgId, entryid: id });
const number = z.number().int();

export const receiptCalls = {
  downloadReceipt: { params: ofEntry, answer: z.string(), answerType: 'application/pdf' },
  /** Opens a receipt without a login, by the key in its email. */
  openReceipt: {
    params: inOrg,
    query: z.strictObject({ key: id }),
    answer: z.string(),
    answerType: 'application/pdf',
  },
  /** Homes that the gift helped, by the same key. */
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
