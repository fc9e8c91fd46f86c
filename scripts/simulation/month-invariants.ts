import { sql } from 'kysely';
import type Stripe from 'stripe';
import { startOfDay } from '#domain/days.ts';
import { isFactOf } from '#domain/facts.ts';
import { addMonths, firstDayOfMonth } from '#domain/statement.ts';
import { idOf } from '#sandbox/provider.ts';
import { ORG } from './data.ts';
import { countedCharges, type Violations } from './invariants.ts';
import type { Product } from './product.ts';
import type { World } from './world.ts';

type BookedLine = {
  readonly fact: string;
  readonly kind: string;
  readonly occurred_at: Date;
  readonly booked_at: Date;
  readonly account: string;
  readonly cents: number;
};

async function bookedLines({ real }: Product): Promise<readonly BookedLine[]> {
  const { rows } = await sql<BookedLine>`
    select e.fact, e.kind, e.occurred_at, e.booked_at, l.account, l.cents
    from ledger_entries e join ledger_lines l on l.entry_id = e.id order by e.fact, l.account`.execute(real.kysely);
  return rows;
}

/** Checks and grants can be added to a month until a treasurer closes it. */
function isOfProvider({ kind, fact }: BookedLine): boolean {
  return !['check', 'promise', 'grant'].includes(kind) && !isFactOf(fact, 'check-reversal');
}

/**
 * Records a newly closed month and compares its closing books with the provider's balance. Closed months must keep the
 * recorded sums. Restoring a backup also drops the months that were closed after it.
 */
export async function closedMonthViolations(product: Product): Promise<Violations> {
  const { closings, now, steps } = product.world();
  const { rows } = await sql<{ provider: Date | null; treasurer: Date | null }>`
    select books_closed_until(${ORG.orgId}, false) as provider, months_closed_until(${ORG.orgId}) as treasurer`.execute(
    product.real.kysely,
  );
  const { provider = null, treasurer = null } = rows[0] ?? {};
  const isUnused = closings.provider.size + closings.treasurer.size === 0;
  if (provider === null && treasurer === null && isUnused) return [];
  const lines = await bookedLines(product);
  const closedSides = [
    { name: 'provider', until: provider, closedLines: lines.filter(isOfProvider) },
    { name: 'treasurer', until: treasurer, closedLines: lines },
  ] as const;
  return closedSides.flatMap(({ name, until, closedLines }) => {
    const closingsOfSide = closings[name];
    const end = until?.getTime() ?? 0;
    for (const other of closingsOfSide.keys()) if (other > end) closingsOfSide.delete(other);
    const changedMonths = [...closingsOfSide].filter(([other, text]) => text !== sumsUntil(closedLines, other));
    const violations = changedMonths.map(
      ([other]) => `The books of the month before ${dateText(other)} changed after the ${name} had closed it.`,
    );
    if (end === 0 || closingsOfSide.has(end)) return violations;
    closingsOfSide.set(end, sumsUntil(closedLines, end));
    steps.push(`${now().toISOString()} the books before ${dateText(end)}: are closed by the ${name}`);
    if (name === 'treasurer') return violations;
    return [...violations, ...balanceViolation(product.world(), lines, end, ({ booked_at }) => booked_at)];
  });
}

/** Checks that book entries have the dates of the provider's movements at each month's end. */
export async function monthEndViolations(product: Product): Promise<Violations> {
  const world = product.world();
  const lines = await bookedLines(product);
  return monthEnds(world).flatMap((end) => balanceViolation(world, lines, end, ({ occurred_at }) => occurred_at));
}

function monthEnds({ startedAt, now }: World): number[] {
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
function sumsUntil(lines: readonly BookedLine[], end: number): string {
  const sums = new Map<string, number>();
  for (const { account, kind, cents, booked_at } of lines) {
    if (booked_at.getTime() >= end) continue;
    const name = `${account} ${kind}`;
    sums.set(name, (sums.get(name) ?? 0) + cents);
  }
  return JSON.stringify([...sums].toSorted(([one], [other]) => one.localeCompare(other)));
}

/** Leaves out payouts: the books post them on arrival, but the provider's balance drops earlier. */
function balanceViolation(
  { provider: { store } }: World,
  lines: readonly BookedLine[],
  end: number,
  timeOfLine: (line: BookedLine) => Date,
): string[] {
  const isBefore = (line: BookedLine) => timeOfLine(line).getTime() < end;
  const books = lines
    .filter((line) => line.account === 'provider' && line.kind !== 'payout' && isBefore(line))
    .reduce((sum, { cents }) => sum + cents, 0);
  const balance = providerBalance(store, new Set(lines.map(({ fact }) => fact)), end);
  if (books === balance) return [];
  return [
    `At the month end before ${dateText(end)}, the books have ${books} cents at the provider, but the provider has ${balance}.`,
  ];
}

/** The balance without payouts (but with their fees), pending or failed debits, and money outside the books. */
function providerBalance(store: World['provider']['store'], facts: ReadonlySet<string>, end: number): number {
  const isCounted = countedCharges(store, facts);
  let balance = 0;
  for (const { type, source, amount, fee, created } of store.balanceTransactions.all()) {
    const charge = type.startsWith('payout') ? undefined : chargeOf(store, idOf(source));
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

function chargeOf(store: World['provider']['store'], id: string): Stripe.Charge | undefined {
  const chargeId = store.refunds.find(id)?.charge ?? store.disputes.find(id)?.charge ?? id;
  return store.charges.find(idOf(chargeId));
}

function dateText(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
