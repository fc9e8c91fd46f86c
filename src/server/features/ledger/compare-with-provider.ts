import { DAY_MS } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import type { Cents } from '#domain/money.ts';
import type { Database } from '#server/db/connection.ts';
import type { AppDeps } from '#server/deps.ts';
import type { BalanceMovement } from '#server/gateways/payments/balance-facts.ts';
import { isOurs } from '#server/gateways/payments/origin.ts';
import type { ChargeStory, InvoiceFacts } from '#server/gateways/payments/payment-facts.ts';
import type { Payments } from '#server/gateways/payments/payments.ts';
import { type MonthEnd, monthEnds } from './month-ends.ts';
import { isHeld } from './other-movements.ts';
import {
  bookedMovements,
  firstOrgAddedAt,
  settlements,
  timeZones,
  unassignedInPayouts,
} from './provider-books.store.ts';
import { keyOf, type Row, SUMMED, type Summed, sheetOf } from './provider-sheet.ts';

export { firstOrgAddedAt } from './provider-books.store.ts';

/** What the books and the provider say of the same thing, in cents on the account at the provider; undefined: nothing. */
type Sides = { readonly books: Cents | undefined; readonly provider: Cents | undefined };

export type ProviderDifference = Sides & {
  readonly kind: Summed;
  /** The provider's id of the charge, refund, dispute, movement or payout. */
  readonly id: string;
  readonly currency: string;
  /** The provider's word for a movement that the books have no entry for. */
  readonly type: string | undefined;
  readonly chargeId: string | undefined;
  /** Of a charge that the books do not have. */
  readonly owner: ChargeOwner | undefined;
  /** When it last moved money. */
  readonly at: Date;
};

type ChargeOwner = Pick<ChargeStory, 'orgId' | 'checkoutId'> & {
  readonly invoiceId: string | undefined;
  /** The payment page; undefined for a renewal. */
  readonly sessionId: string | undefined;
};

export type ProviderSum = {
  readonly kind: Summed;
  readonly currency: string;
  readonly books: Cents;
  readonly provider: Cents;
};

export type ProviderComparison = {
  readonly sums: readonly ProviderSum[];
  readonly differences: readonly ProviderDifference[];
  /** Money that the books don't have and a person has settled under "Needs attention". It is no difference. */
  readonly settled: readonly ProviderDifference[];
  /** How many charges belong to other programs and installations, and were left out. */
  readonly foreignCharges: number;
  /** What the provider holds back or advances, by type. It stays the fund's, and the books don't have it. */
  readonly held: readonly HeldMoney[];
  /** Of the last month that ended in each time zone; none if only a part was compared. */
  readonly monthEnds: readonly MonthEnd[];
  /** Both sides agree on what moved before, if there are no differences; undefined if everything was compared. */
  readonly agreedUntil: Date | undefined;
};

export type HeldMoney = { readonly type: string; readonly currency: string; readonly amount: Cents };

/** More than the days of the two sides differ: a payout is booked when it arrives. */
const OVERLAP_MS = 14 * DAY_MS;

export type Compared = {
  /** When both sides last agreed; by default everything is compared. */
  readonly since?: Date | undefined;
  /** What moved later may not have been reported yet. */
  readonly until?: Date;
};

/**
 * Compares the books with the movements on the account's balance at the provider, in the mode of the program's key.
 * @returns Failure payment-unavailable
 */
