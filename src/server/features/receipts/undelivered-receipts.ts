import type { UndeliveredReceipt } from '#contract/schemas/receipts.ts';
import type { ParsedQuery } from '#contract/schemas.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import { toDollars } from '#domain/money.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgFacts } from '#server/entities/find-org.ts';
import { openPdf, type PdfSheet } from '#server/gateways/pdf/write-pdf.ts';
import { FileResponse } from '#server/http/call-route.ts';
import { createListPage, type ListPage } from '#server/http/list-page.ts';
import { readHistory } from './receipt-document.ts';
import { composeReceiptSheet } from './receipt-pdf.ts';
import { countUndelivered, listUndeliveredReceipts, type UndeliveredRow } from './receipt-sources.store.ts';

/** Attempts are at most an hour apart, so a receipt that is pending for longer than this is no longer being sent. */
const MAX_WAIT_MS = 2 * 60 * 60_000;

/** Reads undelivered receipts, newest first. */
export async function readUndelivered(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  orgId: OrgId,
  { max, cursorRef }: ParsedQuery<'readUndelivered'>,
): Promise<ListPage<UndeliveredReceipt[]>> {
  const page = { max: max + 1, after: cursorRef, overdueBefore: getOverdueTime(now) };
  const rows = await listUndeliveredReceipts(db.kysely, orgId, page);
  return createListPage(
    rows.map((row) => ({ ...row, id: row.ledger_entry_id })),
    max,
    presentUndelivered,
  );
}

type PrintDeps = Pick<AppDeps, 'db' | 'now' | 'parent'>;

const RECEIPTS_PER_QUERY = 50;

/**
 * Exports all undelivered receipts as one file to print, newest first. A known postal address fits the window of an
 * envelope.
 * @returns Failure receipt-not-found if all receipts are delivered
 */
export async function printUndelivered(
  deps: PrintDeps,
  { id: orgId, name }: OrgFacts,
): Promise<FileResponse | Failure> {
  const firstRows = await readUndeliveredAfter(deps, orgId);
  if (firstRows.length === 0) return new Failure('receipt-not-found');
  const title = `Receipts to send, ${name}`;
  const documentInfo = { title, footer: [deps.parent.name], createdAt: deps.now() };
  return new FileResponse({
    content: await openPdf(documentInfo, generateSheets(deps, orgId, firstRows)),
    type: 'application/pdf',
    name: 'receipts-to-send.pdf',
  });
}

function readUndeliveredAfter({ db, now }: PrintDeps, orgId: OrgId, after?: string): Promise<UndeliveredRow[]> {
  return listUndeliveredReceipts(db.kysely, orgId, {
    max: RECEIPTS_PER_QUERY,
    after,
    overdueBefore: getOverdueTime(now),
  });
}

async function* generateSheets(
  deps: PrintDeps,
  orgId: OrgId,
  firstRows: readonly UndeliveredRow[],
): AsyncGenerator<PdfSheet> {
  let rows = firstRows;
  while (rows.length > 0) {
    for (const row of rows)
      yield addAddress(composeReceiptSheet(row.document, await readHistory(deps.db.kysely, row)), row);
    rows = await readUndeliveredAfter(deps, orgId, rows.at(-1)?.ledger_entry_id);
  }
}

function addAddress(sheet: PdfSheet, { name, postal_address }: UndeliveredRow): PdfSheet {
  if (postal_address === null) return sheet;
  const lines = [name ?? '', ...postal_address.split(/\r?\n/)].flatMap((line) => line.trim() || []);
  return { ...sheet, parts: [{ kind: 'address', lines }, ...sheet.parts] };
}

export function countUndeliveredReceipts({ db, now }: Pick<AppDeps, 'db' | 'now'>, orgId: OrgId): Promise<number> {
  return countUndelivered(db.kysely, orgId, getOverdueTime(now));
}

function getOverdueTime(now: () => Date): Date {
  return new Date(now().getTime() - MAX_WAIT_MS);
}

function presentUndelivered(row: UndeliveredRow): UndeliveredReceipt {
  return {
    id: row.ledger_entry_id,
    number: row.printed_number,
    name: row.name,
    email: row.alternate_email ?? row.email,
    postalAddress: row.postal_address,
    amount: toDollars(row.amount_cents),
    givenOn: row.document.givenOn,
    reason: undeliveredReason(row),
    code: row.delivery_error_code,
    triedTimestamp: row.delivery_at.toISOString(),
  };
}

/** A listed receipt with any other delivery status is pending. */
function undeliveredReason({ delivery }: UndeliveredRow): UndeliveredReceipt['reason'] {
  return delivery === 'rejected' || delivery === 'failed' || delivery === 'no-address' ? delivery : 'pending';
}
