import { type CartItem, cartInterval } from '#domain/cart.ts';
import { csvLine } from '#domain/csv.ts';
import { toText } from '#domain/decimal.ts';
import { KEPT_DECIMALS } from '#domain/money.ts';
import type { LedgerLine } from './ledger-lines.store.ts';

/** What a column is called, and what it says of an entry. */
type Column = readonly [heading: string, cell: (line: LedgerLine) => string | null];
const COLUMNS: readonly Column[] = [
  ['Date (UTC)', ({ occurred_at }) => occurred_at.toISOString()],
  ['Kind', ({ kind }) => kind],
  ['Gross', ({ amount_cents }) => exact(amount_cents, 2)],
  ['Currency', ({ currency }) => currency.toUpperCase()],
  ['Pounds of carbon', ({ carbon }) => exact(carbon, KEPT_DECIMALS)],
  ['Recurrence', ({ cart }) => (cart ? recurrenceOf(cart) : 'once')],
  ['Receipt number', ({ receipt_number }) => (receipt_number === null ? null : String(receipt_number))],
  ['Name', ({ name }) => name],
  ['Email', ({ email }) => email],
  ['Check number', ({ check_number }) => check_number],
  ['Reason', ({ reason }) => reason],
  ['Checkout id', ({ checkout_id }) => checkout_id],
  ['Pledge id', ({ pledge_id }) => pledge_id],
  ['Provider session id', ({ provider_session_id }) => provider_session_id],
  ['Provider payment id', ({ provider_payment_id }) => provider_payment_id],
  ['Provider subscription id', ({ provider_subscription_id }) => provider_subscription_id],
  ['Fact', ({ fact }) => fact],
  ['Entry id', ({ id }) => id],
  ['Posted (UTC)', ({ created_at }) => created_at.toISOString()],
];

/** By this mark spreadsheets know that the letters of names are in UTF-8. */
const UTF8_MARK = '\ufeff';

/** The first line, which says what the columns are. */
export function ledgerHeading(): string {
  return UTF8_MARK + csvLine(COLUMNS.map(([heading]) => heading));
}

export function ledgerCsvLine(line: LedgerLine): string {
  return csvLine(COLUMNS.map(([, cell]) => cell(line)));
}

function exact(units: number, scale: number): string {
  return toText({ units: BigInt(units), scale });
}

function recurrenceOf(cart: readonly CartItem[]): string {
  const interval = cartInterval(cart);
  if (!interval) return 'once';
  if (interval.count > 1) return `every ${interval.count} ${interval.unit}s`;
  return interval.unit === 'month' ? 'monthly' : 'yearly';
}
