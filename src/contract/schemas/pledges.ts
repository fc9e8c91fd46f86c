import { z } from 'zod';
import { MAX_REASON_LENGTH } from '#domain/books.ts';
import { MAX_CHECK_NUMBER_LENGTH, MAX_NOTE_LENGTH, PLEDGE_STATUSES, REVERSAL_REASONS } from '#domain/check.ts';
import { MAX_POSTAL_ADDRESS_LENGTH } from '#domain/donor.ts';
import type { Dollars } from '#domain/money.ts';
import { MAX_NAME_LENGTH } from '#domain/profile.ts';
import { day, dollars, id, orgId, printableText, time } from './shared.ts';

export const pledge = z
  .object({
    id,
    name: z.string().nullable().describe("Null once the person's account is deleted."),
    email: z.string().nullable(),
    amount: dollars.describe('Promised dollars, 2 decimals.'),
    status: z.enum(PLEDGE_STATUSES),
    receivedAmount: dollars.nullable().describe('Received dollars, 2 decimals.'),
    receivedOn: day.nullable(),
    checkNumber: z.string().nullable(),
    note: z.string().nullable(),
    receiptNumber: z.number().int().nullable(),
    entryid: id.nullable().describe('Id of its ledger entry, for resending the receipt.'),
    donorid: id.nullable().describe('Null until it is received.'),
    reversal: z
      .object({ on: day, reason: z.string().nullable(), by: z.string().nullable() })
      .nullable()
      .describe('The last reversal of a received check.'),
    createdTimestamp: time,
  })
  .meta({ id: 'Pledge', description: "A promised or received check, for the organization's editors." });

export type Pledge = z.infer<typeof pledge>;

/** A check's dollars, in whole cents and within the ledger's exact range. */
const checkAmount: z.ZodType<Dollars, number> = z.number().min(0.01).max(9_999_999.99).multipleOf(0.01);

/** Details of a received check. */
const receivedCheck = z.strictObject({
  amount: checkAmount,
  receivedOn: day,
  checkNumber: printableText(MAX_CHECK_NUMBER_LENGTH * 4).default(''),
  note: printableText(MAX_NOTE_LENGTH * 4).default(''),
  allowDuplicate: z.boolean().optional().describe('True to record another check with the same number and amount.'),
});

export type ReceivedCheck = z.infer<typeof receivedCheck>;

const pledgeParams = z.strictObject({ orgid: orgId, pledgeid: id });

export const pledgeCalls = {
  recordPledge: {
    summary: 'Record a pledge that was made in person or by mail',
    description:
      'The caller chooses the id. Repeating the call with the same content has no effect; other content is rejected.',
    params: pledgeParams,
    body: z.strictObject({
      name: printableText(MAX_NAME_LENGTH * 2),
      email: printableText(400).default('').describe('Empty if unknown; the receipt is then mailed.'),
      postalAddress: printableText(MAX_POSTAL_ADDRESS_LENGTH * 4).default(''),
      amount: checkAmount,
      received: receivedCheck.omit({ amount: true }).optional().describe('Set if the check was already received.'),
    }),
    response: pledge,
  },
  receivePledge: {
    summary: 'Mark a pledged check as received',
    params: pledgeParams,
    body: receivedCheck,
    response: pledge,
  },
  reversePledge: {
    summary: 'Reverse a received check',
    params: pledgeParams,
    body: z.strictObject({
      entryid: id.describe("Id of the check's ledger entry. Repeating the call has no effect."),
      cause: z.enum(REVERSAL_REASONS),
      reason: printableText(MAX_REASON_LENGTH * 4),
    }),
    response: pledge,
  },
  withdrawPledge: {
    summary: 'Cancel a pledge or restore it',
    params: pledgeParams,
    body: z.strictObject({ withdrawn: z.boolean() }),
    response: pledge,
  },
};
