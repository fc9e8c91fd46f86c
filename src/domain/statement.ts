import { type InLanguage, LANGUAGE } from '#messages';
import type { Account, LedgerKind } from './books.ts';
import type { Day } from './days.ts';
import type { Cents } from './money.ts';

/** Accounts with money. */
export const MONEY_ACCOUNTS = ['provider', 'bank', 'disputed'] as const satisfies readonly Account[];
export type MoneyAccount = (typeof MONEY_ACCOUNTS)[number];

/** Kinds of changes to a fund's money, in the order of a statement. */
export const MOVEMENTS = ['gifts', 'fees', 'refunds', 'disputes', 'payouts', 'grants'] as const;
export type MovementName = (typeof MOVEMENTS)[number];

export const ACCOUNT_TITLES: Readonly<Record<MoneyAccount, string>> = {
  provider: 'With the card processor',
  bank: 'At the bank',
  disputed: 'Held in disputes',
};

export const MOVEMENT_TITLES: Readonly<Record<MovementName, string>> = {
  gifts: 'Gifts',
  fees: 'Fees',
  refunds: 'Refunds and bounced checks',
  disputes: 'Disputes',
  payouts: 'Payouts',
  grants: 'Grants',
};

/** Rows of a statement, in order. */
export const STATEMENT_ROWS = ['opening', ...MOVEMENTS, 'closing'] as const;

export const STATEMENT_ROW_TITLES = {
  ...MOVEMENT_TITLES,
  opening: 'Opening balance',
  closing: 'Closing balance',
} as const;

/** Facts about a period beside its balances. */
export const COUNT_TITLES = { given: 'Gifts minus returns', donors: 'Donors', grants: 'Grants paid' } as const;

/** Part of the closing balance at the bank. */
export const UNDEPOSITED_TITLE = 'Of which checks not yet deposited';

/** Kinds without a movement: an adjustment corrects totals without money, and a promise doesn't move any yet. */
const MOVEMENT_BY_KIND: Readonly<Record<LedgerKind, MovementName | undefined>> = {
  adjustment: undefined,
  promise: undefined,
  grant: 'grants',
  payment: 'gifts',
  renewal: 'gifts',
  check: 'gifts',
  fee: 'fees',
  refund: 'refunds',
  reversal: 'refunds',
  dispute: 'disputes',
  payout: 'payouts',
};

/** Sums of an account and kind: before a period, and during it. */
export type PeriodSums = {
  readonly account: MoneyAccount;
  readonly kind: LedgerKind;
  readonly before: Cents;
  readonly during: Cents;
};

/** opening plus all movements equals closing, which is the next period's opening. */
export type AccountStatement = Readonly<Record<MovementName | 'opening' | 'closing', Cents>>;

export type StatementAccounts = Readonly<Record<MoneyAccount | 'all', AccountStatement>>;

export function createStatement(sums: readonly PeriodSums[]): StatementAccounts {
  const buildAccount = (account: MoneyAccount) => buildAccountStatement(sums.filter((row) => row.account === account));
  return {
    provider: buildAccount('provider'),
    bank: buildAccount('bank'),
    disputed: buildAccount('disputed'),
    all: buildAccountStatement(sums),
  };
}

function buildAccountStatement(sums: readonly PeriodSums[]): AccountStatement {
  const sum = (cents: readonly Cents[]) => cents.reduce((total, amount) => total + amount, 0);
  const movementSum = (name: MovementName) =>
    sum(sums.map(({ kind, during: cents }) => (MOVEMENT_BY_KIND[kind] === name ? cents : 0)));
  const opening = sum(sums.map(({ before }) => before));
  const [gifts, fees, refunds] = [movementSum('gifts'), movementSum('fees'), movementSum('refunds')];
  const [disputes, payouts, grants] = [movementSum('disputes'), movementSum('payouts'), movementSum('grants')];
  return {
    opening,
    gifts,
    fees,
    refunds,
    disputes,
    payouts,
    grants,
    closing: opening + gifts + fees + refunds + disputes + payouts + grants,
  };
}

/** A calendar month: "2026-03". */
export type Month = string;

const MONTH_PATTERN = /^\d{4}-(?:0[1-9]|1[0-2])$/;

export function isMonth(text: string): boolean {
  return MONTH_PATTERN.test(text);
}

export function firstDayOfMonth(month: Month): Day {
  return `${month}-01`;
}

export function addMonths(month: Month, months = 1): Month {
  const count = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + months;
  return `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}`;
}

/** The period of a statement: a calendar month, "2026-03", or year, "2026". */
export type StatementPeriod = string;

const YEAR_PATTERN = /^\d{4}$/;

export function isStatementPeriod(text: string): boolean {
  return isMonth(text) || YEAR_PATTERN.test(text);
}

/** The first and last month of a period. */
export function getPeriodMonths(period: StatementPeriod): { readonly first: Month; readonly last: Month } {
  return isMonth(period) ? { first: period, last: period } : { first: `${period}-01`, last: `${period}-12` };
}

/** "March 2026", or "2026" for a year */
export function formatPeriod(period: StatementPeriod): string {
  return isMonth(period) ? formatMonth(period) : period;
}

/** "March 2026" */
export function formatMonth(month: Month, { locale = LANGUAGE }: InLanguage = {}): string {
  const format = new Intl.DateTimeFormat(`${locale}-US`, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return format.format(new Date(`${firstDayOfMonth(month)}T00:00:00Z`));
}