export async function compareWithProvider(
  { db, payments, livemode, now }: Pick<AppDeps, 'db' | 'payments' | 'livemode' | 'now'>,
  { since, until }: Compared = {},
): Promise<ProviderComparison | Failure> {
  const startedAt = now();
  const from = since && new Date(since.getTime() - OVERLAP_MS);
  const movements: BalanceMovement[] = [];
  const listed = await payments.listMovements(async (page) => void movements.push(...page), from);
  if (listed instanceof Failure) return listed;
  const booked = await bookedMovements(db.kysely, livemode, from);
  const rows = sheetOf(booked, movements);
  await addUnassigned(db, rows);
  const beginning = (await firstOrgAddedAt(db.kysely)) ?? startedAt;
  const inBooks = rows.flatMap(({ kind, id, booked: entry }) => (kind === 'charges' && entry ? [id] : []));
  const asked = new AskedCharges(payments, new Set(inBooks));
  const compared: ProviderDifference[] = [];
  const tooOldOrNew = new Set<ProviderDifference>();
  let agreedUntil = until;
  for (const row of rows) {
    // A fee of the account from before the fund used it.
    if (row.kind === 'fees' && row.booked === undefined && row.chargeId === undefined && row.at < beginning) continue;
    const own = await comparable(row, asked, startedAt);
    if (own instanceof Failure) return own;
    if (!own) continue;
    compared.push(own);
    const isTooNew = until !== undefined && row.at > until;
    if (isTooNew || (since && row.at < since)) tooOldOrNew.add(own);
    // A report may be on its way, or the charge is not on the provider's balance yet.
    const isUndecided = isTooNew ? differs(own) : own.provider !== row.provider;
    if (isUndecided && agreedUntil && row.since < agreedUntil) agreedUntil = row.since;
  }
  const differing = compared.filter(differs);
  const settled = await settledByHand(db, differing);
  const settledKeys = new Set([...settled].map(keyOf));
  const zones = since === undefined ? await timeZones(db.kysely) : [];
  return {
    monthEnds: zones.flatMap((timeZone) => monthEnds(booked, movements, { timeZone, now: startedAt, settledKeys })),
    foreignCharges: asked.foreign.size,
    held: heldMoney(movements),
    sums: sumsOf(compared),
    agreedUntil,
    differences: differing.filter((each) => !settled.has(each) && !tooOldOrNew.has(each)),
    settled: [...settled],
  };
}

/** Differences that a person has settled. One that also has an open item is not settled. */
async function settledByHand(
  { kysely }: Database,
  differences: readonly ProviderDifference[],
): Promise<ReadonlySet<ProviderDifference>> {
  const isSettled = await settlements(kysely, differences.flatMap(subjectsOf));
  return new Set(
    differences.filter((difference) => {
      const items = subjectsOf(difference).flatMap((subject) => isSettled.get(subject) ?? []);
      return items.length > 0 && !items.includes(false);
    }),
  );
}

/** Subjects under which money that the books don't have may need attention. */
function subjectsOf({ kind, id, books, chargeId, owner }: ProviderDifference): string[] {
  if (books !== undefined) return [];
  if (kind === 'others') return [movementSubject(id)];
  if (kind === 'payouts') return [`payout:${id}`];
  return [`charge:${chargeId}`, `invoice:${owner?.invoiceId}`, `session:${owner?.sessionId}`];
}

export function movementSubject(movementId: string): string {
  return `movement:${movementId}`;
}

/** Adds what a payout carried that belongs to no organization, such as charges of another program. */
async function addUnassigned(db: Database, rows: readonly Row[]): Promise<void> {
  const payouts = rows.filter(({ kind }) => kind === 'payouts');
  const unassigned = await unassignedInPayouts(
    db.kysely,
    payouts.map(({ id }) => id),
  );
  for (const row of payouts) {
    const cents = unassigned.get(row.id);
    if (cents !== undefined) row.books = (row.books ?? 0) - cents;
  }
}

/** A failed refund and a won dispute sum to zero. Yet their movements must be in the books. */
function differs({ kind, books, provider }: Pick<ProviderDifference, 'kind' | keyof Sides>): boolean {
  const isMissing = (kind === 'refunds' || kind === 'disputes') && books === undefined && provider !== undefined;
  return isMissing || (books ?? 0) !== (provider ?? 0);
}

/** @returns the row; undefined if it is another program's, or too new to be compared */
async function comparable(
  row: Row,
  asked: AskedCharges,
  startedAt: Date,
): Promise<ProviderDifference | undefined | Failure> {
  const { kind, id, currency, type, chargeId, books, provider, booked, at } = row;
  const difference = { kind, id, currency, type, chargeId, books, provider, at, owner: undefined };
  if (!differs(row)) return difference;
  if (booked !== undefined) {
    // Recorded while the list was read.
    if (provider === undefined && booked.known_at > startedAt) return undefined;
    return kind === 'charges' && provider === undefined ? asked.unsettled(difference) : difference;
  }
  // A payout is posted once it has arrived.
  if (row.onItsWay) return undefined;
  if (chargeId === undefined || asked.inBooks.has(chargeId)) return difference;
  const owner = row.isForeign ? 'foreign' : await asked.ownerOf(chargeId);
  if (owner instanceof Failure) return owner;
  if (owner !== 'foreign') return { ...difference, owner };
  asked.foreign.add(chargeId);
  return undefined;
}

