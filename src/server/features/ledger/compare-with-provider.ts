import { attentionSubject } from '#domain/attention-subjects.ts';
import { DAY_MS } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { type Cents, CURRENCY } from '#domain/money.ts';
import { PAYOUT_FAILURE_WINDOW_MS } from '#domain/payout.ts';
import type { Database } from '#server/db/connection.ts';
import type { AppDeps } from '#server/deps.ts';
import { findFirstOrgDate } from '#server/entities/find-org.ts';
import type { BalanceMovement } from '#server/gateways/payments/balance-facts.ts';
import { isOurs } from '#server/gateways/payments/origin.ts';
import type { ChargeHistory, InvoiceFacts } from '#server/gateways/payments/payment-facts.ts';
import type { Payments } from '#server/gateways/payments/payments.ts';
import { type MonthEnd, summarizeMonthEnds } from './month-ends.ts';
import { isReserve } from './other-movements.ts';
import { findResolvedSubjects, listTimeZones, readBookEntries, sumUnassignedByPayout } from './provider-books.store.ts';
import { buildReconciliationRows, ROW_KINDS, type Row, type RowKind, rowKey } from './reconciliation-rows.ts';

/** One item's effect on the provider account, in cents; `undefined` on the side that has no record of it. */
type SideAmounts = { readonly bookCents: Cents | undefined; readonly providerCents: Cents | undefined };

export type ProviderDifference = SideAmounts & {
  readonly kind: RowKind;
  /** The provider's id of the charge, refund, dispute, movement, or payout. */
  readonly id: string;
  readonly currency: string;
  /** The provider's type for a movement that isn't in the books. */
  readonly type: string | undefined;
  readonly chargeId: string | undefined;
  /** Owner of a charge that isn't in the books. */
  readonly owner: ChargeOwner | undefined;
  /** When it last moved money, on either side. */
  readonly lastMovedAt: Date;
};

type ChargeOwner = Pick<ChargeHistory, 'orgId' | 'checkoutId'> & {
  readonly invoiceId: string | undefined;
  /** The Checkout session; undefined for a renewal. */
  readonly sessionId: string | undefined;
};

export type ProviderSum = {
  readonly kind: RowKind;
  readonly currency: string;
  readonly bookCents: Cents;
  readonly providerCents: Cents;
};

export type ProviderComparison = {
  readonly sums: readonly ProviderSum[];
  readonly differences: readonly ProviderDifference[];
  /** Money missing from the books that a person has resolved under "Needs attention". */
  readonly resolvedDifferences: readonly ProviderDifference[];
  /** Number of ignored charges that belong to other programs and installations. */
  readonly foreignCharges: number;
  /** Money that the provider reserves or advances, by type. It still belongs to the fund, so it isn't in the books. */
  readonly reserves: readonly Reserve[];
  /** The last complete month in each time zone; empty for a partial comparison. */
  readonly monthEnds: readonly MonthEnd[];
  /** If there are no differences, both sides agree up to this time. */
  readonly agreedUntil: Date;
};

type Reserve = { readonly type: string; readonly currency: string; readonly amount: Cents };

/** How long the provider may take to report a movement. */
export const REPORT_DELAY_MS = 2 * 3_600_000;

/** How long a charge or a payout can be pending. The provider dates both by their start, not by their settlement. */
const SETTLEMENT_WINDOW_MS = 14 * DAY_MS;

type ComparisonPeriod = {
  /** When both sides last agreed. If omitted, everything is compared. */
  readonly since?: Date | undefined;
  /** Movements after this time may not have been reported yet. */
  readonly until?: Date;
};

/**
 * Compares the books with the movements of the provider balance, in the mode of the program's key.
 * @returns Failure payment-unavailable
 */
