import { DAY_MS, type Day } from './days.ts';
import type { Cents, TenThousandthsOfPound } from './money.ts';

/**
 * Facts for allocating gifts to homes (docs/decisions/0011): incoming money, returned money, and money paid for grants.
 * They can be in any order. Amounts are whole and not negative, except for returns whose refund failed.
 */
export type Fact =
  /** `pounds`: bought by the donor; 0 for a donation. */
  | {
      readonly kind: 'gift';
      readonly id: string;
      readonly timeMs: number;
      readonly cents: Cents;
      readonly pounds: Pounds;
    }
  /** A refund, lost dispute, or bounced check, with its share of the pounds. */
  | {
      readonly kind: 'return';
      readonly id: string;
      readonly timeMs: number;
      readonly giftId: string;
      readonly cents: Cents;
      readonly pounds: Pounds;
    }
  /** `pounds`: what the fund can count for its payment, over all years (`calculateClaimablePounds`). */
  | {
      readonly kind: 'grant';
      readonly id: string;
      readonly timeMs: number;
      readonly cents: Cents;
      readonly pounds: Pounds;
    }
  /** The full reversal of a grant's payment. */
  | { readonly kind: 'grant-reversal'; readonly id: string; readonly timeMs: number; readonly grantId: string };

type Pounds = TenThousandthsOfPound;

/** One gift's share of one grant: the cents it contributed, and the pounds counted for its donor. */
export type AllocationPart = { readonly grantId: string; readonly cents: Cents; readonly pounds: Pounds };

export type GiftShare = {
  readonly giftId: string;
  /** Cents left after returns: the sum of the parts' cents and `unallocatedCents`. */
  readonly cents: Cents;
  readonly unallocatedCents: Cents;
  /** Pounds sold, after returns: the sum of the parts' pounds, `shortfallPounds`, and `unallocatedPounds`. */
  readonly soldPounds: Pounds;
  readonly unallocatedPounds: Pounds;
  /** Pounds whose gift money was granted but which its homes don't save. */
  readonly shortfallPounds: Pounds;
  /** In the order in which the grants were paid. */
  readonly parts: readonly AllocationPart[];
};

export type GrantShare = {
  readonly grantId: string;
  readonly cents: Cents;
  /** Cents paid without gift money. Their pounds count for no donor. */
  readonly unfundedCents: Cents;
  readonly pounds: Pounds;
  /** Pounds that gifts paid for but no donor bought. */
  readonly surplusPounds: Pounds;
};

/** Gifts in date order, and paid grants in payment order. */
export type Allocation = { readonly gifts: readonly GiftShare[]; readonly grants: readonly GrantShare[] };

/** A range of a grant's cents, excluding `to`. The pounds of a cent depend only on its position. */
type CentRange = { readonly from: Cents; readonly to: Cents };
type Assignment = CentRange & { readonly grant: Grant };

type Gift = {
  readonly fact: Fact & { kind: 'gift' };
  readonly order: number;
  returnedCents: Cents;
  returnedPounds: Pounds;
  assignments: Assignment[];
  unallocatedCents: Cents;
};

type Grant = {
  readonly fact: Fact & { kind: 'grant' };
  readonly order: number;
  /** Sorted. */
  unfundedRanges: CentRange[];
  /** Current and former contributors. */
  readonly contributingGifts: Set<Gift>;
  isPaid: boolean;
};

/**
 * Allocates gifts to grants by date: after each fact, unallocated gifts fund open grants, oldest first. A gift loses an
 * assignment only through its own return or the grant's reversal, so another donor's refund never changes its homes.
 * @throws RangeError for a return of an unknown gift, or a reversal of an unknown grant
 */
export function allocate(facts: readonly Fact[]): Allocation {
  const [gifts, grants] = [new Map<string, Gift>(), new Map<string, Grant>()];
  const [unallocatedGifts, openGrants] = [new PriorityQueue<Gift>(), new PriorityQueue<Grant>()];
  for (const fact of sortFacts(facts)) {
    switch (fact.kind) {
      case 'gift': {
        const order = gifts.size;
        const gift = {
          fact,
          order,
          returnedCents: 0,
          returnedPounds: 0,
          assignments: [],
          unallocatedCents: fact.cents,
        };
        gifts.set(fact.id, gift);
        unallocatedGifts.add(gift);
        break;
      }
      case 'return':
        returnMoney(getById(gifts, fact.giftId), fact, { unallocatedGifts, openGrants });
        break;
      case 'grant': {
        const initialRanges = fact.cents > 0 ? [{ from: 0, to: fact.cents }] : [];
        const grant = {
          fact,
          order: grants.size,
          unfundedRanges: initialRanges,
          contributingGifts: new Set<Gift>(),
          isPaid: true,
        };
        grants.set(fact.id, grant);
        openGrants.add(grant);
        break;
      }
      case 'grant-reversal':
        reverseGrant(getById(grants, fact.grantId), unallocatedGifts);
        break;
    }
    allocateGifts(unallocatedGifts, openGrants);
  }
  return assignPounds([...gifts.values()], [...grants.values()]);
}

