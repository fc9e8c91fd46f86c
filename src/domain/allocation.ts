import { DAY_MS, type Day } from './days.ts';
import type { Cents, TenThousandthsOfPound } from './money.ts';

/**
 * Which homes each gift helped (docs/decisions/0011): money that came in, money that went back, and money that was paid
 * for grants. Facts may come in any order. `at` is the moment in milliseconds; amounts are whole and not negative, except
 * those of a return whose refund failed.
 */
export type Fact =
  /** @property pounds that the donor bought; 0 of a donation */
  | { readonly kind: 'gift'; readonly id: string; readonly at: number; readonly cents: Cents; readonly pounds: Pounds }
  /** A refund, lost dispute or bounced check, with its part of the pounds. */
  | {
      readonly kind: 'return';
      readonly id: string;
      readonly at: number;
      readonly giftId: string;
      readonly cents: Cents;
      readonly pounds: Pounds;
    }
  /** @property pounds that the fund may count for what it paid, over all years: see claimedPounds */
  | { readonly kind: 'grant'; readonly id: string; readonly at: number; readonly cents: Cents; readonly pounds: Pounds }
  /** The payment of a grant that was taken back, all of it. */
  | { readonly kind: 'unpaid'; readonly id: string; readonly at: number; readonly grantId: string };

type Pounds = TenThousandthsOfPound;

/** Of one gift in one grant: its money there, and the pounds that are counted to this donor and to no other. */
export type Part = { readonly grantId: string; readonly cents: Cents; readonly pounds: Pounds };

export type GiftShare = {
  readonly giftId: string;
  /** What is left after returns. The parts' cents and the waiting ones add up to it. */
  readonly cents: Cents;
  readonly waiting: Cents;
  /** Pounds sold, what is left of them after returns. The parts' pounds, those behind and those waiting add up to it. */
  readonly promised: Pounds;
  readonly promisedWaiting: Pounds;
  /** Pounds sold for money that was granted, and which no home saves. */
  readonly behind: Pounds;
  /** In the order in which the grants were paid. */
  readonly parts: readonly Part[];
};

export type GrantShare = {
  readonly grantId: string;
  readonly cents: Cents;
  /** Paid with money that no gift brought. Its pounds are counted to nobody. */
  readonly unfilled: Cents;
  readonly pounds: Pounds;
  /** Pounds that gifts paid for and that no donor bought. */
  readonly spare: Pounds;
};

/** Gifts in the order of their dates, and paid grants in the order of their payments. */
export type Allocation = { readonly gifts: readonly GiftShare[]; readonly grants: readonly GrantShare[] };

/** Cents of a grant, from the first up to but without the last: each keeps its place, and so its pounds. */
type Span = { readonly from: Cents; readonly to: Cents };
type Placed = Span & { readonly grant: Grant };

type Gift = {
  readonly fact: Fact & { kind: 'gift' };
  readonly order: number;
  returned: Cents;
  returnedPounds: Pounds;
  placed: Placed[];
  waiting: Cents;
};

type Grant = {
  readonly fact: Fact & { kind: 'grant' };
  readonly order: number;
  /** In the order of their places. */
  holes: Span[];
  /** Whose money is in it; some may have left. */
  readonly givers: Set<Gift>;
  isPaid: boolean;
};

/**
 * Money follows dates: at each fact, gifts that wait fill grants that are not filled, the oldest of each first. What a gift
 * has, it loses only by its own return or the grant's; so nobody's home changes because another donor was refunded.
 * @throws RangeError for a return of an unknown gift, or an unknown grant that was taken back
 */
