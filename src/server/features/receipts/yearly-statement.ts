import type { GivingYear } from '#contract/schemas/users.ts';
import { type Day, dayOf, dayText, type TimeZone } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { type Cents, dollarsOf, formatCents } from '#domain/money.ts';
import { mailedName } from '#domain/names.ts';
import type { Actor } from '#domain/permissions.ts';
import { type ReceiptDocument, translateStatements } from '#domain/receipt.ts';
import { type Language, m } from '#messages';
import type { AppDeps } from '#server/deps.ts';
import { type UserFacts, verifiedUser } from '#server/entities/find-user.ts';
import { type PdfPart, type PdfSheet, writePdf } from '#server/gateways/pdf/write-pdf.ts';
import { FileAnswer } from '#server/http/call-route.ts';
import { type ReceiptSource, receiptsOfUser } from './receipt-sources.store.ts';

type StatementDeps = Pick<AppDeps, 'db' | 'sandbox' | 'now'>;

/** A receipt, with how much of its gift has gone back since, or may still. */
type Given = { readonly document: ReceiptDocument; readonly back: Back; readonly zone: TimeZone };
type Back = { readonly [Way in keyof typeof WAYS]: Cents };

const WAYS = { returned: m.statementReturned, pending: m.givingRefunding, disputed: m.giftDisputed } as const;

/** What a user gave in each tax year, the newest first. Test payments are not gifts. */
export async function givingYears(deps: StatementDeps, user: UserFacts): Promise<GivingYear[]> {
  const years = Map.groupBy(await givenBy(deps, user), ({ document }) => yearOf(document));
  return [...years]
    .toSorted(([one], [other]) => other.localeCompare(one))
    .map(([year, gifts]) => ({
      year,
      gifts: gifts.length,
      amount: dollarsOf(sum(gifts, ({ document }) => document.amount)),
      returned: dollarsOf(sum(gifts, allBack)),
    }));
}

/**
 * A list of all receipts of a tax year, donee by donee, for the donor's tax return, in the language of the donor's page.
 * @returns Failure user-not-found, receipt-not-found
 */
export async function readStatement(
  deps: StatementDeps,
  actor: Actor,
  { year, language }: { readonly year: string; readonly language: Language },
): Promise<FileAnswer | Failure> {
  const user = await verifiedUser(deps.db.kysely, actor);
  if (!user) return new Failure('user-not-found');
  const gifts = (await givenBy(deps, user)).filter(({ document }) => yearOf(document) === year);
  if (gifts.length === 0) return new Failure('receipt-not-found');
  const content = await writePdf(statementSheet(gifts, { user, year, now: deps.now(), language }));
  return new FileAnswer({ content, type: 'application/pdf', name: `giving-${year}.pdf` });
}

async function givenBy({ db, sandbox }: StatementDeps, user: UserFacts): Promise<Given[]> {
  const sources = await receiptsOfUser(db.kysely, user);
  // A check that bounced was not a gift.
  const given = sources
    .filter((source) => !source.is_reversed)
    .map((source) => ({ document: source.document, back: backOf(source), zone: source.time_zone }));
  // The sandbox has nothing else, and says so on its statements.
  const real = given.filter(({ document }) => document.mark === null);
  return sandbox ? given : real;
}

/** A gift that is disputed counts again only once the dispute is won. */
function backOf({ refunded_cents, pending_cents: pending, disputed_cents: disputed }: ReceiptSource): Back {
  return { returned: (refunded_cents ?? 0) - pending, pending, disputed };
}

function allBack({ back }: Given): Cents {
  return back.returned + back.pending + back.disputed;
}

function yearOf({ givenOn }: ReceiptDocument): string {
  return givenOn.slice(0, 4);
}

function sum(gifts: readonly Given[], each: (gift: Given) => number): number {
  return gifts.reduce((total, gift) => total + each(gift), 0);
}

type About = { readonly user: UserFacts; readonly year: string; readonly now: Date; readonly language: Language };

export function statementSheet(gifts: readonly Given[], { user, year, now, language }: About): PdfSheet {
  const options = { locale: language };
  const donees = Map.groupBy(gifts, ({ document: { donee } }) => `${donee.name}, EIN ${donee.ein}`);
  const documents = gifts.map(({ document }) => translateStatements(document, options));
  const marks = new Set(documents.flatMap(({ mark }) => mark ?? []));
  const statements = new Set(documents.map(({ statement }) => statement));
  const official = new Set(
    gifts.flatMap(({ document: { statement } }) => (statements.has(statement) ? [] : statement)),
  );
  const title = m.statementTitle({ year }, options);
  const parts: PdfPart[] = [
    { kind: 'title', text: title },
    ...[...marks].map((text) => ({ kind: 'mark', text }) as const),
    {
      kind: 'facts',
      rows: [
        [m.statementGivenBy({}, options), mailedName(user.displayName) || user.email],
        [m.statementPrepared({}, options), dayText(preparedOn(now, gifts), options)],
      ],
    },
    ...[...donees].flatMap(([donee, theirs]) => doneeParts(donee, theirs, language)),
    ...[...statements].map((text) => ({ kind: 'text', text }) as const),
    ...[...official].map((text) => ({ kind: 'note', text }) as const),
    { kind: 'note', text: m.statementNote({}, options) },
  ];
  const [first] = gifts;
  const { donee, program } = first?.document ?? { donee: undefined, program: '' };
  return {
    language,
    title,
    brand: donees.size === 1 ? (donee?.name ?? program) : m.statementBrand({}, options),
    parts,
    footer: donees.size === 1 && donee ? [`${donee.name}, EIN ${donee.ein}`, donee.address, donee.contactEmail] : [],
    createdAt: now,
  };
}

/** By the clocks of the organization that received the last of the gifts. */
function preparedOn(now: Date, gifts: readonly Given[]): Day {
  return dayOf(now, gifts.at(-1)?.zone ?? 'UTC');
}

function doneeParts(donee: string, gifts: readonly Given[], language: Language): PdfPart[] {
  const options = { locale: language };
  const total = sum(gifts, (gift) => gift.document.amount - allBack(gift));
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
      rows: gifts.flatMap((gift) => rowsOf(gift, language)),
      total: [m.cartTotal({}, options), '', '', formatCents(total)],
    },
  ];
}

function rowsOf({ document: { number, givenOn, program, amount }, back }: Given, language: Language): string[][] {
  const ways = Object.entries(WAYS).map(
    ([way, label]) => [label({}, { locale: language }), back[way as keyof Back]] as const,
  );
  return [
    [String(number), shortDay(givenOn, language), program, formatCents(amount)],
    ...ways.flatMap(([label, cents]) => (cents === 0 ? [] : [['', '', label, formatCents(-cents)]])),
  ];
}

/** "Mar 14, 2026". */
function shortDay(day: Day, language: Language): string {
  const format = new Intl.DateTimeFormat(`${language}-US`, { dateStyle: 'medium', timeZone: 'UTC' });
  return format.format(new Date(`${day}T00:00:00Z`));
}
