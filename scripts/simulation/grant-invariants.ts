import { calculateAvailableFunds } from '#domain/books.ts';
import { toPounds } from '#domain/money.ts';
import { createCaches } from '#server/db/caches.ts';
import type { OrgAllocation } from '#server/features/allocation/read-allocation.ts';
import { readAllocation } from '#server/features/allocation/read-allocation.ts';
import { sumByAccount } from '#server/features/ledger/org-stats.ts';
import { ORG } from './data.ts';
import type { Product } from './product.ts';

/** Violations of rules about promised and paid grants that must hold at any time. */
export async function moneyViolations({ real }: Product): Promise<string[]> {
  const balances = await sumByAccount(real.kysely, ORG.orgId);
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
export async function allocationViolations({ real }: Product): Promise<string[]> {
  // Don't use the cache: another world's allocation can have the same version.
  const allocation = await readAllocation({ ...real, caches: createCaches() }, ORG.orgId);
  const rows = await real.kysely.selectFrom('grants').select(['id', 'paid_entry_id', 'paid_cents']).execute();
  const bookedCents = new Map(
    rows.flatMap(({ paid_entry_id: id, paid_cents }) => (id === null ? [] : [[id, paid_cents]])),
  );
  const grantIds = [...allocation.grants.keys()].toSorted().join();
  return [
    ...(grantIds === [...bookedCents.keys()].toSorted().join()
      ? []
      : ['The grants in the allocation are not the paid grants.']),
    ...giftViolations(allocation),
    ...grantViolations(allocation, bookedCents),
  ];
}

function giftViolations({ gifts }: OrgAllocation): string[] {
  return [...gifts.values()].flatMap(({ entryId, paid, fee, returned, share }) => {
    const { cents, unallocatedCents, soldPounds, unallocatedPounds, shortfallPounds, parts } = share;
    const allocated = sumOf(parts, ({ cents: each }) => each);
    const pounds = sumOf(parts, ({ pounds: each }) => each);
    const available = Math.max(0, paid - fee - returned);
    const areNonNegative = [
      unallocatedCents,
      unallocatedPounds,
      shortfallPounds,
      ...parts.flatMap((part) => [part.cents, part.pounds]),
    ].every((amount) => amount >= 0);
    return [
      ...(cents === Math.min(available, paid - fee)
        ? []
        : [`Gift ${entryId} has ${cents} cents for homes, not ${available}.`]),
      ...(allocated + unallocatedCents === cents
        ? []
        : [`Gift ${entryId} has ${allocated} and ${unallocatedCents} of ${cents} cents.`]),
      ...(pounds + unallocatedPounds + shortfallPounds === soldPounds
        ? []
        : [`Gift ${entryId} lost some of ${toPounds(soldPounds)} lb.`]),
      ...(areNonNegative ? [] : [`Gift ${entryId} has negative parts.`]),
    ];
  });
}

function grantViolations({ gifts, grants }: OrgAllocation, bookedCents: ReadonlyMap<string, number | null>): string[] {
  const parts = [...gifts.values()].flatMap(({ share }) => share.parts);
  return [...grants].flatMap(([id, { share }]) => {
    const grantParts = parts.filter(({ grantId }) => grantId === id);
    const filled = sumOf(grantParts, ({ cents }) => cents);
    const countedPounds = sumOf(grantParts, ({ pounds }) => pounds);
    return [
      ...(share.cents === bookedCents.get(id)
        ? []
        : [`Grant ${id} has ${share.cents} cents, but a different amount was paid.`]),
      ...(filled + share.unfundedCents === share.cents ? [] : [`Grant ${id} got ${filled} of ${share.cents} cents.`]),
      ...(countedPounds + share.surplusPounds <= share.pounds && share.surplusPounds >= 0
        ? []
        : [`Grant ${id} gives ${toPounds(countedPounds)} lb to donors, and saves ${toPounds(share.pounds)}.`]),
    ];
  });
}

function sumOf<Item>(items: readonly Item[], amountOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + amountOf(item), 0);
}
