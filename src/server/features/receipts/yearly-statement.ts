import type { GivingYear } from '#contract/schemas/users.ts';
import { limitReturns, type ReturnedAmounts } from '#domain/books.ts';
import { type Day, dayOf, dayText, type TimeZone } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import { type Cents, formatCents, toDollars } from '#domain/money.ts';
import { makeEmailSafe } from '#domain/names.ts';
import type { Actor } from '#domain/permissions.ts';
import { getReceiptLanguage, type ReceiptDocument, translateStatements } from '#domain/receipt.ts';
import { LANGUAGES, type Language, m } from '#messages';
import type { AppDeps } from '#server/deps.ts';
import { findVerifiedUser, type UserFacts } from '#server/entities/find-user.ts';
import { type PdfPart, type PdfSheet, writePdf } from '#server/gateways/pdf/write-pdf.ts';
import { FileResponse } from '#server/http/call-route.ts';
import {
  type DonorScope,
  listDonorReceipts,
  listUserReceipts,
  type ReceiptWithReturns,
} from './receipt-sources.store.ts';

type StatementDeps = Pick<AppDeps, 'db' | 'sandbox' | 'now'>;

/** A receipt, and the amounts of its gift that were or may be returned. */
type StatementGift = { readonly document: ReceiptDocument; readonly returns: ReturnedAmounts; readonly zone: TimeZone };

const RETURN_LABELS = { returned: m.statementReturned, pending: m.givingRefunding, disputed: m.giftDisputed } as const;

/** Sums a user's gifts by tax year, newest first. Test payments don't count. */
export async function readGivingYears(deps: StatementDeps, user: UserFacts): Promise<GivingYear[]> {
  return groupByYear(await readUserGifts(deps, user));
}

/** Sums a donor's gifts to one organization by tax year, newest first. */
export async function readDonorYears(deps: StatementDeps, orgId: OrgId, donorId: string): Promise<GivingYear[]> {
  return groupByYear(toStatementGifts(deps, await listDonorReceipts(deps.db.kysely, { orgId, donorIds: [donorId] })));
}

function groupByYear(allGifts: readonly StatementGift[]): GivingYear[] {
  const years = Map.groupBy(allGifts, ({ document }) => getYear(document));
  return [...years]
    .toSorted(([a], [b]) => b.localeCompare(a))
    .map(([year, gifts]) => ({
      year,
      gifts: gifts.length,
      amount: toDollars(sumBy(gifts, ({ document }) => document.amount)),
      returned: toDollars(sumBy(gifts, sumReturns)),
      pendingReturn: toDollars(sumBy(gifts, ({ returns }) => returns.pending + returns.disputed)),
    }));
}

/**
 * Creates a PDF with a tax year's receipts by donee, for the donor's tax return, in the language of the donor's page.
 * @returns Failure user-not-found, receipt-not-found
 */
export async function readYearlyStatement(
  deps: StatementDeps,
  actor: Actor,
  { year, language }: { readonly year: string; readonly language: Language },
): Promise<FileResponse | Failure> {
  const user = await findVerifiedUser(deps.db.kysely, actor);
  if (!user) return new Failure('user-not-found');
  const gifts = (await readUserGifts(deps, user)).filter(({ document }) => getYear(document) === year);
  if (gifts.length === 0) return new Failure('receipt-not-found');
  // Receipts are listed in the order of their gifts.
  const receiptName = gifts.findLast(({ document }) => document.donor !== null)?.document.donor ?? '';
  const donor = { name: makeEmailSafe(user.displayName) || receiptName || user.email };
  const content = await writePdf(composeStatementSheet(gifts, { donor, year, now: deps.now(), language }));
  return new FileResponse({ content, type: 'application/pdf', name: m.statementFile({ year }, { locale: language }) });
}

/** A donor whose statement an organization prints. */
export type StatementRecipient = StatementDonor & { readonly id: string };

/**
 * Composes statements of donors' gifts to one organization in a tax year, each in the language of the donor's last receipt.
 * Skips donors without gifts in that year.
 */
export async function composeDonorStatements(
  deps: StatementDeps,
  { orgId, year }: { readonly orgId: OrgId; readonly year: string },
  donors: readonly StatementRecipient[],
): Promise<PdfSheet[]> {
  const scope: DonorScope = { orgId, donorIds: donors.map(({ id }) => id), year };
  const receipts = Map.groupBy(await listDonorReceipts(deps.db.kysely, scope), ({ donor_id }) => donor_id);
  return donors.flatMap(({ id, ...donor }) => {
    const gifts = toStatementGifts(deps, receipts.get(id) ?? []);
    const lastGift = gifts.at(-1);
    if (!lastGift) return [];
    const language = getReceiptLanguage(lastGift.document);
    return composeStatementSheet(gifts, { donor, year, now: deps.now(), language });
  });
}

async function readUserGifts(deps: StatementDeps, user: UserFacts): Promise<StatementGift[]> {
  return toStatementGifts(deps, await listUserReceipts(deps.db.kysely, user));
}

function toStatementGifts({ sandbox }: StatementDeps, sources: readonly ReceiptWithReturns[]): StatementGift[] {
  // A bounced check is not a gift.
  const gifts = sources
    .filter((source) => !source.is_reversed)
    .map((source) => ({ document: source.document, returns: toReturnedAmounts(source), zone: source.time_zone }));
  // In the sandbox, all gifts are test payments, and their statements are marked.
  return sandbox ? gifts : gifts.filter(({ document }) => document.testPaymentNotice === null);
}