export function allocate(facts: readonly Fact[]): Allocation {
  const [gifts, grants] = [new Map<string, Gift>(), new Map<string, Grant>()];
  const [waiting, open] = [new FirstOf<Gift>(), new FirstOf<Grant>()];
  for (const fact of inOrder(facts)) {
    switch (fact.kind) {
      case 'gift': {
        const order = gifts.size;
        const gift = { fact, order, returned: 0, returnedPounds: 0, placed: [], waiting: fact.cents };
        gifts.set(fact.id, gift);
        waiting.add(gift);
        break;
      }
      case 'return':
        giveBack(known(gifts, fact.giftId), fact, { waiting, open });
        break;
      case 'grant': {
        const holes = fact.cents > 0 ? [{ from: 0, to: fact.cents }] : [];
        const grant = { fact, order: grants.size, holes, givers: new Set<Gift>(), isPaid: true };
        grants.set(fact.id, grant);
        open.add(grant);
        break;
      }
      case 'unpaid':
        takeBack(known(grants, fact.grantId), waiting);
        break;
    }
    fill(waiting, open);
  }
  return shared([...gifts.values()], [...grants.values()]);
}

function known<Value>(values: ReadonlyMap<string, Value>, id: string): Value {
  const value = values.get(id);
  if (value === undefined) throw new RangeError(`Nothing before it is ${id}`);
  return value;
}

const RANKS = { gift: 0, return: 1, grant: 2, unpaid: 3 } as const satisfies Record<Fact['kind'], number>;

/** By moment, then gifts before what is done with them, then ids. What goes back cannot do so before it came. */
function inOrder(facts: readonly Fact[]): Fact[] {
  const began = new Map(facts.map(({ id, at }) => [id, at]));
  const momentOf = (fact: Fact) => {
    const about = fact.kind === 'return' ? fact.giftId : fact.kind === 'unpaid' ? fact.grantId : fact.id;
    return Math.max(fact.at, began.get(about) ?? fact.at);
  };
  const keyed = facts.map((fact) => ({ fact, at: momentOf(fact), rank: RANKS[fact.kind] }));
  keyed.sort((a, b) => a.at - b.at || a.rank - b.rank || (a.fact.id < b.fact.id ? -1 : 1));
  return keyed.map(({ fact }) => fact);
}

type Queues = { readonly waiting: FirstOf<Gift>; readonly open: FirstOf<Grant> };

function fill(waiting: FirstOf<Gift>, open: FirstOf<Grant>): void {
  for (;;) {
    const gift = waiting.first(({ waiting: cents }) => cents > 0);
    const grant = open.first(({ isPaid, holes }) => isPaid && holes.length > 0);
    const hole = grant?.holes[0];
    if (!gift || !grant || !hole) return;
    const to = Math.min(hole.to, hole.from + gift.waiting);
    gift.placed.push({ grant, from: hole.from, to });
    gift.waiting -= to - hole.from;
    grant.givers.add(gift);
    if (to < hole.to) grant.holes[0] = { from: to, to: hole.to };
    else grant.holes.shift();
  }
}

/** Money that waits goes first, then what was placed last. If a refund failed, less is gone than before, and waits again. */
function giveBack(gift: Gift, { cents, pounds }: Fact & { kind: 'return' }, { waiting, open }: Queues): void {
  const before = leftOf(gift);
  gift.returned += cents;
  gift.returnedPounds += pounds;
  let gone = before - leftOf(gift);
  if (gone < 0) waiting.add(gift);
  const unplaced = Math.min(gone, gift.waiting);
  gift.waiting -= unplaced;
  gone -= unplaced;
  while (gone > 0) {
    const last = gift.placed.pop();
    if (!last) return;
    const from = Math.max(last.from, last.to - gone);
    if (from > last.from) gift.placed.push({ ...last, to: from });
    openHole(last.grant, { from, to: last.to });
    open.add(last.grant);
    gone -= last.to - from;
  }
}

function leftOf({ fact, returned }: Gift): Cents {
  return within(fact.cents - returned, fact.cents);
}

function within(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}

function openHole(grant: Grant, hole: Span): void {
  const after = grant.holes.findIndex(({ from }) => from > hole.from);
  grant.holes.splice(after === -1 ? grant.holes.length : after, 0, hole);
}

