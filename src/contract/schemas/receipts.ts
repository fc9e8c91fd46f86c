import { z } from 'zod';
import { MEASURES } from '#domain/grant.ts';
import { day, id, time, typedText } from './shared.ts';
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

const head = z.object({
  ...{ organization: id, money: z.enum(['live', 'test']), zone: z.string(), day, size: z.string() },
  sums: z.array(z.string()).length(4),
  ...{ root: z.string(), previous: z.string(), key: z.string(), signature: z.string() },
});

/** The proof of a gift. */
const proof = z.object({
  format: z.literal('climate-fund-proof-1'),
  head,
  entry: z.object({
    ...{ kind: z.string(), fact: z.string(), receipt: z.string(), date: day },
    ...{ cents: z.string(), pounds: z.string(), salt: z.string() },
  }),
  parts: z.array(z.object({ index: z.string(), sums: z.array(z.string()), path: z.array(z.string()) })),
});

/** The signed heads of an organization, the oldest first, as docs/proof.md has them; at most 100. */
const chain = z.object({
  format: z.literal('climate-fund-heads-1'),
  heads: z.array(head),
  paths: z.array(z.array(z.string())),
});

/** How the key that signs heads changed, as docs/proof.md has it. */
const keyChanges = z.object({
  format: z.literal('climate-fund-keys-1'),
  changes: z.array(z.object({ from: head, to: head, path: z.array(z.string()), signature: z.string() })),
});

/** Of live money, or of test money where nothing else counts yet. */
const headDays = z.object({
  money: z.enum(['live', 'test']),
  /** The newest first. */
  days: z.array(
    z.object({
      day,
      zone: z.string(),
      entries: z.number().int(),
      /** Dollars, 2 decimals, and pounds, 4 decimals, since the first entry. */
      ...{ dollarsIn: z.number(), dollarsOut: z.number(), poundsIn: z.number(), poundsOut: z.number() },
      /** Of the head: SHA-256, hexadecimal. */
      hash: z.string(),
    }),
  ),
  /** The newest first, each with the first day that it signed. */
  keys: z.array(z.object({ key: z.string(), fingerprint: z.string(), from: day })),
  /** The days on which the database was restored, and of whose backup: heads between may be missing. The newest first. */
  restores: z.array(z.object({ on: day, backupOf: day })),
  /** The first day of each file that readHeads answers: together they have all heads. */
  files: z.array(day),
});

export type HeadDays = z.infer<typeof headDays>;

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
  /** A file of docs/proof.md, by the same key. */
  openProof: {
    params: inOrg,
    query: z.strictObject({ key: id }),
    answer: proof,
  },
  /** Which homes the gift helped, by the same key. */
  openGiftHomes: { params: inOrg, query: z.strictObject({ key: id }), answer: giftHomes },
  readHeads: {
    params: inOrg,
    /** The day of the first, or a later one. */
    query: z.strictObject({ from: day.optional() }),
    answer: chain,
  },
  /** What the last heads say, without what shows that they follow one another. */
  readHeadDays: { params: inOrg, answer: headDays },
  readKeyChanges: { params: inOrg, answer: keyChanges },
  readUndelivered: {
    params: inOrg,
    query: z.strictObject({ max: z.coerce.number().int().min(1).max(50).default(10), cursorRef: id.optional() }),
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
