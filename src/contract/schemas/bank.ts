import { z } from 'zod';
import { MAX_REASON_LENGTH } from '#domain/books.ts';
import { isMonth } from '#domain/statement.ts';
import { payout } from './books.ts';
import { day, dollars, id, orgId, printableText } from './shared.ts';

/** The day of an action, and the team member who took it. */
const actionStamp = z.object({
  on: day,
  by: z.string().nullable().describe("Null once the person's account is deleted."),
});

export type ActionStamp = z.infer<typeof actionStamp>;

const bankCheck = z.object({
  entryid: id.describe('Id of its ledger entry.'),
  pledgeid: id,
  name: z.string().nullable().describe("Null once the person's account is deleted."),
  checkNumber: z.string().nullable(),
  receivedOn: day,
  amount: dollars,
});

export type BankCheck = z.infer<typeof bankCheck>;

const seen = actionStamp.nullable().describe("Set once a team member checked off the line on the bank's statement.");
const payoutLine = payout.extend({ kind: z.literal('payout'), seen });
const depositLine = z.object({
  kind: z.literal('deposit'),
  id,
  depositedOn: day,
  amount: dollars,
  checks: z.array(bankCheck),
  created: actionStamp,
  seen,
});

const bouncedCheckLine = z.object({
  kind: z.literal('bounced-check'),
  id: id.describe('Id of the ledger entry that reverses the check.'),
  recordedOn: day,
  amount: dollars.describe('Negative.'),
  check: bankCheck,
  seen,
});

export type PayoutLine = z.infer<typeof payoutLine>;
export type DepositLine = z.infer<typeof depositLine>;
export type BouncedCheckLine = z.infer<typeof bouncedCheckLine>;
/** One line of the bank's statement: a payout, a deposit of checks, or a deposited check that bounced. */
export type BankLine = PayoutLine | DepositLine | BouncedCheckLine;

export const bankMonth = z
  .object({
    month: z.string(),
    firstMonth: z.string(),
    lastMonth: z.string().describe('The current month, or a later one in which a payout is expected.'),
    isOver: z.boolean(),
    lines: z.array(z.discriminatedUnion('kind', [payoutLine, depositLine, bouncedCheckLine])).describe('Oldest first.'),
    checks: z.array(bankCheck).describe('Checks received by the end of the month that are in no deposit.'),
    matchesProvider: z
      .boolean()
      .describe('True if the month is over and the books agree with the card processor’s records.'),
    openMonth: z.string().nullable().describe('An earlier month that has to be closed first.'),
    closing: actionStamp
      .extend({ month: z.string().describe('The closed month, which may be later.') })
      .nullable()
      .describe('Null while the month is open.'),
    canReopen: z.boolean().describe('True for the last closed month.'),
    reopening: actionStamp
      .extend({ reason: z.string() })
      .nullable()
      .describe('Set if the month is open because it was reopened.'),
  })
  .meta({
    id: 'BankMonth',
    description: "A month's payouts, deposits, and bounced checks, to compare with the bank's statement.",
  });

export type BankMonth = z.infer<typeof bankMonth>;

const bookMonths = z
  .object({
    firstMonth: z.string(),
    lastMonth: z.string().describe('The current month.'),
    closedMonth: z.string().nullable().describe('The last closed month; all earlier months are closed too.'),
  })
  .meta({ id: 'BookMonths', description: 'The months in the books.' });

export type BookMonths = z.infer<typeof bookMonths>;

const orgParams = z.strictObject({ orgid: orgId });
const month = z.string().refine(isMonth, 'must be a month, such as 2026-03');
const monthParams = z.strictObject({ orgid: orgId, month });
const depositParams = z.strictObject({ orgid: orgId, depositid: id });
const emptyResponse = z.object({});

export const bankCalls = {
  readBankMonth: {
    summary: "Read a month's payouts and deposits",
    description:
      'By default, the month of the line if one is given; otherwise the oldest month that can be closed, or the current month.',
    params: orgParams,
    query: z.strictObject({ month: month.optional(), line: id.optional().describe('Id of a payout or deposit.') }),
    response: bankMonth,
  },
  readBookMonths: {
    summary: 'Read the range of months in the books',
    params: orgParams,
    response: bookMonths,
  },
  markBankLine: {
    summary: "Record whether a line is on the bank's statement",
    params: z.strictObject({ orgid: orgId, kind: z.enum(['payout', 'deposit', 'bounced-check']), lineid: id }),
    body: z.strictObject({ seen: z.boolean() }),
    response: z.object({ seen }),
  },
  saveDeposit: {
    summary: 'Group checks that were deposited together',
    description: 'The caller chooses the id. Repeating it saves the deposit once.',
    params: depositParams,
    body: z.strictObject({ on: day, entryids: z.array(id).min(1).max(500) }),
    response: emptyResponse,
  },
  removeDeposit: {
    summary: 'Undo a deposit, so that its checks can be deposited again',
    params: depositParams,
    response: emptyResponse,
  },
  closeMonth: {
    summary: 'Close a month and all earlier ones',
    description:
      "All payouts and deposits must be on the bank's statement. Entries recorded later are booked in a later month.",
    params: monthParams,
    response: emptyResponse,
  },
  reopenMonth: {
    summary: 'Reopen the last closed month',
    params: monthParams,
    body: z.strictObject({ reason: printableText(MAX_REASON_LENGTH * 4) }),
    response: emptyResponse,
  },
} as const;
