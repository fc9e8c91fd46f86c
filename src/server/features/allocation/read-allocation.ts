import type { Transaction } from 'kysely';
import {
  type Allocation,
  allocate,
  claimedPounds,
  type Fact,
  type GiftShare,
  type GrantShare,
} from '#domain/allocation.ts';
import type { Cents, TenThousandthsOfPound } from '#domain/money.ts';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import {
  type AllocatedGrantRow,
  type GrantEntryRow,
  grantEntries,
  grantsWithPayments,
  type MovedMoney,
  movedMoney,
  orgVersion,
} from './allocation.store.ts';

/** A gift of the ledger and the homes that it helped. `share.cents` is what is left after returns and the fee. */
export type AllocatedGift = {
  readonly entryId: string;
  readonly checkoutId: string | null;
  readonly at: Date;
  /** What the donor paid, and what the card processor took of it (docs/decisions/0011). */
  readonly paid: Cents;
  readonly fee: Cents;
  /** What the donor got back. */
  readonly returned: Cents;
  readonly share: GiftShare;
};

/** A paid grant of a home. `share.grantId` is the entry of its payment. */
export type AllocatedGrant = {
  readonly at: Date;
  /** When the payment was written down, for whatever day. */
  readonly recordedAt: Date;
  readonly share: GrantShare;
  readonly grant: AllocatedGrantRow;
};

export type OrgAllocation = {
  readonly allocation: Allocation;
  /** By the ledger's entry, in the order of their dates. */
  readonly gifts: ReadonlyMap<string, AllocatedGift>;
  /** By the entry of the payment, in the order of the payments: what the parts of gifts refer to. */
  readonly grants: ReadonlyMap<string, AllocatedGrant>;
};

/** Organizations whose allocation is kept: a large one takes a second to read. */
const MOST_KEPT = 20;

type Kept = { readonly version: string; readonly made: Promise<OrgAllocation> };
const kept = new WeakMap<Database, Map<string, Kept>>();

/**
 * Which homes an organization's gifts helped (docs/decisions/0011), from its ledger. Read again when the organization has
 * changed; concurrent readers share one reading.
 */
export async function readAllocation(db: Database, orgId: string): Promise<OrgAllocation> {
  const version = await orgVersion(db.kysely, orgId);
  const ofDatabase = kept.get(db) ?? new Map<string, Kept>();
  kept.set(db, ofDatabase);
  const before = ofDatabase.get(orgId);
  if (before?.version === version) return before.made;
  const made = allocationNow(db, orgId);
  ofDatabase.delete(orgId);
  ofDatabase.set(orgId, { version, made });
  for (const oldest of ofDatabase.keys()) {
    if (ofDatabase.size <= MOST_KEPT) break;
    ofDatabase.delete(oldest);
  }
  // What failed is not kept.
  made.catch(() => ofDatabase.delete(orgId));
  return made;
}

async function allocationNow(db: Database, orgId: string): Promise<OrgAllocation> {
  const read = async (tx: Transaction<Tables>) => ({
    money: await movedMoney(tx, orgId),
    grants: await grantsWithPayments(tx, orgId),
    entries: await grantEntries(tx, orgId),
  });
  const { money, grants, entries } = await inTransaction(db, read, 'repeatable read');
  return allocationOf(money, grants, entries);
}

function allocationOf(
  money: readonly MovedMoney[],
  grants: readonly AllocatedGrantRow[],
  entries: readonly GrantEntryRow[],
): OrgAllocation {
  const grantsById = new Map(grants.map((grant) => [grant.id, grant]));
  const payments = new Map(entries.filter(({ reversed_id }) => reversed_id === null).map((entry) => [entry.id, entry]));
  const facts = [
    ...money.map(factOfMoney),
    ...entries.flatMap((entry) => factOfGrant(entry, grantsById.get(entry.grant_id), payments)),
  ];
  const allocation = allocate(facts);
  const rows = new Map(money.map((row) => [row.id, row]));
  const returned = Map.groupBy(
    money.filter(({ kind }) => kind === 'return'),
    ({ gift_id }) => gift_id,
  );
  return {
    allocation,
    gifts: new Map(
      allocation.gifts.flatMap((share): [string, AllocatedGift][] => {
        const row = rows.get(share.giftId);
        if (!row) return [];
        const back = (returned.get(row.id) ?? []).reduce((sum, { cents }) => sum + cents, 0);
        const { id: entryId, checkout_id: checkoutId, at, cents: paid, fee_cents: fee } = row;
        return [[entryId, { entryId, checkoutId, at, paid, fee, returned: back, share }]];
      }),
    ),
    grants: new Map(
      allocation.grants.flatMap((share): [string, AllocatedGrant][] => {
        const entry = payments.get(share.grantId);
        const grant = entry && grantsById.get(entry.grant_id);
        return grant ? [[entry.id, { at: entry.at, recordedAt: entry.recorded_at, share, grant }]] : [];
      }),
    ),
  };
}

/** The processor's fee can help no home: a gift brings what is left of it. */
function factOfMoney({ id, kind, gift_id, at, cents, carbon, fee_cents }: MovedMoney): Fact {
  const fact = { id, at: at.getTime(), pounds: carbon };
  return kind === 'gift'
    ? { ...fact, kind, cents: Math.max(0, cents - fee_cents) }
    : { ...fact, kind, cents, giftId: gift_id ?? '' };
}

function factOfGrant(
  { id, at, cents, reversed_id }: GrantEntryRow,
  grant: AllocatedGrantRow | undefined,
  payments: ReadonlyMap<string, GrantEntryRow>,
): Fact[] {
  if (!grant) return [];
  if (reversed_id !== null) {
    return payments.has(reversed_id) ? [{ kind: 'unpaid', id, at: at.getTime(), grantId: reversed_id }] : [];
  }
  return [{ kind: 'grant', id, at: at.getTime(), cents, pounds: poundsOfGrant(grant, cents) }];
}

/** What the fund may count for what it paid of a grant, over all years. */
function poundsOfGrant(
  { yearly_carbon, years, other_cents, claims_all }: AllocatedGrantRow,
  cents: Cents,
): TenThousandthsOfPound {
  return claimedPounds({ yearly: yearly_carbon, years, cents, otherCents: other_cents, claimsAll: claims_all });
}