function takeBack(grant: Grant, waiting: FirstOf<Gift>): void {
  grant.isPaid = false;
  for (const gift of grant.givers) {
    const kept = gift.placed.filter((each) => each.grant !== grant);
    if (kept.length === gift.placed.length) continue;
    gift.placed = kept;
    gift.waiting = leftOf(gift) - kept.reduce((sum, { from, to }) => sum + to - from, 0);
    waiting.add(gift);
  }
}

type Counted = { cents: Cents; pounds: Pounds };

/**
 * Pounds: a donor first gets those that the own money saves, up to those bought. What is left over (homes save more than
 * was sold, or a donation bought none) is spare, and goes to donors who are short, the oldest gift first.
 */
function shared(gifts: readonly Gift[], grants: readonly Grant[]): Allocation {
  const spare = new Map(grants.map((grant) => [grant, 0]));
  const counted = gifts.map((gift) => ({ gift, ...ownPounds(gift, spare) }));
  const lending = new FirstOf<Grant>();
  for (const grant of grants) lending.add(grant);
  for (const each of counted) {
    for (;;) {
      const grant = each.behind > 0 ? lending.first((one) => (spare.get(one) ?? 0) > 0) : undefined;
      if (!grant) break;
      const pounds = Math.min(each.behind, spare.get(grant) ?? 0);
      partIn(each.parts, grant).pounds += pounds;
      spare.set(grant, (spare.get(grant) ?? 0) - pounds);
      each.behind -= pounds;
    }
  }
  return {
    gifts: counted.map(({ gift, parts, promised, promisedWaiting, behind }) => ({
      ...{ giftId: gift.fact.id, cents: leftOf(gift), waiting: gift.waiting, promised, promisedWaiting, behind },
      parts: [...parts]
        .toSorted(([a], [b]) => a.order - b.order)
        .map(([{ fact }, { cents, pounds }]) => ({ grantId: fact.id, cents, pounds })),
    })),
    grants: grants
      .filter(({ isPaid }) => isPaid)
      .map((grant) => ({
        ...{ grantId: grant.fact.id, cents: grant.fact.cents, pounds: grant.fact.pounds },
        unfilled: grant.holes.reduce((sum, { from, to }) => sum + to - from, 0),
        spare: spare.get(grant) ?? 0,
      })),
  };
}

function ownPounds(gift: Gift, spare: Map<Grant, Pounds>) {
  const parts = new Map<Grant, Counted>();
  const saved = new Map<Grant, Pounds>();
  for (const { grant, from, to } of gift.placed) {
    partIn(parts, grant).cents += to - from;
    saved.set(grant, (saved.get(grant) ?? 0) + poundsUpTo(grant, to) - poundsUpTo(grant, from));
  }
  const cents = leftOf(gift);
  const promised = cents === 0 ? 0 : within(gift.fact.pounds - gift.returnedPounds, gift.fact.pounds);
  const due = partOf(promised, cents - gift.waiting, cents);
  let own = 0;
  for (const [grant, pounds] of [...saved].toSorted(([a], [b]) => a.order - b.order)) {
    const kept = Math.min(pounds, promised - own);
    partIn(parts, grant).pounds += kept;
    spare.set(grant, (spare.get(grant) ?? 0) + pounds - kept);
    own += kept;
  }
  const behind = Math.max(0, due - own);
  return { parts, promised, promisedWaiting: promised - own - behind, behind };
}

function partIn(parts: Map<Grant, Counted>, grant: Grant): Counted {
  const part = parts.get(grant) ?? { cents: 0, pounds: 0 };
  parts.set(grant, part);
  return part;
}

/** What a grant's first cents save, rounded down, so that its spans add up to exactly all. */
function poundsUpTo({ fact }: Grant, cents: Cents): Pounds {
  return partOf(fact.pounds, cents, fact.cents);
}

/** Rounded down. @returns all of it where the whole is 0 */
function partOf(amount: number, part: number, whole: number): number {
  return part === whole ? amount : Number((BigInt(amount) * BigInt(part)) / BigInt(whole));
}