export async function compareWithProvider(
  { db, payments, livemode, now }: Pick<AppDeps, 'db' | 'payments' | 'livemode' | 'now'>,
  { since, until }: ComparisonPeriod = {},
): Promise<ProviderComparison | Failure> {
  const startedAt = now();
  const settledSince = since && new Date(since.getTime() - SETTLEMENT_WINDOW_MS);
  // A payout and its return must be in the same comparison, so that the payout's unassigned money adds up to zero.
  const from = settledSince && new Date(settledSince.getTime() - PAYOUT_FAILURE_WINDOW_MS);
  const movements: BalanceMovement[] = [];
  const listResult = await payments.listMovements(async (page) => void movements.push(...page), from);
  if (listResult instanceof Failure) return listResult;
  const bookEntries = await readBookEntries(db.kysely, livemode, from);
  const rows = buildReconciliationRows(bookEntries, movements);
  await subtractUnassigned(db, rows);
  const fundStart = await findFirstOrgDate(db);
  const chargesInBooks = rows.flatMap(({ kind, id, bookEntry }) => (kind === 'charges' && bookEntry ? [id] : []));
  const charges = new ChargeLookup(payments, new Set(chargesInBooks));
  const comparisons: ProviderDifference[] = [];
  const tooNewDifferences = new Set<ProviderDifference>();
  let agreedUntil = until ?? new Date(startedAt.getTime() - REPORT_DELAY_MS);
  for (const row of rows) {
    // Earlier rows may be incomplete, because the lists begin in the middle of them.
    if (settledSince && row.lastMovedAt < settledSince) continue;
    // Skip account fees that aren't the fund's: those in another currency, or from before the fund used the account.
    const isAccountFee = row.kind === 'fees' && row.bookEntry === undefined && row.chargeId === undefined;
    if (isAccountFee && (row.currency !== CURRENCY || !fundStart || row.lastMovedAt < fundStart)) continue;
    const comparison = await compareRow(row, charges, startedAt);
    if (comparison instanceof Failure) return comparison;
    if (!comparison) continue;
    comparisons.push(comparison);
    const isTooNew = until !== undefined && row.lastMovedAt > until;
    if (isTooNew) tooNewDifferences.add(comparison);
    // The report may be pending, or the charge may not be on the provider's balance yet.
    const isUndecided = isTooNew ? differs(comparison) : comparison.providerCents !== row.providerCents;
    if (isUndecided && row.firstMovedAt < agreedUntil) agreedUntil = row.firstMovedAt;
  }
  const mismatches = comparisons.filter(differs);
  const resolvedDifferences = await findResolvedDifferences(db, mismatches);
  const resolvedKeys = new Set([...resolvedDifferences].map(rowKey));
  const zones = since === undefined ? await listTimeZones(db.kysely) : [];
  return {
    monthEnds: zones.flatMap((timeZone) =>
      summarizeMonthEnds(bookEntries, movements, { timeZone, now: startedAt, resolvedKeys }),
    ),
    foreignCharges: charges.foreignIds.size,
    reserves: findReserves(movements),
    sums: sumByKind(comparisons),
    agreedUntil,
    differences: mismatches.filter(
      (difference) => !resolvedDifferences.has(difference) && !tooNewDifferences.has(difference),
    ),
    resolvedDifferences: [...resolvedDifferences],
  };
}

/** Finds the differences that a person has resolved. A difference with an open item isn't resolved. */
async function findResolvedDifferences(
  { kysely }: Database,
  differences: readonly ProviderDifference[],
): Promise<ReadonlySet<ProviderDifference>> {
  const isResolvedBySubject = await findResolvedSubjects(kysely, differences.flatMap(listAttentionSubjects));
  return new Set(
    differences.filter((difference) => {
      const items = listAttentionSubjects(difference).flatMap((subject) => isResolvedBySubject.get(subject) ?? []);
      return items.length > 0 && !items.includes(false);
    }),
  );
}

/** "Needs attention" subjects of money that is missing from the books. */
function listAttentionSubjects({ kind, id, bookCents, chargeId, owner }: ProviderDifference): string[] {
  if (bookCents !== undefined) return [];
  if (kind === 'others') return [attentionSubject('movement', id)];
  if (kind === 'payouts') return [attentionSubject('payout', id)];
  return [
    attentionSubject('charge', chargeId ?? ''),
    attentionSubject('invoice', owner?.invoiceId ?? ''),
    attentionSubject('session', owner?.sessionId ?? ''),
  ];
}

/** Subtracts payout contents that belong to no organization, such as another program's charges. */
async function subtractUnassigned(db: Database, rows: readonly Row[]): Promise<void> {
  const payouts = rows.filter(({ kind }) => kind === 'payouts');
  const unassignedCents = await sumUnassignedByPayout(
    db.kysely,
    payouts.map(({ id }) => id),
  );
  for (const row of payouts) {
    const cents = unassignedCents.get(row.id);
    if (cents !== undefined) row.bookCents = (row.bookCents ?? 0) - cents;
  }
}

/** A failed refund or a won dispute sums to zero, but its movements must still be in the books. */
function differs({ kind, bookCents, providerCents }: Pick<ProviderDifference, 'kind' | keyof SideAmounts>): boolean {
  const isMissing =
    (kind === 'refunds' || kind === 'disputes') && bookCents === undefined && providerCents !== undefined;
  return isMissing || (bookCents ?? 0) !== (providerCents ?? 0);
}

