import { z } from 'zod';
import { REASON_MAXIMUM } from '#domain/books.ts';
import { CHECK_NUMBER_MAXIMUM, NOTE_MAXIMUM, PLEDGE_STATUSES, REVERSALS } from '#domain/check.ts';
import type { Dollars } from '#domain/money.ts';
import { NAME_MAXIMUM } from '#domain/profile.ts';
import { day, dollars, id, orgId, page, time, typedText } from './shared.ts';

/** A promised or received check, for the organization's editors. */
export const pledge = z.object({
  id,
  /** Null once the person's account is deleted. */
  name: z.string().nullable(),
  email: z.string().nullable(),
  /** Promised dollars, 2 decimals. */
  amount: dollars,
  status: z.enum(PLEDGE_STATUSES),
  /** Received dollars, 2 decimals. */
  receivedAmount: dollars.nullable(),
  receivedOn: day.nullable(),
  checkNumber: z.string().nullable(),
  note: z.string().nullable(),
  receiptNumber: z.number().int().nullable(),
  /** Id of its ledger entry, for resending the receipt. */
  entryid: id.nullable(),
  /** The last reversal of a received check. */
  reversal: z.object({ on: day, reason: z.string().nullable(), by: z.string().nullable() }).nullable(),
  createdTimestamp: time,
});

export type Pledge = z.infer<typeof pledge>;

/** Dollars of a check: whole cents, within the ledger's exact range. */
const checkAmount: z.ZodType<Dollars, number> = z.number().min(0.01).max(9_999_999.99).multipleOf(0.01);

/** Details of a received check. */
const received = z.strictObject({
  amount: checkAmount,
  receivedOn: day,
  checkNumber: typedText(CHECK_NUMBER_MAXIMUM * 4).default(''),
  note: typedText(NOTE_MAXIMUM * 4).default(''),
});

export type ReceivedCheck = z.infer<typeof received>;

const inOrg = z.strictObject({ orgid: orgId });
const pledgeParams = z.strictObject({ orgid: orgId, pledgeid: id });

export const pledgeCalls = {
  readPledges: {
    params: inOrg,
    query: page.extend({ status: z.enum(PLEDGE_STATUSES).optional() }),
    answer: z.array(pledge),
  },
  /** The caller chooses the id. Repeating it records the same check. */
  recordPledge: {
    params: pledgeParams,
    body: z.strictObject({
      name: typedText(NAME_MAXIMUM * 2),
      /** Empty if unknown: then the receipt goes by post. */
      email: typedText(400).default(''),
      amount: checkAmount,
      /** Set if it was received already. */
      received: received.omit({ amount: true }).optional(),
    }),
    answer: pledge,
  },
  receivePledge: { params: pledgeParams, body: received, answer: pledge },
  reversePledge: {
    params: pledgeParams,
    body: z.strictObject({
      /** Id of the check's ledger entry. Repeating the call reverses nothing twice. */
      entryid: id,
      because: z.enum(REVERSALS),
      reason: typedText(REASON_MAXIMUM * 4),
    }),
    answer: pledge,
  },
  withdrawPledge: { params: pledgeParams, body: z.strictObject({ withdrawn: z.boolean() }), answer: pledge },
};
