import type { ParsedQuery } from '#contract/schemas.ts';
import { type CartItem, cartInterval } from '#domain/cart.ts';
import { dayOf, endOfDay, startOfDay, type TimeZone } from '#domain/days.ts';
import { toText } from '#domain/decimal.ts';
import { formatExportName } from '#domain/export-name.ts';
import { Failure } from '#domain/failures.ts';
import { formatCentsForFile, STORED_DECIMALS } from '#domain/money.ts';
import { tributeText } from '#domain/tribute.ts';
import type { Database } from '#server/db/connection.ts';
import { withLongTimeout } from '#server/db/limits.ts';
import type { OrgWithTimeZone } from '#server/entities/find-org.ts';
import type { FileResponse } from '#server/http/call-route.ts';
import { type CsvRow, createCsvDownload } from '#server/http/csv-file.ts';
import {
  countLedgerLines,
  type LedgerLine,
  type LedgerSpan,
  type LineCursor,
  listLedgerLines,
} from './ledger-lines.store.ts';

const LINES_PER_QUERY = 500;

/**
 * Exports the ledger as CSV for the treasurer, with one line per entry. A gift's line includes its fee. Entries never
 * change, so even a long download contains each entry exactly once if it existed when the download started.
 * @returns Failure days-out-of-order
 */
export async function exportLedger(
  db: Database,
  { id: orgId, timeZone }: OrgWithTimeZone,
  { from, to }: ParsedQuery<'downloadLedger'>,
): Promise<FileResponse | Failure> {
  if (from !== undefined && to !== undefined && to < from) return new Failure('days-out-of-order', { field: 'to' });
  const span: LedgerSpan = {
    from: from === undefined ? undefined : startOfDay(from, timeZone),
    until: to === undefined ? undefined : endOfDay(to, timeZone),
  };
  const lines = await withLongTimeout(() => countLedgerLines(db.kysely, orgId, span));
  return createCsvDownload({
    name: formatExportName('ledger', { from, to }),
    lines,
    headings: COLUMNS.map(([heading]) => heading),
    pages: readRows(db, { id: orgId, timeZone }, span),
  });
}

async function* readRows(db: Database, { id, timeZone }: OrgWithTimeZone, span: LedgerSpan): AsyncGenerator<CsvRow[]> {
  let cursor: LineCursor | undefined;
  do {
    const lines = await listLedgerLines(db.kysely, id, span, { after: cursor, max: LINES_PER_QUERY });
    yield lines.map((line) => COLUMNS.map(([, cell]) => cell(line, timeZone)));
    cursor = lines.length < LINES_PER_QUERY ? undefined : lines.at(-1);
  } while (cursor);
}

type Column = readonly [heading: string, cell: (line: LedgerLine, zone: TimeZone) => string | null];
const COLUMNS: readonly Column[] = [
  ['Date', ({ booked_at }, zone) => dayOf(booked_at, zone)],
  ['Time (UTC)', ({ booked_at }) => booked_at.toISOString()],
  ['Dated', ({ occurred_at }, zone) => dayOf(occurred_at, zone)],
  ['Kind', ({ kind }) => kind],
  ['Gross', ({ amount_cents }) => formatCentsForFile(amount_cents)],
  ['Covered fee', ({ covered_fee_cents }) => formatAmount(covered_fee_cents)],
  ['Fee', ({ fee_cents }) => formatAmount(fee_cents)],
  ['Net', (line) => formatAmount(computeNetCents(line))],
  ['Refunded', ({ returned_cents }) => formatAmount(returned_cents)],
  ['Payout', ({ payout_id }) => payout_id],
  ['Arrived at the bank', ({ arrived_on }) => arrived_on],
  ['Paid out', ({ kind, paid_out_cents }) => (kind === 'grant' ? null : formatAmount(paid_out_cents))],
  ['Currency', ({ currency }) => currency.toUpperCase()],
  ['Pounds of carbon', ({ carbon }) => toText({ units: BigInt(carbon), scale: STORED_DECIMALS })],
  ['Recurrence', ({ cart, pledge_id }) => (cart ? formatRecurrence(cart) : pledge_id && 'once')],
  ['Receipt number', ({ receipt_number }) => (receipt_number === null ? null : String(receipt_number))],
  ['Name', ({ name }) => name],
  ['Email', ({ email }) => email],
  ['Tribute', ({ tribute }) => tribute && tributeText(tribute)],
  ['Check number', ({ check_number }) => check_number],
  ['Reason', ({ reason }) => reason],
  ['Checkout id', ({ checkout_id }) => checkout_id],
  ['Pledge id', ({ pledge_id }) => pledge_id],
  ['Grant id', ({ grant_id }) => grant_id],
  ['Provider session id', ({ provider_session_id }) => provider_session_id],
  ['Provider payment id', ({ provider_payment_id }) => provider_payment_id],
  ['Provider subscription id', ({ provider_subscription_id }) => provider_subscription_id],
  ['Fact', ({ fact }) => fact],
  ['Entry id', ({ id }) => id],
  ['Gift entry id', ({ gift_entry_id }) => gift_entry_id],
  ['Posted (UTC)', ({ created_at }) => created_at.toISOString()],
];

/** The entry's effect on the fund's money: a gift minus its fee. The lines of a ledger add up to the fund's money. */
function computeNetCents({ kind, amount_cents, fee_cents, paid_out_cents }: LedgerLine): number | null {
  if (kind === 'adjustment' || kind === 'payout' || kind === 'promise') return null;
  if (kind === 'grant') return paid_out_cents;
  if (kind === 'payment' || kind === 'renewal') return fee_cents === null ? null : amount_cents - fee_cents;
  return amount_cents - (fee_cents ?? 0);
}

function formatAmount(amount: number | null): string | null {
  return amount === null ? null : formatCentsForFile(amount);
}

function formatRecurrence(cart: readonly CartItem[]): string {
  const interval = cartInterval(cart);
  if (!interval) return 'once';
  if (interval.count > 1) return `every ${interval.count} ${interval.unit}s`;
  return interval.unit === 'month' ? 'monthly' : 'yearly';
}
