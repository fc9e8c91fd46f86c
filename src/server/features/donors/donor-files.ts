import { dayOf } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { formatCentsForFile } from '#domain/money.ts';
import { makeDisplaySafe, makeEmailSafe } from '#domain/names.ts';
import { recurringGiftLabel } from '#domain/recurring-gift.ts';
import { withLongTimeout } from '#server/db/limits.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgFacts, OrgWithTimeZone } from '#server/entities/find-org.ts';
import { createHomeCounter } from '#server/features/allocation/read-gift-homes.ts';
import { composeDonorStatements, type StatementRecipient } from '#server/features/receipts/yearly-statement.ts';
import { sumDonorRecurringGifts } from '#server/features/recurring-gifts/list-recurring-gifts.ts';
import { openPdf, type PdfSheet, writePdf } from '#server/gateways/pdf/write-pdf.ts';
import { FileResponse } from '#server/http/call-route.ts';
import { type CsvRow, createCsvDownload } from '#server/http/csv-file.ts';
import {
  countDonors,
  type DonorKey,
  type DonorRow,
  findDonor,
  findDonors,
  findDonorsByIds,
  listDonorIdsOfYear,
  listGiftIds,
  sumGiftsInSpan,
} from './donors.store.ts';
import { getYearSpan } from './read-donors.ts';

type FileDeps = Pick<AppDeps, 'db' | 'now' | 'sandbox' | 'parent'>;

const DONORS_PER_QUERY = 200;

const HEADINGS = [
  'Name',
  'Email',
  'Postal address',
  'Account',
  'First gift',
  'Last gift',
  'Gifts',
  'This year',
  'Last year',
  'Lifetime',
  'Recurring gift',
  'Recurring amount per month',
  'Homes helped',
  'Donor id',
];

/** Exports all donors as CSV, sorted by name. */
export async function exportDonors(deps: FileDeps, org: OrgWithTimeZone): Promise<FileResponse> {
  const { db, now } = deps;
  const lines = await withLongTimeout(() => countDonors(db.kysely, org.id));
  return createCsvDownload({
    name: `donors_${dayOf(now(), org.timeZone)}.csv`,
    lines,
    headings: HEADINGS,
    pages: readRows(deps, org),
  });
}

async function* readRows({ db, now }: FileDeps, { id: orgId, timeZone }: OrgWithTimeZone): AsyncGenerator<CsvRow[]> {
  const countHomes = await createHomeCounter(db, orgId);
  let cursorRef: string | undefined;
  do {
    const page = { query: '', sort: 'name', max: DONORS_PER_QUERY, cursorRef } as const;
    const rows = await findDonors(db.kysely, orgId, page);
    const ids = rows.map(({ id }) => id);
    const thisYear = await sumGiftsInSpan(db.kysely, orgId, ids, getYearSpan(now(), timeZone));
    const lastYear = await sumGiftsInSpan(db.kysely, orgId, ids, getYearSpan(now(), timeZone, 1));
    const recurringSums = await sumDonorRecurringGifts(db.kysely, orgId, ids);
    const gifts = await listGiftIds(db.kysely, orgId, ids);
    yield rows.map((row) => {
      const recurring = recurringSums.get(row.id);
      return [
        row.name && makeDisplaySafe(row.name),
        row.corrected_email ?? row.email,
        row.postal_address,
        row.user_id === null ? 'no' : 'yes',
        dayOf(row.first_gift_at, timeZone),
        dayOf(row.last_gift_at, timeZone),
        String(row.gifts),
        formatCentsForFile(thisYear.get(row.id) ?? 0),
        formatCentsForFile(lastYear.get(row.id) ?? 0),
        formatCentsForFile(row.amount_cents),
        recurring ? recurring.statuses.map((status) => recurringGiftLabel(status)).join(', ') : null,
        recurring?.monthlyCents ? formatCentsForFile(recurring.monthlyCents) : null,
        String(countHomes(gifts.get(row.id) ?? [])),
        row.id,
      ];
    });
    cursorRef = rows.length < DONORS_PER_QUERY ? undefined : rows.at(-1)?.id;
  } while (cursorRef !== undefined);
}

/** Creates a donor's statement for a tax year. @returns Failure donor-not-found, receipt-not-found */
export async function createDonorStatement(
  deps: FileDeps,
  key: DonorKey,
  year: string,
): Promise<FileResponse | Failure> {
  const row = await findDonor(deps.db.kysely, key);
  if (!row) return new Failure('donor-not-found');
  const [sheet] = await composeDonorStatements(deps, { orgId: key.orgId, year }, [toStatementRecipient(row)]);
  if (!sheet) return new Failure('receipt-not-found');
  return new FileResponse({ content: await writePdf(sheet), type: 'application/pdf', name: `giving-${year}.pdf` });
}

/**
 * Creates one printable file with the statements for a tax year, sorted by name.
 * @param recipients all donors, or only those without an email address
 * @returns Failure no-donors
 */
export async function printStatements(
  deps: FileDeps,
  { id: orgId, name }: OrgFacts,
  { year, recipients }: { readonly year: string; readonly recipients: 'everyone' | 'without-email' },
): Promise<FileResponse | Failure> {
  const ids = await withLongTimeout(() => listDonorIdsOfYear(deps.db.kysely, orgId, year, recipients));
  const sheets = generateStatementSheets(deps, { orgId, year }, ids);
  // Bounced checks and test payments aren't on statements, so a donor may have no statement.
  const firstSheet = await sheets.next();
  if (firstSheet.done) return new Failure('no-donors');
  const title = `Giving statements for ${year}`;
  const documentInfo = { title: `${title}, ${name}`, footer: [deps.parent.name], createdAt: deps.now() };
  return new FileResponse({
    content: await openPdf(documentInfo, prependSheet(firstSheet.value, sheets)),
    type: 'application/pdf',
    name: `giving-statements-${year}.pdf`,
  });
}

async function* prependSheet(sheet: PdfSheet, sheets: AsyncGenerator<PdfSheet>): AsyncGenerator<PdfSheet> {
  yield sheet;
  yield* sheets;
}

async function* generateStatementSheets(
  deps: FileDeps,
  { orgId, year }: { readonly orgId: string; readonly year: string },
  ids: readonly string[],
): AsyncGenerator<PdfSheet> {
  for (let start = 0; start < ids.length; start += DONORS_PER_QUERY) {
    const rows = await findDonorsByIds(deps.db.kysely, orgId, ids.slice(start, start + DONORS_PER_QUERY));
    yield* await composeDonorStatements(deps, { orgId, year }, rows.map(toStatementRecipient));
  }
}

function toStatementRecipient({ id, name, email, corrected_email, postal_address }: DonorRow): StatementRecipient {
  return {
    id,
    name: makeEmailSafe(name) || (corrected_email ?? email ?? 'Donor'),
    postalAddress: (postal_address ?? '').split(/\r?\n/).flatMap((line) => line.trim() || []),
  };
}