/** What the provider says of single charges, each asked about once. */
class AskedCharges {
  readonly foreign = new Set<string>();
  readonly inBooks: ReadonlySet<string>;
  readonly #payments: Payments;
  readonly #owners = new Map<string, ChargeOwner | 'foreign'>();

  constructor(payments: Payments, inBooks: ReadonlySet<string>) {
    this.#payments = payments;
    this.inBooks = inBooks;
  }

  /** Whose a charge is. That of a recurring gift does not say, but its invoice does. */
  async ownerOf(chargeId: string): Promise<ChargeOwner | 'foreign' | Failure> {
    const known = this.#owners.get(chargeId);
    if (known !== undefined) return known;
    const story = await this.#payments.readCharge(chargeId);
    if (story instanceof Failure) return story;
    const owner = story === 'unknown' ? 'foreign' : await this.#readOwner(story);
    if (!(owner instanceof Failure)) this.#owners.set(chargeId, owner);
    return owner;
  }

  async #readOwner(story: ChargeStory): Promise<ChargeOwner | 'foreign' | Failure> {
    const { invoiceId, intentId } = story.charge;
    const invoice = invoiceId === undefined ? undefined : await this.#payments.readInvoice(invoiceId);
    if (invoice instanceof Failure) return invoice;
    const marks = invoice ?? story;
    if (marks === 'unknown' || !isOurs(marks)) return 'foreign';
    const { orgId, checkoutId } = marks;
    const page = await this.#readPage(invoice === 'unknown' ? undefined : invoice, intentId);
    if (page instanceof Failure) return page;
    return { orgId, checkoutId, invoiceId, sessionId: page === 'unknown' ? undefined : page.sessionId };
  }

  async #readPage(invoice: InvoiceFacts | undefined, intentId: string | undefined) {
    if (invoice === undefined) return intentId === undefined ? 'unknown' : this.#payments.findPage({ intentId });
    const { isFirst, subscriptionId } = invoice;
    return isFirst && subscriptionId !== undefined ? this.#payments.findPage({ subscriptionId }) : 'unknown';
  }

  /** The provider posts a charge to its balance some time after it: until then, that is not a difference. */
  async unsettled(difference: ProviderDifference): Promise<ProviderDifference | Failure> {
    if (difference.chargeId === undefined) return difference;
    const story = await this.#payments.readCharge(difference.chargeId);
    if (story instanceof Failure) return story;
    if (story === 'unknown' || story.charge.settlement !== undefined) return difference;
    return { ...difference, provider: story.amount };
  }
}

function heldMoney(movements: readonly BalanceMovement[]): HeldMoney[] {
  const heldMovements = movements.filter(({ type }) => isHeld(type));
  const byType = Map.groupBy(heldMovements, ({ type, currency }) => `${type} ${currency}`);
  return [...byType.values()].flatMap((some) => {
    const [first] = some;
    const amount = some.reduce((sum, each) => sum + each.amount - each.fee, 0);
    return first ? [{ type: first.type, currency: first.currency, amount }] : [];
  });
}

function sumsOf(compared: readonly ProviderDifference[]): ProviderSum[] {
  const currencies = [...new Set(compared.map(({ currency }) => currency))].sort();
  return currencies.flatMap((currency) =>
    SUMMED.flatMap((kind) => {
      const rows = compared.filter((each) => each.kind === kind && each.currency === currency);
      const sum = (side: keyof Sides) => rows.reduce((total, each) => total + (each[side] ?? 0), 0);
      return rows.length === 0 ? [] : [{ kind, currency, books: sum('books'), provider: sum('provider') }];
    }),
  );
}
