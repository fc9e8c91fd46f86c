import type { Transaction } from 'kysely';
import {
  type Allocation,
  allocate,
  type Fact,
  type GiftShare,
  type GrantShare,
  sumAllocation,
} from '#domain/allocation.ts';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import { VersionedCache } from '#server/db/caches.ts';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { calculateGrantPounds } from '#server/entities/claimed-pounds.ts';
import {
  type AllocatedGrantRow,
  type GrantEntryRow,
  listGrantEntries,
  listGrants,
  listMoneyMovements,
  type MoneyMovement,
  readAllocationVersion,
} from './allocation.store.ts';

/** A gift in the ledger and the homes that it helped. `share.cents` is the amount left after returns and the fee. */
export type AllocatedGift = {
  readonly entryId: string;
  readonly checkoutId: CheckoutId | null;
  readonly postedAt: Date;
  readonly paid: Cents;
  /** The card processor's fee (docs/decisions/0011). */
  readonly fee: Cents;
  readonly returned: Cents;
  readonly share: GiftShare;
};

/** A home's paid grant. `share.grantId` is the ledger entry of its payment. */
export type AllocatedGrant = {
  /** The day when the grant was paid. */
  readonly paidAt: Date;
  /** When the payment was recorded, which may be later. */
  readonly recordedAt: Date;
  readonly share: GrantShare;
  readonly grant: AllocatedGrantRow;
};

export type OrgAllocation = {
  /** Changes whenever the organization changes. */
  readonly version: string;
  readonly allocation: Allocation;
  /** True if all homes together save what donors bought, although single gifts may have a shortfall. */
  readonly isShortfallCovered: boolean;
  /** Gifts by ledger entry, in date order. */
  readonly gifts: ReadonlyMap<string, AllocatedGift>;
  /** Grants by the ledger entry of their payment, in payment order. The parts of gifts refer to these entries. */
  readonly grants: ReadonlyMap<string, AllocatedGrant>;
};

/** Bounds the cache; a large allocation takes a second to compute. */
export const MAX_CACHED_ORGS = 20;

const createAllocationCache = () => new VersionedCache<OrgAllocation>(MAX_CACHED_ORGS);

/**
 * Computes from the ledger which homes an organization's gifts helped (docs/decisions/0011). The result is cached until
 * the organization changes, and concurrent callers share one computation.
 */
export async function readAllocation(db: Database, orgId: OrgId): Promise<OrgAllocation> {
  const version = await readAllocationVersion(db.kysely, orgId);
  return db.caches.getOrCreate(createAllocationCache).read(orgId, version, () => computeAllocation(db, orgId, version));
}

async function computeAllocation(db: Database, orgId: OrgId, version: string): Promise<OrgAllocation> {
  const read = async (tx: Transaction<Tables>) => ({
    money: await listMoneyMovements(tx, orgId),
    grants: await listGrants(tx, orgId),
    entries: await listGrantEntries(tx, orgId),
  });
  const { money, grants, entries } = await inTransaction(db, read, 'repeatable read');
  return { version, ...allocateRows(money, grants, entries) };
}

function allocateRows(
  money: readonly MoneyMovement[],
  grants: readonly AllocatedGrantRow[],
  entries: readonly GrantEntryRow[],
): Omit<OrgAllocation, 'version'> {
  const grantsById = new Map(grants.map((grant) => [grant.id, grant]));
  const payments = new Map(entries.filter(({ reversed_id }) => reversed_id === null).map((entry) => [entry.id, entry]));
  const facts = [
    ...money.map(toMoneyFact),
    ...entries.flatMap((entry) => toGrantFacts(entry, grantsById.get(entry.grant_id), payments)),
  ];
  const allocation = allocate(facts);
  const rows = new Map(money.map((row) => [row.id, row]));
  const returnsByGift = Map.groupBy(
    money.filter(({ kind }) => kind === 'return'),
    ({ gift_id }) => gift_id,
  );
  return {
    allocation,
    isShortfallCovered: sumAllocation(allocation).shortfallPounds === 0,
    gifts: new Map(
      allocation.gifts.flatMap((share): [string, AllocatedGift][] => {
        const row = rows.get(share.giftId);
        if (!row) return [];
        const returned = (returnsByGift.get(row.id) ?? []).reduce((sum, { cents }) => sum + cents, 0);
        const { id: entryId, checkout_id: checkoutId, occurred_at: postedAt, cents: paid, fee_cents: fee } = row;
        return [[entryId, { entryId, checkoutId, postedAt, paid, fee, returned, share }]];
      }),
    ),
    grants: new Map(
      allocation.grants.flatMap((share): [string, AllocatedGrant][] => {
        const entry = payments.get(share.grantId);
        const grant = entry && grantsById.get(entry.grant_id);
        return grant ? [[entry.id, { paidAt: entry.occurred_at, recordedAt: entry.recorded_at, share, grant }]] : [];
      }),
    ),
  };
}

/** The card processor's fee isn't counted, because that money never reaches a home. */
function toMoneyFact({ id, kind, gift_id, occurred_at, cents, carbon, fee_cents }: MoneyMovement): Fact {
  const fact = { id, timeMs: occurred_at.getTime(), pounds: carbon };
  return kind === 'gift'
    ? { ...fact, kind, cents: Math.max(0, cents - fee_cents) }
    : { ...fact, kind, cents, giftId: gift_id ?? '' };
}

function toGrantFacts(
  { id, occurred_at, cents, reversed_id }: GrantEntryRow,
  grant: AllocatedGrantRow | undefined,
  payments: ReadonlyMap<string, GrantEntryRow>,
): Fact[] {
  if (!grant) return [];
  if (reversed_id !== null) {
    return payments.has(reversed_id)
      ? [{ kind: 'grant-reversal', id, timeMs: occurred_at.getTime(), grantId: reversed_id }]
      : [];
  }
  return [{ kind: 'grant', id, timeMs: occurred_at.getTime(), cents, pounds: calculateGrantPounds(grant, cents) }];
}
