import { calculateAvailableFunds } from '#domain/books.ts';
import { toPounds } from '#domain/money.ts';
import { createCaches } from '#server/db/caches.ts';
import type { OrgAllocation } from '#server/features/allocation/read-allocation.ts';
import { readAllocation } from '#server/features/allocation/read-allocation.ts';
import { sumByAccount } from '#server/features/ledger/org-stats.ts';
import { ORG } from './data.ts';
import type { SimulatedApp } from './simulated-app.ts';

/** Violations of rules about promised and paid grants that must hold at any time. */
export async function findMoneyViolations({ realDb }: SimulatedApp): Promise<string[]> {
  const balances = await sumByAccount(realDb.kysely, ORG.orgId);
  const { gifts, fees, disputed, paid, promised, available } = calculateAvailableFunds(balances);
  const { provider, bank, promised: promisedBalance } = balances;
  return [
    ...(promisedBalance > 0
      ? [`The balance of promised grants is ${promisedBalance} cents, but it can't be positive.`]
      : []),
    ...(paid < 0 ? [`Grants paid to homes add up to ${paid} cents.`] : []),
    ...(available === provider + bank + promisedBalance && available === gifts - fees - disputed - paid - promised
      ? []
      : [`The ${available} cents available for grants don't match the accounts.`]),
  ];
}

/** Violations of allocation rules: no cent and no pound may be lost, made up, or counted twice. */
export async function findAllocationViolations({ realDb }: SimulatedApp): Promise<string[]> {
  // Don't use the cache: an allocation from another world can have the same version.
  const allocation = await readAllocation({ ...realDb, caches: createCaches() }, ORG.orgId);
  const rows = await realDb.kysely.selectFrom('grants').select(['id', 'paid_entry_id', 'paid_cents']).execute();
  const bookedCents = new Map(
    rows.flatMap(({ paid_entry_id: id, paid_cents }) => (id === null ? [] : [[id, paid_cents]])),
  );
  const grantIds = [...allocation.grants.keys()].toSorted().join();
  return [
    ...(grantIds === [...bookedCents.keys()].toSorted().join()
      ? []
      : ['The grants in the allocation are not the paid grants.']),
    ...findGiftViolations(allocation),
    ...findGrantViolations(allocation, bookedCents),
  ];
}

function findGiftViolations({ gifts }: OrgAllocation): string[] {
  return [...gifts.values()].flatMap(({ entryId, paid, fee, returned, share }) => {
    const { cents, unallocatedCents, soldPounds, unallocatedPounds, shortfallPounds, parts } = share;
    const allocatedCents = sumBy(parts, ({ cents: partCents }) => partCents);
    const allocatedPounds = sumBy(parts, ({ pounds }) => pounds);
    const availableCents = Math.max(0, paid - fee - returned);
    const areNonNegative = [
      unallocatedCents,
      unallocatedPounds,
      shortfallPounds,
      ...parts.flatMap((part) => [part.cents, part.pounds]),
    ].every((amount) => amount >= 0);
    return [
      ...(cents === Math.min(availableCents, paid - fee)
        ? []
        : [`Gift ${entryId} has ${cents} cents for homes, not ${availableCents}.`]),
      ...(allocatedCents + unallocatedCents === cents
        ? []
        : [`Gift ${entryId} has ${allocatedCents} and ${unallocatedCents} of ${cents} cents.`]),
      ...(allocatedPounds + unallocatedPounds + shortfallPounds === soldPounds
        ? []
        : [`Gift ${entryId} lost some of ${toPounds(soldPounds)} lb.`]),
      ...(areNonNegative ? [] : [`Gift ${entryId} has negative parts.`]),
    ];
  });
}

function findGrantViolations(
  { gifts, grants }: OrgAllocation,
  bookedCents: ReadonlyMap<string, number | null>,
): string[] {
  const parts = [...gifts.values()].flatMap(({ share }) => share.parts);
  return [...grants].flatMap(([id, { share }]) => {
    const grantParts = parts.filter(({ grantId }) => grantId === id);
    const filledCents = sumBy(grantParts, ({ cents }) => cents);
    const countedPounds = sumBy(grantParts, ({ pounds }) => pounds);
    return [
      ...(share.cents === bookedCents.get(id)
        ? []
        : [`Grant ${id} has ${share.cents} cents, but a different amount was paid.`]),
      ...(filledCents + share.unfundedCents === share.cents
        ? []
        : [`Grant ${id} got ${filledCents} of ${share.cents} cents.`]),
      ...(countedPounds + share.surplusPounds <= share.pounds && share.surplusPounds >= 0
        ? []
        : [`Grant ${id} gives ${toPounds(countedPounds)} lb to donors, and saves ${toPounds(share.pounds)}.`]),
    ];
  });
}

function sumBy<Item>(items: readonly Item[], getAmount: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + getAmount(item), 0);
}
