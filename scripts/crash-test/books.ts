import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { Database } from '#server/db/connection.ts';
import { migrate } from '#server/db/migrate.ts';
import { exportLedger } from '#server/features/treasury/export-ledger.ts';
import { compareBooks } from '../provider/compare-books.ts';
import type { ExternalProvider } from '../provider/external-provider.ts';
import { readProviderRecords } from './provider-actions.ts';

export const ORG_ID = 'crash-test';

export async function createOrganization(db: Database): Promise<void> {
  await migrate(db);
  const org = { id: ORG_ID, slug: ORG_ID, name: 'Crash test', tag: 'Nothing is lost' };
  await db.kysely.insertInto('orgs').values(org).execute();
}

/** Events that a server acknowledged, and checkouts that a browser showed as paid. */
type Confirmations = { readonly acknowledged: ReadonlySet<string>; readonly shownAsPaid: ReadonlySet<string> };

/**
 * @returns a sentence for each kind of broken promise: acknowledged events that were lost, and checkouts that were
 * shown as paid but aren't counted
 */
export async function findBrokenPromises(
  { kysely }: Database,
  { acknowledged, shownAsPaid }: Confirmations,
): Promise<string[]> {
  const storedEvents = await kysely
    .selectFrom('provider_events')
    .select('id')
    .where('id', 'in', ['', ...acknowledged])
    .execute();
  const countedCheckouts = await kysely
    .selectFrom('ledger_entries')
    .select('checkout_id')
    .distinct()
    .where('kind', '=', 'payment')
    .where('checkout_id', 'in', ['', ...shownAsPaid])
    .execute();
  const lostCount = acknowledged.size - storedEvents.length;
  const uncountedCount = shownAsPaid.size - countedCheckouts.length;
  return [
    ...(lostCount === 0 ? [] : [`${lostCount} of ${acknowledged.size} acknowledged events are lost`]),
    ...(uncountedCount === 0
      ? []
      : [`${uncountedCount} of ${shownAsPaid.size} checkouts that a browser showed as paid are not counted`]),
  ];
}

/** Ends the leases of killed servers. Otherwise their events would be retried only after ten seconds. */
export async function endLeases({ kysely }: Database): Promise<void> {
  await kysely
    .updateTable('provider_events')
    .set({ next_attempt_at: new Date() })
    .where('outcome', '=', 'pending')
    .execute();
}

export async function countPendingEvents({ kysely }: Database): Promise<number> {
  const { rows } = await sql<{ pending: number }>`
    select count(*) as pending from provider_events where outcome = 'pending'`.execute(kysely);
  return rows[0]?.pending ?? 0;
}

/** Compares the books with the provider once no event is pending. @returns a sentence for each difference */
export async function findDifferences(db: Database, provider: ExternalProvider): Promise<string[]> {
  const { rows } = await sql<{ gifts: number; receipted: number; receipts: number; attention: number }>`select
    (select count(*) from ledger_entries where kind in ('payment', 'renewal')) as gifts,
    (select count(distinct ledger_entry_id) from receipts) as receipted,
    (select count(*) from receipts) as receipts,
    (select count(*) from attention_items
      where resolved_at is null and subject not like 'dispute:%') as attention`.execute(db.kysely);
  const { gifts = 0, receipted = 0, receipts = 0, attention = 0 } = rows[0] ?? {};
  const { gifts: paidGifts, cents } = readProviderRecords(provider.store);
  const comparison = await compareBooks(db, await provider.createPaymentsClient(db));
  return [
    ...(gifts === paidGifts ? [] : [`${gifts} gifts are in the books, but ${paidGifts} were paid`]),
    ...(receipts === gifts && receipted === gifts ? [] : [`${receipts} receipts of ${receipted} for ${gifts} gifts`]),
    ...(attention === 0 ? [] : [`${attention} payments need attention`]),
    ...findCsvDifferences(await exportCsv(db), { gifts: paidGifts, cents }),
    ...(comparison.differences === 0 ? [] : comparison.lines),
  ];
}

async function exportCsv(db: Database): Promise<string> {
  const file = await exportLedger(db, { id: ORG_ID, timeZone: 'UTC' }, {});
  if (file instanceof Failure || !(file.file.content instanceof Readable)) throw new Error('The ledger has no CSV.');
  return text(file.file.content);
}

/** Splits at commas, since no name or address of these donors contains one. */
function findCsvDifferences(csv: string, provider: { readonly gifts: number; readonly cents: number }): string[] {
  const [heading = '', ...lines] = csv.trim().split(/\r?\n/);
  const names = heading.split(',');
  const readColumn = (name: string) => {
    const columnIndex = names.indexOf(name);
    return lines.map((line) => line.split(',')[columnIndex] ?? '');
  };
  const gifts = readColumn('Kind').filter((kind) => kind === 'payment' || kind === 'renewal').length;
  const receiptNumbers = readColumn('Receipt number').filter((number) => number !== '');
  const cents = readColumn('Gross').reduce((sum, dollars) => sum + Math.round(Number(dollars) * 100), 0);
  return [
    ...(gifts === provider.gifts ? [] : [`the CSV has ${gifts} gifts, and ${provider.gifts} were paid`]),
    ...(cents === provider.cents
      ? []
      : [`the CSV adds up to ${cents} cents, but ${provider.cents} remain after returns`]),
    ...(new Set(receiptNumbers).size === provider.gifts
      ? []
      : [`the CSV has ${new Set(receiptNumbers).size} receipt numbers`]),
  ];
}