function toReturnedAmounts({
  amount_cents,
  returned_cents,
  pending_cents,
  disputed_cents,
}: ReceiptWithReturns): ReturnedAmounts {
  return limitReturns(amount_cents, { returned: returned_cents, pending: pending_cents, disputed: disputed_cents });
}

function sumReturns({ returns }: StatementGift): Cents {
  return returns.returned + returns.pending + returns.disputed;
}

function getYear({ givenOn }: ReceiptDocument): string {
  return givenOn.slice(0, 4);
}

function sumBy(gifts: readonly StatementGift[], getAmount: (gift: StatementGift) => number): number {
  return gifts.reduce((total, gift) => total + getAmount(gift), 0);
}

type StatementDonor = {
  readonly name: string;
  /** Lines of the postal address; empty if unknown. */
  readonly postalAddress?: readonly string[];
};

type StatementContext = {
  readonly donor: StatementDonor;
  readonly year: string;
  readonly now: Date;
  readonly language: Language;
};

export function composeStatementSheet(
  gifts: readonly StatementGift[],
  { donor, year, now, language }: StatementContext,
): PdfSheet {
  const options = { locale: language };
  const donees = Map.groupBy(gifts, ({ document: { donee } }) => `${donee.name}, EIN ${donee.ein}`);
  const documents = gifts.map(({ document }) => translateStatements(document, options));
  const testNotices = new Set(documents.flatMap(({ testNotice }) => testNotice ?? []));
  const statements = joinStatements(
    documents.map(({ statement }) => statement),
    language,
  );
  const officialStatements = joinStatements(
    gifts.map(({ document: { statement } }) => statement),
    LANGUAGES[0],
  ).filter((statement) => !statements.includes(statement));
  const title = m.statementTitle({ year }, options);
  const { name, postalAddress = [] } = donor;
  const parts: PdfPart[] = [
    ...(postalAddress.length === 0 ? [] : [{ kind: 'address', lines: [name, ...postalAddress] } as const]),
    { kind: 'title', text: title },
    ...[...testNotices].map((text) => ({ kind: 'highlight', text }) as const),
    {
      kind: 'details',
      rows: [
        [m.statementGivenBy({}, options), name],
        [m.statementPrepared({}, options), dayText(getPreparationDay(now, gifts), options)],
      ],
    },
    ...[...donees].flatMap(([donee, doneeGifts]) => createDoneeParts(donee, doneeGifts, language)),
    ...statements.map((text) => ({ kind: 'text', text }) as const),
    ...officialStatements.map(
      (statement) => ({ kind: 'note', text: m.receiptOfficial({ statement }, options) }) as const,
    ),
    { kind: 'note', text: m.statementNote({}, options) },
  ];
  const [firstGift] = gifts;
  const { donee, orgName } = firstGift?.document ?? { donee: undefined, orgName: '' };
  return {
    language,
    title,
    brand: donees.size === 1 ? (donee?.name ?? orgName) : m.statementBrand({}, options),
    parts,
    footer: donees.size === 1 && donee ? [`${donee.name}, EIN ${donee.ein}`, donee.address, donee.contactEmail] : [],
    createdAt: now,
  };
}

/** Lists each statement once. One sentence covers several gifts that all have the usual statement. */
function joinStatements(statements: readonly string[], locale: Language): string[] {
  const usualStatement = m.receiptNoGoods({}, { locale });
  if (statements.length > 1 && statements.every((statement) => statement === usualStatement))
    return [m.statementNoGoods({}, { locale })];
  return [...new Set(statements)];
}

/** Returns today's date in the time zone of the organization that received the last gift. */
function getPreparationDay(now: Date, gifts: readonly StatementGift[]): Day {
  return dayOf(now, gifts.at(-1)?.zone ?? 'UTC');
}

function createDoneeParts(donee: string, gifts: readonly StatementGift[], language: Language): PdfPart[] {
  const options = { locale: language };
  const total = sumBy(gifts, (gift) => gift.document.amount - sumReturns(gift));
  return [
    { kind: 'heading', text: donee },
    {
      kind: 'table',
      headings: [
        m.statementReceipt({}, options),
        m.statementDate({}, options),
        m.statementFor({}, options),
        m.receiptAmount({}, options),
      ],
      rows: gifts.flatMap((gift) => buildTableRows(gift, language)),
      total: [m.cartTotal({}, options), '', '', formatCents(total)],
    },
  ];
}

function buildTableRows({ document, returns }: StatementGift, language: Language): string[][] {
  const { number, givenOn, orgName, amount } = document;
  const returnRows = Object.entries(RETURN_LABELS).map(
    ([kind, label]) => [label({}, { locale: language }), returns[kind as keyof ReturnedAmounts]] as const,
  );
  return [
    [String(number), formatShortDay(givenOn, language), orgName, formatCents(amount)],
    ...returnRows.flatMap(([label, cents]) => (cents === 0 ? [] : [['', '', label, formatCents(-cents)]])),
  ];
}

/** Formats a day as "Mar 14, 2026". */
function formatShortDay(day: Day, language: Language): string {
  const format = new Intl.DateTimeFormat(`${language}-US`, { dateStyle: 'medium', timeZone: 'UTC' });
  return format.format(new Date(`${day}T00:00:00Z`));
}