function getById<Value>(values: ReadonlyMap<string, Value>, id: string): Value {
  const value = values.get(id);
  if (value === undefined) throw new RangeError(`Unknown id ${id}`);
  return value;
}

const RANKS = { gift: 0, return: 1, grant: 2, 'grant-reversal': 3 } as const satisfies Record<Fact['kind'], number>;

/** Sorts by time, then by kind, then by id. A return or reversal never precedes its gift or grant. */
function sortFacts(facts: readonly Fact[]): Fact[] {
  const timeById = new Map(facts.map(({ id, timeMs }) => [id, timeMs]));
  const getEffectiveTime = (fact: Fact) => {
    const originalId = fact.kind === 'return' ? fact.giftId : fact.kind === 'grant-reversal' ? fact.grantId : fact.id;
    return Math.max(fact.timeMs, timeById.get(originalId) ?? fact.timeMs);
  };
  const datedFacts = facts.map((fact) => ({ fact, timeMs: getEffectiveTime(fact), rank: RANKS[fact.kind] }));
  datedFacts.sort((a, b) => a.timeMs - b.timeMs || a.rank - b.rank || (a.fact.id < b.fact.id ? -1 : 1));
  return datedFacts.map(({ fact }) => fact);
}

type Queues = { readonly unallocatedGifts: PriorityQueue<Gift>; readonly openGrants: PriorityQueue<Grant> };

function allocateGifts(unallocatedGifts: PriorityQueue<Gift>, openGrants: PriorityQueue<Grant>): void {
  for (;;) {
    const gift = unallocatedGifts.peekUseful(({ unallocatedCents: cents }) => cents > 0);
    const grant = openGrants.peekUseful(({ isPaid, unfundedRanges }) => isPaid && unfundedRanges.length > 0);
    const range = grant?.unfundedRanges[0];
    if (!gift || !grant || !range) return;
    const to = Math.min(range.to, range.from + gift.unallocatedCents);
    gift.assignments.push({ grant, from: range.from, to });
    gift.unallocatedCents -= to - range.from;
    grant.contributingGifts.add(gift);
    if (to < range.to) grant.unfundedRanges[0] = { from: to, to: range.to };
    else grant.unfundedRanges.shift();
  }
}

/** Removes unallocated money first, then the latest assignments. A failed refund makes its money unallocated again. */
function returnMoney(
  gift: Gift,
  { cents, pounds }: Fact & { kind: 'return' },
  { unallocatedGifts, openGrants }: Queues,
): void {
  const previousCents = remainingCents(gift);
  gift.returnedCents += cents;
  gift.returnedPounds += pounds;
  let removedCents = previousCents - remainingCents(gift);
  if (removedCents < 0) unallocatedGifts.add(gift);
  const unallocatedPart = Math.min(removedCents, gift.unallocatedCents);
  gift.unallocatedCents -= unallocatedPart;
  removedCents -= unallocatedPart;
  while (removedCents > 0) {
    const last = gift.assignments.pop();
    if (!last) return;
    const from = Math.max(last.from, last.to - removedCents);
    if (from > last.from) gift.assignments.push({ ...last, to: from });
    addUnfundedRange(last.grant, { from, to: last.to });
    openGrants.add(last.grant);
    removedCents -= last.to - from;
  }
}

function remainingCents({ fact, returnedCents }: Gift): Cents {
  return clamp(fact.cents - returnedCents, fact.cents);
}

function clamp(value: number, maximum: number): number {
  return Math.min(Math.max(value, 0), maximum);
}

function addUnfundedRange(grant: Grant, range: CentRange): void {
  const nextIndex = grant.unfundedRanges.findIndex(({ from }) => from > range.from);
  grant.unfundedRanges.splice(nextIndex === -1 ? grant.unfundedRanges.length : nextIndex, 0, range);
}

