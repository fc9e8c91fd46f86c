import type { ListedGift } from '#contract/schemas/checkout-records.ts';
import type { ParsedQuery } from '#contract/schemas.ts';
import { cartInterval, recurringSuffix } from '#domain/cart.ts';
import { dayOf, type TimeZone } from '#domain/days.ts';
import { formatExportName } from '#domain/export-name.ts';
import { Failure } from '#domain/failures.ts';
import { formatCentsForFile, toDollars } from '#domain/money.ts';
import type { Database } from '#server/db/connection.ts';
import type { OrgWithTimeZone } from '#server/entities/find-org.ts';
import type { FileResponse } from '#server/http/call-route.ts';
import { type CsvRow, createCsvDownload } from '#server/http/csv-file.ts';
import { buildGiftBranches, type GiftBranch } from './gift-branches.store.ts';
import {
  countGifts,
  type GiftFee,
  type GiftKey,
  type GiftOrder,
  listFees,
  listReceiptNumbers,
  readGiftKeys,
} from './gift-search.store.ts';
import { listGifts, toFilter } from './search-checkouts.ts';

const LINES_PER_QUERY = 500;

/**
 * Exports the rows of a search as CSV, in the order of the list.
 * @returns Failure days-out-of-order
 */
export async function exportCheckouts(
  db: Database,
  org: OrgWithTimeZone,
  { sort, order, ...search }: ParsedQuery<'downloadCheckouts'>,
): Promise<FileResponse | Failure> {
  const filter = toFilter(org.timeZone, search);
  if (filter instanceof Failure) return filter;
  const branches = await buildGiftBranches(db.kysely, org.id, filter);
  const lineCount = await countGifts(db.kysely, branches);
  return createCsvDownload({
    name: formatExportName('checkouts', search),
    lines: lineCount,
    headings: COLUMNS.map(([heading]) => heading),
    pages: readRows(db, org, branches, { sort, order }),
  });
}

async function* readRows(
  db: Database,
  { id: orgId, timeZone }: OrgWithTimeZone,
  branches: readonly GiftBranch[],
  order: GiftOrder,
): AsyncGenerator<CsvRow[]> {
  let after: GiftKey | undefined;
  do {
    const keys = await readGiftKeys(db.kysely, branches, { ...order, after, max: LINES_PER_QUERY });
    const ids = keys.map(({ id }) => id);
    const [gifts, receiptNumbers, fees] = await Promise.all([
      listGifts(db, orgId, keys),
      listReceiptNumbers(db.kysely, orgId, ids),
      listFees(db.kysely, orgId, ids),
    ]);
    const lines = gifts.map((gift) => toLine(gift, timeZone, receiptNumbers.get(gift.id) ?? [], fees.get(gift.id)));
    yield lines.map((line) => COLUMNS.map(([, cell]) => cell(line)));
    after = keys.length < LINES_PER_QUERY ? undefined : keys.at(-1);
  } while (after);
}

type Line = {
  readonly date: string;
  readonly kind: 'online' | 'check';
  readonly name: string | null;
  readonly email: string | null;
  readonly cart: string;
  readonly status: string;
  readonly donation: number;
  readonly returned: number;
  /** Undefined until the money arrives and its fee is known. */
  readonly fee: number | undefined;
  /** Undefined if the fee is unknown or the payment is disputed. */
  readonly net: number | undefined;
  readonly receipts: readonly number[];
  readonly checkNumber: string | null;
  readonly id: string;
};

const COLUMNS: readonly (readonly [heading: string, cell: (line: Line) => string | null])[] = [
  ['Date', ({ date }) => date],
  ['Paid by', ({ kind }) => kind],
  ['Name', ({ name }) => name],
  ['Email', ({ email }) => email],
  ['Cart', ({ cart }) => cart],
  ['Status', ({ status }) => status],
  ['Donation', ({ donation }) => formatDollars(donation)],
  ['Returned', ({ returned }) => formatDollars(returned)],
  ['Fee', ({ fee }) => (fee === undefined ? null : formatDollars(fee))],
  ['Net', ({ net }) => (net === undefined ? null : formatDollars(net))],
  ['Receipt numbers', ({ receipts }) => receipts.join(' ')],
  ['Check number', ({ checkNumber }) => checkNumber],
  ['ID', ({ id }) => id],
];

function toLine(gift: ListedGift, zone: TimeZone, receipts: readonly number[], fee: GiftFee | undefined): Line {
  if ('checkNumber' in gift) {
    const { id, name, email, status, amount, receivedAmount, receivedOn, checkNumber, createdTimestamp } = gift;
    const donation = receivedAmount ?? amount;
    const hasArrived = status === 'received' || status === 'bounced';
    return {
      id,
      name,
      email,
      status,
      donation,
      receipts,
      checkNumber,
      date: receivedOn ?? dayOf(new Date(createdTimestamp), zone),
      kind: 'check',
      cart: 'Donation',
      returned: status === 'bounced' ? donation : 0,
      fee: hasArrived ? 0 : undefined,
      net: hasArrived ? donation - (status === 'bounced' ? donation : 0) : undefined,
    };
  }
  const { id, displayName, email, cart, paymentStatus, total, refunded, createdTimestamp } = gift;
  const interval = cartInterval(cart);
  const titles = [...new Set(cart.map(({ title }) => title))].join(', ');
  return {
    id,
    email,
    receipts,
    name: displayName,
    date: dayOf(new Date(createdTimestamp), zone),
    kind: 'online',
    cart: `${titles}${interval ? ` ${recurringSuffix(interval.unit, interval.count)}` : ''}${'checkoutid' in gift ? ', renewal' : ''}`,
    status: paymentStatus,
    donation: total,
    returned: refunded,
    fee: fee && toDollars(fee.fee_cents),
    net: fee && !fee.is_disputed ? toDollars(fee.net_cents - fee.returned_cents) : undefined,
    checkNumber: null,
  };
}

function formatDollars(dollars: number): string {
  return formatCentsForFile(Math.round(dollars * 100));
}
