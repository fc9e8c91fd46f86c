import type { Transaction } from 'kysely';
import type { BankCheck, BankLine } from '#contract/schemas/bank.ts';
import { addDays, endOfDay } from '#domain/days.ts';
import { addMonths, firstDayOfMonth, type Month } from '#domain/statement.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import { closeMonth } from '#server/features/bank/close-month.ts';
import { markBankLine } from '#server/features/bank/mark-bank-line.ts';
import { readBankMonth } from '#server/features/bank/read-bank-month.ts';
import { saveDeposit } from '#server/features/bank/save-deposit.ts';
import { readMonths } from '#server/features/ledger/months.ts';
import { valueOrThrow } from '../value-or-throw.ts';
import type { SampleContext } from './sample-books.ts';
import { sampleOrg } from './sample-org.ts';

const ORG = { id: sampleOrg.id, timeZone: sampleOrg.time_zone } as const;

/** Unfinished work in the most recent past month. */
const UNDEPOSITED_CHECKS = 2;
const UNMARKED_LINES = 1;

/**
 * Compares each month with the bank statement on its last day, deposits its checks, and closes it. The most recent past
 * month stays open, with some unfinished work.
 */
export async function compareWithBank(tx: Transaction<Tables>, { deps, editorId, now }: SampleContext): Promise<void> {
  const { first, last } = await readMonths(tx, ORG, now);
  const openMonth = addMonths(last, -1);
  for (let month = first; month < last; month = addMonths(month)) {
    const getNow = () => endOfMonth(month);
    const monthDeps = { ...deps, now: getNow };
    const isOpen = month === openMonth;
    const bank = valueOrThrow(await readBankMonth(tx, monthDeps, ORG, { month }));
    await deposit(monthDeps, editorId, bank.checks.slice(0, isOpen ? -UNDEPOSITED_CHECKS : undefined));
    const { lines } = valueOrThrow(await readBankMonth(tx, monthDeps, ORG, { month }));
    await markLines(monthDeps, editorId, lines.slice(0, isOpen ? -UNMARKED_LINES : undefined));
    // Closing a month closes all earlier ones too.
    if (month === addMonths(openMonth, -2) || month === addMonths(openMonth, -1))
      valueOrThrow(await closeMonth(monthDeps, ORG, { month, userId: editorId }));
  }
}

function endOfMonth(month: Month): Date {
  return endOfDay(addDays(firstDayOfMonth(addMonths(month)), -1), ORG.timeZone);
}

/** Deposits the checks on the day when the last one was received. */
async function deposit(deps: AppDeps, editorId: string, checks: readonly BankCheck[]): Promise<void> {
  const lastCheck = checks.at(-1);
  if (!lastCheck) return;
  const id = `sample-deposit-${lastCheck.entryid}`;
  const facts = {
    id,
    depositedOn: lastCheck.receivedOn,
    entryIds: checks.map(({ entryid }) => entryid),
    userId: editorId,
  };
  valueOrThrow(await saveDeposit(deps, ORG, facts));
}

async function markLines(deps: AppDeps, editorId: string, lines: readonly BankLine[]): Promise<void> {
  for (const { kind, id } of lines)
    valueOrThrow(await markBankLine(deps, ORG, { kind, id, isSeen: true, userId: editorId }));
}