function reverseGrant(grant: Grant, unallocatedGifts: PriorityQueue<Gift>): void {
  grant.isPaid = false;
  for (const gift of grant.contributingGifts) {
    const remainingAssignments = gift.assignments.filter((assignment) => assignment.grant !== grant);
    if (remainingAssignments.length === gift.assignments.length) continue;
    gift.assignments = remainingAssignments;
    gift.unallocatedCents =
      remainingCents(gift) - remainingAssignments.reduce((sum, { from, to }) => sum + to - from, 0);
    unallocatedGifts.add(gift);
  }
}

type PartSums = { cents: Cents; pounds: Pounds };

/**
 * Assigns pounds. Each donor gets the pounds that their own money saves, up to the pounds bought. The rest (homes save
 * more than was sold, or a donation bought no pounds) is the grant's surplus.
 */
function assignPounds(gifts: readonly Gift[], grants: readonly Grant[]): Allocation {
  const surplusByGrant = new Map(grants.map((grant) => [grant, 0]));
  const shares = gifts.map((gift) => ({ gift, ...assignOwnPounds(gift, surplusByGrant) }));
  return {
    gifts: shares.map(({ gift, parts, soldPounds, unallocatedPounds, shortfallPounds }) => ({
      giftId: gift.fact.id,
      cents: remainingCents(gift),
      unallocatedCents: gift.unallocatedCents,
      soldPounds,
      unallocatedPounds,
      shortfallPounds,
      parts: [...parts]
        .toSorted(([a], [b]) => a.order - b.order)
        .map(([{ fact }, { cents, pounds }]) => ({ grantId: fact.id, cents, pounds })),
    })),
    grants: grants
      .filter(({ isPaid }) => isPaid)
      .map((grant) => ({
        grantId: grant.fact.id,
        cents: grant.fact.cents,
        pounds: grant.fact.pounds,
        unfundedCents: grant.unfundedRanges.reduce((sum, { from, to }) => sum + to - from, 0),
        surplusPounds: surplusByGrant.get(grant) ?? 0,
      })),
  };
}

function assignOwnPounds(gift: Gift, surplusByGrant: Map<Grant, Pounds>) {
  const parts = new Map<Grant, PartSums>();
  const savedPounds = new Map<Grant, Pounds>();
  for (const { grant, from, to } of gift.assignments) {
    findOrAddPart(parts, grant).cents += to - from;
    savedPounds.set(grant, (savedPounds.get(grant) ?? 0) + poundsUpTo(grant, to) - poundsUpTo(grant, from));
  }
  const cents = remainingCents(gift);
  const soldPounds = cents === 0 ? 0 : clamp(gift.fact.pounds - gift.returnedPounds, gift.fact.pounds);
  const duePounds = calculateShare(soldPounds, cents - gift.unallocatedCents, cents);
  let assignedPounds = 0;
  for (const [grant, pounds] of [...savedPounds].toSorted(([a], [b]) => a.order - b.order)) {
    const countedPounds = Math.min(pounds, soldPounds - assignedPounds);
    findOrAddPart(parts, grant).pounds += countedPounds;
    surplusByGrant.set(grant, (surplusByGrant.get(grant) ?? 0) + pounds - countedPounds);
    assignedPounds += countedPounds;
  }
  const shortfallPounds = Math.max(0, duePounds - assignedPounds);
  return {
    parts,
    soldPounds,
    unallocatedPounds: soldPounds - assignedPounds - shortfallPounds,
    shortfallPounds,
  };
}

function findOrAddPart(parts: Map<Grant, PartSums>, grant: Grant): PartSums {
  const part = parts.get(grant) ?? { cents: 0, pounds: 0 };
  parts.set(grant, part);
  return part;
}

/** Pounds saved by the first `cents` of a grant, rounded down so that adjacent ranges add up exactly. */
function poundsUpTo({ fact }: Grant, cents: Cents): Pounds {
  return calculateShare(fact.pounds, cents, fact.cents);
}

/** A proportional share, rounded down. @returns the whole amount if the whole is 0 */
function calculateShare(amount: number, part: number, whole: number): number {
  return part === whole ? amount : Number((BigInt(amount) * BigInt(part)) / BigInt(whole));
}

/** Priority queue that discards items when they are no longer useful. */
class PriorityQueue<Item extends { readonly order: number }> {
  readonly #heap: Item[] = [];
  readonly #members = new Set<Item>();

  add(item: Item): void {
    if (this.#members.has(item)) return;
    this.#members.add(item);
    let index = this.#heap.push(item) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.#orderAt(parent) <= this.#orderAt(index)) return;
      this.#swap(parent, index);
      index = parent;
    }
  }