/** @returns both sides of a row; `undefined` if it belongs to another program or is too new to compare */
async function compareRow(
  row: Row,
  charges: ChargeLookup,
  startedAt: Date,
): Promise<ProviderDifference | undefined | Failure> {
  const { kind, id, currency, type, chargeId, bookCents, providerCents, bookEntry, lastMovedAt } = row;
  const difference = { kind, id, currency, type, chargeId, bookCents, providerCents, lastMovedAt, owner: undefined };
  if (!differs(row)) return difference;
  if (bookEntry !== undefined) {
    // The entry was posted after the provider's list was read.
    if (providerCents === undefined && bookEntry.reported_at > startedAt) return undefined;
    const canBePending = startedAt.getTime() - lastMovedAt.getTime() < SETTLEMENT_WINDOW_MS;
    return kind === 'charges' && providerCents === undefined && canBePending
      ? charges.addPendingAmount(difference)
      : difference;
  }
  // A payout is posted once it has arrived.
  if (row.isInTransit) return undefined;
  if (chargeId === undefined || charges.idsInBooks.has(chargeId)) return difference;
  const owner = row.isFromOtherInstallation ? 'foreign' : await charges.findOwner(chargeId);
  if (owner instanceof Failure) return owner;
  if (owner !== 'foreign') return { ...difference, owner };
  charges.foreignIds.add(chargeId);
  return undefined;
}

/** Looks up individual charges at the provider, and each charge's owner only once. */
class ChargeLookup {
  /** Ids of charges that belong to other programs and installations. */
  readonly foreignIds = new Set<string>();
  readonly idsInBooks: ReadonlySet<string>;
  readonly #payments: Payments;
  readonly #owners = new Map<string, ChargeOwner | 'foreign'>();

  constructor(payments: Payments, idsInBooks: ReadonlySet<string>) {
    this.#payments = payments;
    this.idsInBooks = idsInBooks;
  }

  /** Reads the charge's owner. For a recurring gift, only the invoice names the owner. */
  async findOwner(chargeId: string): Promise<ChargeOwner | 'foreign' | Failure> {
    const cachedOwner = this.#owners.get(chargeId);
    if (cachedOwner !== undefined) return cachedOwner;
    const history = await this.#payments.readCharge(chargeId);
    if (history instanceof Failure) return history;
    const owner = history === 'unknown' ? 'foreign' : await this.#readOwner(history);
    if (!(owner instanceof Failure)) this.#owners.set(chargeId, owner);
    return owner;
  }

  async #readOwner(history: ChargeHistory): Promise<ChargeOwner | 'foreign' | Failure> {
    const { invoiceId, intentId } = history.charge;
    const invoice = invoiceId === undefined ? undefined : await this.#payments.readInvoice(invoiceId);
    if (invoice instanceof Failure) return invoice;
    const origin = invoice ?? history;
    if (origin === 'unknown' || !isOurs(origin)) return 'foreign';
    const { orgId, checkoutId } = origin;
    const session = await this.#findSession(invoice === 'unknown' ? undefined : invoice, intentId);
    if (session instanceof Failure) return session;
    return { orgId, checkoutId, invoiceId, sessionId: session === 'unknown' ? undefined : session.sessionId };
  }

  async #findSession(invoice: InvoiceFacts | undefined, intentId: string | undefined) {
    if (invoice === undefined) return intentId === undefined ? 'unknown' : this.#payments.findSession({ intentId });
    const { isFirst, subscriptionId } = invoice;
    return isFirst && subscriptionId !== undefined ? this.#payments.findSession({ subscriptionId }) : 'unknown';
  }

  /** Adds the amount of a charge that the provider hasn't posted to its balance yet, so that it isn't a difference. */
  async addPendingAmount(difference: ProviderDifference): Promise<ProviderDifference | Failure> {
    if (difference.chargeId === undefined) return difference;
    const history = await this.#payments.readCharge(difference.chargeId);
    if (history instanceof Failure) return history;
    if (history === 'unknown' || history.charge.settlement !== undefined) return difference;
    return { ...difference, providerCents: history.amount };
  }
}

function findReserves(movements: readonly BalanceMovement[]): Reserve[] {
  const reserveMovements = movements.filter(({ type }) => isReserve(type));
  const byType = Map.groupBy(reserveMovements, ({ type, currency }) => `${type} ${currency}`);
  return [...byType.values()].flatMap((group) => {
    const [movement] = group;
    const amount = group.reduce((sum, { amount, fee }) => sum + amount - fee, 0);
    return movement ? [{ type: movement.type, currency: movement.currency, amount }] : [];
  });
}

function sumByKind(comparisons: readonly ProviderDifference[]): ProviderSum[] {
  const currencies = [...new Set(comparisons.map(({ currency }) => currency))].sort();
  return currencies.flatMap((currency) =>
    ROW_KINDS.flatMap((kind) => {
      const rows = comparisons.filter((row) => row.kind === kind && row.currency === currency);
      const sum = (side: keyof SideAmounts) => rows.reduce((total, row) => total + (row[side] ?? 0), 0);
      return rows.length === 0
        ? []
        : [{ kind, currency, bookCents: sum('bookCents'), providerCents: sum('providerCents') }];
    }),
  );
}
