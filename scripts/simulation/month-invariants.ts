import { sql } from 'kysely';
import type Stripe from 'stripe';
import { startOfDay } from '#domain/days.ts';
import { hasFactPrefix } from '#domain/facts.ts';
import { addMonths, firstDayOfMonth } from '#domain/statement.ts';
import { getId } from '#sandbox/provider.ts';
import { ORG } from './data.ts';
import { createIsCounted, type Violations } from './invariants.ts';
import type { SimulatedApp } from './simulated-app.ts';
import type { World } from './world.ts';

type BookedLine = {
  readonly fact: string;
  readonly kind: string;
  readonly occurred_at: Date;
  readonly booked_at: Date;
  readonly account: string;
  readonly cents: number;
};

async function readBookedLines({ realDb }: SimulatedApp): Promise<readonly BookedLine[]> {
  const { rows } = await sql<BookedLine>`
    select e.fact, e.kind, e.occurred_at, e.booked_at, l.account, l.cents
    from ledger_entries e join ledger_lines l on l.entry_id = e.id order by e.fact, l.account`.execute(realDb.kysely);
  return rows;
}

/** Checks and grants can be added to a month until a treasurer closes it. */
function isProviderLine({ kind, fact }: BookedLine): boolean {
  return !['check', 'promise', 'grant'].includes(kind) && !hasFactPrefix(fact, 'check-reversal');
}

/**
 * Records a newly closed month and compares its closing balance in the books with the provider's balance. Closed months
 * must keep the recorded sums. Restoring a backup also drops the months that were closed after it.
 */
export async function findClosedMonthViolations(app: SimulatedApp): Promise<Violations> {
  const { closedMonthSums, now, steps } = app.world();
  const { rows } = await sql<{ provider: Date | null; treasurer: Date | null }>`
    select books_closed_until(${ORG.orgId}, false) as provider, months_closed_until(${ORG.orgId}) as treasurer`.execute(
    app.realDb.kysely,
  );
  const { provider = null, treasurer = null } = rows[0] ?? {};
  const isUnused = closedMonthSums.provider.size + closedMonthSums.treasurer.size === 0;
  if (provider === null && treasurer === null && isUnused) return [];
  const lines = await readBookedLines(app);
  const closedSides = [
    { name: 'provider', until: provider, closedLines: lines.filter(isProviderLine) },
    { name: 'treasurer', until: treasurer, closedLines: lines },
  ] as const;
  return closedSides.flatMap(({ name, until, closedLines }) => {
    const sideClosings = closedMonthSums[name];
    const end = until?.getTime() ?? 0;
    for (const closedEnd of sideClosings.keys()) if (closedEnd > end) sideClosings.delete(closedEnd);
    const changedMonths = [...sideClosings].filter(([closedEnd, text]) => text !== formatSums(closedLines, closedEnd));
    const violations = changedMonths.map(
      ([closedEnd]) =>
        `The books of the month before ${formatDate(closedEnd)} changed after the ${name} had closed it.`,
    );
    if (end === 0 || sideClosings.has(end)) return violations;
    sideClosings.set(end, formatSums(closedLines, end));
    steps.push(`${now().toISOString()} the books before ${formatDate(end)}: are closed by the ${name}`);
    if (name === 'treasurer') return violations;
    return [...violations, ...findBalanceViolations(app.world(), lines, end, ({ booked_at }) => booked_at)];
  });
}

/** Checks that book entries have the dates of the provider's movements at each month's end. */
export async function findMonthEndViolations(app: SimulatedApp): Promise<Violations> {
  const world = app.world();
  const lines = await readBookedLines(app);
  return listMonthEnds(world).flatMap((end) =>
    findBalanceViolations(world, lines, end, ({ occurred_at }) => occurred_at),
  );
}

function listMonthEnds({ startedAt, now }: World): number[] {
  const ends: number[] = [];
  let month = new Date(startedAt).toISOString().slice(0, 7);
  for (;;) {
    month = addMonths(month);
    const end = startOfDay(firstDayOfMonth(month), ORG.timeZone).getTime();
    if (end > now().getTime()) return ends;
    ends.push(end);
  }
}

/** Formats each account's sums by kind of entry. */
function formatSums(lines: readonly BookedLine[], end: number): string {
  const sums = new Map<string, number>();
  for (const { account, kind, cents, booked_at } of lines) {
    if (booked_at.getTime() >= end) continue;
    const name = `${account} ${kind}`;
    sums.set(name, (sums.get(name) ?? 0) + cents);
  }
  return JSON.stringify([...sums].toSorted(([a], [b]) => a.localeCompare(b)));
}

/** Excludes payouts: the books post them on arrival, but the provider's balance drops earlier. */
function findBalanceViolations(
  { provider: { store } }: World,
  lines: readonly BookedLine[],
  end: number,
  getTime: (line: BookedLine) => Date,
): string[] {
  const isBefore = (line: BookedLine) => getTime(line).getTime() < end;
  const books = lines
    .filter((line) => line.account === 'provider' && line.kind !== 'payout' && isBefore(line))
    .reduce((sum, { cents }) => sum + cents, 0);
  const balance = calculateProviderBalance(store, new Set(lines.map(({ fact }) => fact)), end);
  if (books === balance) return [];
  return [
    `At the month end before ${formatDate(end)}, the books have ${books} cents at the provider, but the provider has ${balance}.`,
  ];
}

/** The balance excluding payouts (but not their fees), pending or failed debits, and money outside the books. */
function calculateProviderBalance(store: World['provider']['store'], facts: ReadonlySet<string>, end: number): number {
  const isCounted = createIsCounted(store, facts);
  let balance = 0;
  for (const { type, source, amount, fee, created } of store.balanceTransactions.all()) {
    const charge = type.startsWith('payout') ? undefined : findCharge(store, getId(source));
    const isOurs = type === 'stripe_fee' || (charge?.status === 'succeeded' && isCounted(charge));
    if (type === 'payout' && created * 1000 < end) balance -= fee;
    if (!isOurs || type === 'payment_failure_refund') continue;
    // The provider adds some charges to the balance later.
    const movedAt = type === 'charge' && charge ? charge.created : created;
    if (movedAt * 1000 < end) balance += amount;
    if (created * 1000 < end) balance -= fee;
  }
  return balance;
}

function findCharge(store: World['provider']['store'], id: string): Stripe.Charge | undefined {
  const chargeId = store.refunds.find(id)?.charge ?? store.disputes.find(id)?.charge ?? id;
  return store.charges.find(getId(chargeId));
}

function formatDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
