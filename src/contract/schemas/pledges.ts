import { z } from 'zod';
import { REASON_MAXIMUM } from '#domain/books.ts';
import { CHECK_NUMBER_MAXIMUM, NOTE_MAXIMUM, PLEDGE_STATUSES, REVERSALS } from '#domain/check.ts';
import { NAME_MAXIMUM } from '#domain/profile.ts';
import { day, id, page, time, typedText } from './shared.ts';

/** A promised or received check, as the organization's editors see it. */
export const pledge = z.object({
  id,
  /** Absent once the person has deleted the account. */
  name: z.string().nullable(),
  email: z.string().nullable(),
  /** Dollars, 2 decimals: what was promised. */
  amount: z.number(),
  status: z.enum(PLEDGE_STATUSES),
  /** Dollars, 2 decimals: what the check was about. */
  receivedAmount: z.number().nullable(),
  receivedOn: day.nullable(),
  checkNumber: z.string().nullable(),
  note: z.string().nullable(),
  receiptNumber: z.number().int().nullable(),
  /** The ledger's entry, by which the receipt is sent again. */
  entryid: id.nullable(),
  /** The last time a received check was reversed. */
  reversal: z.object({ on: day, reason: z.string().nullable(), by: z.string().nullable() }).nullable(),
  createdTimestamp: time,
});

export type Pledge = z.infer<typeof pledge>;

/** Dollars of a check: whole cents, within what the ledger keeps exactly. */
const dollars = z.number().min(0.01).max(9_999_999.99).multipleOf(0.01);

/** What is written on a check that came. */
const received = z.strictObject({
  amount: dollars,
  receivedOn: day,
  checkNumber: typedText(CHECK_NUMBER_MAXIMUM * 4).default(''),
  note: typedText(NOTE_MAXIMUM * 4).default(''),
});

export type ReceivedCheck = z.infer<typeof received>;

const inOrg = z.strictObject({ orgid: id });
const pledgeParams = z.strictObject({ orgid: id, pledgeid: id });

export const pledgeCalls = {
  readPledges: {
    params: inOrg,
    query: page.extend({ status: z.enum(PLEDGE_STATUSES).optional() }),
    answer: z.array(pledge),
  },
  /** The id is the caller's to make up: the same one again is the same check. */
  recordPledge: {
    params: pledgeParams,
    body: z.strictObject({
      name: typedText(NAME_MAXIMUM * 2),
      /** Empty if unknown: then the receipt is sent by post. */
      email: typedText(400).default(''),
      amount: dollars,
      /** What came of it already. */
      received: received.omit({ amount: true }).optional(),
    }),
    answer: pledge,
  },
  receivePledge: { params: pledgeParams, body: received, answer: pledge },
  reversePledge: {
    params: pledgeParams,
    body: z.strictObject({
      /** The check's, in the ledger: repeating the call reverses nothing twice. */
      entryid: id,
      because: z.enum(REVERSALS),
      reason: typedText(REASON_MAXIMUM * 4),
    }),
    answer: pledge,
  },
  withdrawPledge: { params: pledgeParams, body: z.strictObject({ withdrawn: z.boolean() }), answer: pledge },
};