  peekUseful(isUseful: (item: Item) => boolean): Item | undefined {
    for (;;) {
      const [head] = this.#heap;
      if (head === undefined || isUseful(head)) return head;
      this.#members.delete(head);
      const last = this.#heap.pop();
      if (last === undefined || this.#heap.length === 0) continue;
      this.#heap[0] = last;
      this.#sink();
    }
  }

  #sink(): void {
    let index = 0;
    for (;;) {
      const leftChild = 2 * index + 1;
      const smaller = this.#orderAt(leftChild + 1) < this.#orderAt(leftChild) ? leftChild + 1 : leftChild;
      if (this.#orderAt(smaller) >= this.#orderAt(index)) return;
      this.#swap(smaller, index);
      index = smaller;
    }
  }

  #orderAt(index: number): number {
    return this.#heap[index]?.order ?? Number.POSITIVE_INFINITY;
  }

  #swap(a: number, b: number): void {
    const [itemA, itemB] = [this.#heap[a], this.#heap[b]];
    if (itemA === undefined || itemB === undefined) return;
    this.#heap[a] = itemB;
    this.#heap[b] = itemA;
  }
}

/** A home's expected savings and its funding. */
export type ExpectedSaving = {
  /** Pounds a year, in ten-thousandths. */
  readonly yearlyCarbon: Pounds;
  readonly years: number;
  /** Cents paid by the fund. */
  readonly cents: Cents;
  /** Cents of other public funding. */
  readonly otherCents: Cents;
  /** True if the fund counts all savings despite other funding. */
  readonly claimsAll: boolean;
};

/** Pounds that a fund can count for a grant: in proportion to its share of the money, rounded down. */
export function calculateClaimablePounds({
  yearlyCarbon,
  years,
  cents,
  otherCents,
  claimsAll,
}: ExpectedSaving): Pounds {
  const total = yearlyCarbon * years;
  return claimsAll ? total : calculateShare(total, cents, cents + otherCents);
}

/** Date on which the work was done, and how many years its savings last. */
export type Lifetime = { readonly doneOn: Day; readonly years: number };

/** Pounds delivered by the start of a day, rounded down. Savings accrue evenly each day after the work was done. */
export function calculateDeliveredPounds(pounds: Pounds, { doneOn, years }: Lifetime, day: Day): Pounds {
  const start = Date.parse(doneOn);
  const end = new Date(start).setUTCFullYear(new Date(start).getUTCFullYear() + years);
  const daysUntil = (time: number) => Math.round((time - start) / DAY_MS);
  return calculateShare(pounds, clamp(daysUntil(Date.parse(day)), daysUntil(end)), daysUntil(end));
}

/** Pounds sold by a fund and saved by its homes, in ten-thousandths. */
export type AllocationTotals = {
  /** Pounds that donors bought, minus returns: the sum of `backedPounds`, `shortfallPounds`, and `unallocatedPounds`. */
  readonly soldPounds: Pounds;
  /** Pounds that the paid grants save over all years. */
  readonly grantedPounds: Pounds;
  /** Granted pounds that count for donors. */
  readonly backedPounds: Pounds;
  /** Pounds whose gift money was granted but which no home saves. Zero if there are surplus pounds. */
  readonly shortfallPounds: Pounds;
  /** Pounds sold with gift money that isn't granted yet. */
  readonly unallocatedPounds: Pounds;
  /** Granted pounds that no donor bought. */
  readonly surplusPounds: Pounds;
};

/** Adds up a fund. The surplus of some homes covers the shortfall of gifts that went to others. */
export function sumAllocation({ gifts, grants }: Allocation): AllocationTotals {
  const sumPounds = (amounts: readonly Pounds[]) => amounts.reduce((sum, amount) => sum + amount, 0);
  const ownPounds = sumPounds(gifts.flatMap(({ parts }) => parts.map(({ pounds }) => pounds)));
  const shortfallPounds = sumPounds(gifts.map((gift) => gift.shortfallPounds));
  const surplusPounds = sumPounds(grants.map((grant) => grant.surplusPounds));
  const coveredPounds = Math.min(shortfallPounds, surplusPounds);
  return {
    soldPounds: sumPounds(gifts.map(({ soldPounds }) => soldPounds)),
    grantedPounds: sumPounds(grants.map(({ pounds }) => pounds)),
    backedPounds: ownPounds + coveredPounds,
    shortfallPounds: shortfallPounds - coveredPounds,
    unallocatedPounds: sumPounds(gifts.map(({ unallocatedPounds }) => unallocatedPounds)),
    surplusPounds: surplusPounds - coveredPounds,
  };
}