/** Gives the one of the lowest order that is still of use, and forgets those that are not: a heap. */
class FirstOf<Item extends { readonly order: number }> {
  readonly #heap: Item[] = [];
  readonly #held = new Set<Item>();

  add(item: Item): void {
    if (this.#held.has(item)) return;
    this.#held.add(item);
    let place = this.#heap.push(item) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (this.#orderAt(above) <= this.#orderAt(place)) return;
      this.#swap(above, place);
      place = above;
    }
  }

  first(isOfUse: (item: Item) => boolean): Item | undefined {
    for (;;) {
      const [first] = this.#heap;
      if (first === undefined || isOfUse(first)) return first;
      this.#held.delete(first);
      const last = this.#heap.pop();
      if (last === undefined || this.#heap.length === 0) continue;
      this.#heap[0] = last;
      this.#sink();
    }
  }

  #sink(): void {
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const least = this.#orderAt(left + 1) < this.#orderAt(left) ? left + 1 : left;
      if (this.#orderAt(least) >= this.#orderAt(place)) return;
      this.#swap(least, place);
      place = least;
    }
  }

  #orderAt(place: number): number {
    return this.#heap[place]?.order ?? Number.POSITIVE_INFINITY;
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (one === undefined || other === undefined) return;
    this.#heap[a] = other;
    this.#heap[b] = one;
  }
}

/** What a home is expected to save, and who pays for it. */
export type ExpectedSaving = {
  /** Pounds a year, in ten-thousandths. */
  readonly yearly: Pounds;
  readonly years: number;
  /** That the fund pays. */
  readonly cents: Cents;
  /** Other public funding in it. */
  readonly otherCents: Cents;
  /** The fund says that it counts the whole saving, though others pay too. */
  readonly claimsAll: boolean;
};

/** The pounds that a fund may count for a grant: its share of the money, rounded down. */
export function claimedPounds({ yearly, years, cents, otherCents, claimsAll }: ExpectedSaving): Pounds {
  const whole = yearly * years;
  return claimsAll ? whole : partOf(whole, cents, cents + otherCents);
}

/** When the work was done, and how many years it lasts. */
export type Lifetime = { readonly doneOn: Day; readonly years: number };

/** Of pounds that arrive evenly, day by day from when the work was done: those up to the start of a day, rounded down. */
export function deliveredBy(pounds: Pounds, { doneOn, years }: Lifetime, day: Day): Pounds {
  const start = Date.parse(doneOn);
  const end = new Date(start).setUTCFullYear(new Date(start).getUTCFullYear() + years);
  const days = (until: number) => Math.round((until - start) / DAY_MS);
  return partOf(pounds, within(days(Date.parse(day)), days(end)), days(end));
}

/** What a fund sold and what its homes save, in ten-thousandths of a pound. */
export type Standing = {
  /** What donors bought, less returns: backed, behind and waiting add up to it. */
  readonly sold: Pounds;
  /** What the paid grants save over all years. */
  readonly granted: Pounds;
  /** Of what was granted: counted to donors. */
  readonly backed: Pounds;
  /** Sold for money that was granted, and which no home saves. */
  readonly behind: Pounds;
  /** Sold for money that waits for its home. */
  readonly waiting: Pounds;
  /** Granted and bought by nobody. */
  readonly spare: Pounds;
};

export function standingOf({ gifts, grants }: Allocation): Standing {
  const add = (amounts: readonly Pounds[]) => amounts.reduce((sum, each) => sum + each, 0);
  return {
    sold: add(gifts.map(({ promised }) => promised)),
    granted: add(grants.map(({ pounds }) => pounds)),
    backed: add(gifts.flatMap(({ parts }) => parts.map(({ pounds }) => pounds))),
    behind: add(gifts.map(({ behind }) => behind)),
    waiting: add(gifts.map(({ promisedWaiting }) => promisedWaiting)),
    spare: add(grants.map(({ spare }) => spare)),
  };
}
