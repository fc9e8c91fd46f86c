import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Allocation,
  allocate,
  calculateClaimablePounds,
  calculateDeliveredPounds,
  type Fact,
  sumAllocation,
} from '#domain/allocation.ts';
import { giftHistories, smallNumber } from '#test/support/gift-histories.ts';
import { pickRunCount } from '#test/support/run-count.ts';

const numRuns = pickRunCount(300, 10_000);

const gift = (id: string, timeMs: number, cents: number, pounds = 0): Fact => ({
  kind: 'gift',
  id,
  timeMs,
  cents,
  pounds,
});
const grant = (id: string, timeMs: number, cents: number, pounds = 0): Fact => ({
  kind: 'grant',
  id,
  timeMs,
  cents,
  pounds,
});
const refund = (giftId: string, timeMs: number, cents: number, pounds = 0): Fact => ({
  kind: 'return',
  id: `${giftId}-${timeMs}`,
  timeMs,
  giftId,
  cents,
  pounds,
});
const reversal = (grantId: string, timeMs: number): Fact => ({
  kind: 'grant-reversal',
  id: `${grantId}-${timeMs}`,
  timeMs,
  grantId,
});

/** Parts by gift and grant: { ada: { okafor: [cents, pounds] }, … } */
function groupPartsByGift({ gifts }: Allocation) {
  return Object.fromEntries(
    gifts.map(({ giftId, parts }) => [
      giftId,
      Object.fromEntries(parts.map(({ grantId, cents, pounds }) => [grantId, [cents, pounds]])),
    ]),
  );
}

const ada = gift('ada', 1, 15_000, 12_000);
const ben = gift('ben', 2, 10_000, 8000);
const okafor = grant('okafor', 3, 20_000, 40_000);

test('the oldest gift fills the oldest grant, and the rest stays unallocated', () => {
  const { gifts, grants } = allocate([ada, ben, okafor]);
  expect(gifts).toEqual([
    {
      giftId: 'ada',
      cents: 15_000,
      unallocatedCents: 0,
      soldPounds: 12_000,
      unallocatedPounds: 0,
      shortfallPounds: 0,
      parts: [{ grantId: 'okafor', cents: 15_000, pounds: 12_000 }],
    },
    {
      // Half of the money would save 10,000 pounds there, more than the 8,000 that the whole gift bought.
      giftId: 'ben',
      cents: 10_000,
      unallocatedCents: 5000,
      soldPounds: 8000,
      unallocatedPounds: 0,
      shortfallPounds: 0,
      parts: [{ grantId: 'okafor', cents: 5000, pounds: 8000 }],
    },
  ]);
  expect(grants).toEqual([
    { grantId: 'okafor', cents: 20_000, unfundedCents: 0, pounds: 40_000, surplusPounds: 20_000 },
  ]);
});

test('a refund frees its place for the oldest unallocated gift and moves no other gift', () => {
  const facts = [ada, ben, gift('eve', 3, 3000), okafor];
  expect(groupPartsByGift(allocate(facts))).toMatchObject({
    ada: { okafor: [15_000, 12_000] },
    ben: { okafor: [5000, 8000] },
  });
  const allocation = allocate([...facts, refund('ada', 4, 6000, 4800)]);
  expect(groupPartsByGift(allocation)).toEqual({
    ada: { okafor: [9000, 7200] },
    ben: { okafor: [10_000, 8000] },
    eve: { okafor: [1000, 0] },
  });
  expect(allocation.gifts.map(({ unallocatedCents }) => unallocatedCents)).toEqual([0, 0, 2000]);
});

test('a refund uses unallocated money first, and a failed refund restores it', () => {
  const refundedFacts = [ada, ben, okafor, refund('ben', 4, 5000, 4000)];
  expect(allocate(refundedFacts).gifts[1]).toMatchObject({
    cents: 5000,
    unallocatedCents: 0,
    parts: [{ cents: 5000 }],
  });
  expect(allocate([...refundedFacts, refund('ben', 5, -5000, -4000)])).toEqual(allocate([ada, ben, okafor]));
});

test('undoing a payment makes its gifts available again in their original order', () => {
  const allocation = allocate([ada, ben, okafor, reversal('okafor', 4), grant('smith', 5, 16_000)]);
  expect(allocation.gifts.map(({ unallocatedCents }) => unallocatedCents)).toEqual([0, 9000]);
  expect(groupPartsByGift(allocation)).toMatchObject({ ada: { smith: [15_000, 0] }, ben: { smith: [1000, 0] } });
});

test('one home’s surplus covers another gift’s shortfall in the fund’s totals, but isn’t credited to that gift', () => {
  const small = grant('okafor', 3, 10_000, 5000);
  const baseAllocation = allocate([gift('ada', 1, 10_000, 8000), small]);
  expect(sumAllocation(baseAllocation)).toEqual({
    soldPounds: 8000,
    grantedPounds: 5000,
    backedPounds: 5000,
    shortfallPounds: 3000,
    unallocatedPounds: 0,
    surplusPounds: 0,
  });
  const withDonation = allocate([
    gift('ada', 1, 10_000, 8000),
    small,
    gift('ben', 4, 400),
    grant('smith', 5, 400, 2000),
  ]);
  expect(groupPartsByGift(withDonation)).toEqual({
    ada: { okafor: [10_000, 5000] },
    ben: { smith: [400, 0] },
  });
  expect(withDonation.gifts[0]?.shortfallPounds).toBe(3000);
  expect(sumAllocation(withDonation)).toMatchObject({ shortfallPounds: 1000, backedPounds: 7000, surplusPounds: 0 });
});

test('the part of a grant paid with other money isn’t credited to any donor', () => {
  const { grants, gifts } = allocate([gift('ada', 1, 2500, 9000), grant('okafor', 2, 10_000, 4000)]);
  expect(grants).toEqual([{ grantId: 'okafor', cents: 10_000, unfundedCents: 7500, pounds: 4000, surplusPounds: 0 }]);
  expect(gifts[0]).toMatchObject({ shortfallPounds: 8000, parts: [{ grantId: 'okafor', cents: 2500, pounds: 1000 }] });
});

test('simultaneous gifts are ordered by id, before their returns', () => {
  const facts = [grant('okafor', 5, 100), gift('b', 5, 100), gift('a', 5, 60), refund('b', 1, 30)];
  expect(groupPartsByGift(allocate(facts))).toEqual({ a: { okafor: [60, 0] }, b: { okafor: [40, 0] } });
});

test('returns of unknown gifts and reversals of unknown grants are rejected', () => {
  expect(() => allocate([refund('ada', 1, 100)])).toThrow(RangeError);
  expect(() => allocate([reversal('okafor', 1)])).toThrow(RangeError);
});

function checkProperty(property: (facts: readonly Fact[]) => void) {
  fc.assert(fc.property(giftHistories, property), { numRuns });
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

test('every cent of a gift is in one grant or unallocated, and no grant exceeds its payment', () => {
  checkProperty((facts) => {
    const { gifts, grants } = allocate(facts);
    const parts = gifts.flatMap((giftAllocation) => giftAllocation.parts);
    for (const { cents, unallocatedCents, parts: giftParts } of gifts)
      expect(sum(giftParts.map((part) => part.cents)) + unallocatedCents).toBe(cents);
    for (const { grantId, cents, unfundedCents } of grants) {
      const grantParts = parts.filter((part) => part.grantId === grantId);
      expect(sum(grantParts.map((part) => part.cents)) + unfundedCents).toBe(cents);
    }
    expect(parts.every((part) => part.cents > 0 && part.pounds >= 0)).toBe(true);
    expect(gifts.every(({ unallocatedCents }) => unallocatedCents >= 0)).toBe(true);
    // Money stays unallocated only if every grant is full.
    expect(
      gifts.some(({ unallocatedCents }) => unallocatedCents > 0) &&
        grants.some(({ unfundedCents }) => unfundedCents > 0),
    ).toBe(false);
  });
});

test('no pound is counted twice, and pounds never exceed the savings or the purchases', () => {
  checkProperty((facts) => {
    const allocation = allocate(facts);
    const { gifts, grants } = allocation;
    const parts = gifts.flatMap((giftAllocation) => giftAllocation.parts);
    for (const { grantId, pounds: saved, surplusPounds, unfundedCents } of grants) {
      const allocatedPounds =
        sum(parts.filter((part) => part.grantId === grantId).map((part) => part.pounds)) + surplusPounds;
      expect(allocatedPounds).toBeLessThanOrEqual(saved);
      if (unfundedCents === 0) expect(allocatedPounds).toBe(saved);
    }
    for (const { soldPounds, unallocatedPounds, shortfallPounds, parts: giftParts } of gifts) {
      expect(sum(giftParts.map((part) => part.pounds)) + shortfallPounds + unallocatedPounds).toBe(soldPounds);
      expect(Math.min(shortfallPounds, unallocatedPounds)).toBeGreaterThanOrEqual(0);
    }
    const { soldPounds, backedPounds, shortfallPounds, unallocatedPounds, surplusPounds } = sumAllocation(allocation);
    expect(backedPounds + shortfallPounds + unallocatedPounds).toBe(soldPounds);
    // The fund has no shortfall while it has surplus pounds.
    expect(shortfallPounds > 0 && surplusPounds > 0).toBe(false);
  });
});

test('the order of facts doesn’t affect the result', () => {
  fc.assert(
    fc.property(
      giftHistories.chain((facts) =>
        fc.tuple(fc.constant(facts), fc.shuffledSubarray(facts, { minLength: facts.length })),
      ),
      ([facts, shuffledFacts]) => {
        expect(allocate(shuffledFacts)).toEqual(allocate(facts));
      },
    ),
    { numRuns },
  );
});

test('a refund doesn’t affect other gifts', () => {
  fc.assert(
    fc.property(giftHistories, fc.nat(), smallNumber, (facts, giftIndex, cents) => {
      const initialAllocation = allocate(facts);
      const refundedGift = initialAllocation.gifts[giftIndex % Math.max(initialAllocation.gifts.length, 1)];
      if (!refundedGift) return;
      const allocation = allocate([...facts, { ...refund(refundedGift.giftId, 100, cents), id: 'last' }]);
      for (const [index, { giftId, parts }] of initialAllocation.gifts.entries()) {
        if (giftId === refundedGift.giftId) continue;
        const newCents = new Map(allocation.gifts[index]?.parts.map((part) => [part.grantId, part.cents]));
        for (const part of parts) expect(newCents.get(part.grantId) ?? 0).toBeGreaterThanOrEqual(part.cents);
      }
    }),
    { numRuns },
  );
});

test('returning every gift empties the allocation', () => {
  checkProperty((facts) => {
    const { gifts } = allocate(facts);
    const fullReturns = gifts.map(({ giftId, cents, soldPounds }) => ({
      ...refund(giftId, 100, cents, soldPounds),
      id: `all-${giftId}`,
    }));
    const allocation = allocate([...facts, ...fullReturns]);
    expect(
      allocation.gifts.every(
        ({ cents, unallocatedCents, parts }) => cents === 0 && unallocatedCents === 0 && parts.length === 0,
      ),
    ).toBe(true);
    expect(allocation.grants.every(({ cents, unfundedCents }) => unfundedCents === cents)).toBe(true);
    expect(sumAllocation(allocation)).toMatchObject({
      soldPounds: 0,
      backedPounds: 0,
      shortfallPounds: 0,
      unallocatedPounds: 0,
      surplusPounds: 0,
    });
  });
});

test('the allocation matches a slow cent-by-cent calculation', () => {
  checkProperty((facts) => {
    const { gifts, grants } = allocate(facts);
    const expectedOwners = allocateCentByCent(facts);
    for (const { giftId, parts } of gifts)
      for (const { grantId } of grants) {
        const cents = parts.find((part) => part.grantId === grantId)?.cents ?? 0;
        expect(expectedOwners.get(grantId)?.filter((owner) => owner === giftId).length).toBe(cents);
      }
  });
});

/** Maps each grant to its cents, and each cent to the id of the gift it came from. */
function allocateCentByCent(facts: readonly Fact[]): Map<string, (string | undefined)[]> {
  const grants = new Map<string, (string | undefined)[]>();
  const giftLedgers = new Map<string, { received: number; returned: number; slots: [string, number][] }>();
  const factTime = (id: string) => facts.find((fact) => fact.id === id)?.timeMs ?? 0;
  const effectiveTime = (fact: Fact) =>
    Math.max(
      fact.timeMs,
      fact.kind === 'return' ? factTime(fact.giftId) : fact.kind === 'grant-reversal' ? factTime(fact.grantId) : 0,
    );
  const rank = ({ kind }: Fact) => ['gift', 'return', 'grant', 'grant-reversal'].indexOf(kind);
  for (const fact of facts.toSorted(
    (a, b) => effectiveTime(a) - effectiveTime(b) || rank(a) - rank(b) || (a.id < b.id ? -1 : 1),
  )) {
    if (fact.kind === 'gift') giftLedgers.set(fact.id, { received: fact.cents, returned: 0, slots: [] });
    if (fact.kind === 'grant') grants.set(fact.id, Array.from({ length: fact.cents }));
    if (fact.kind === 'grant-reversal') {
      for (const ledger of giftLedgers.values())
        ledger.slots = ledger.slots.filter(([grantId]) => grantId !== fact.grantId);
      grants.delete(fact.grantId);
    }
    const ledger = fact.kind === 'return' ? giftLedgers.get(fact.giftId) : undefined;
    if (fact.kind === 'return' && ledger) {
      ledger.returned += fact.cents;
      while (ledger.slots.length > netCents(ledger)) {
        const [grantId, slot] = ledger.slots.pop() ?? ['', 0];
        const cents = grants.get(grantId);
        if (cents) cents[slot] = undefined;
      }
    }
    for (const [giftId, giftLedger] of giftLedgers)
      for (const [grantId, cents] of grants)
        for (const [slot, owner] of cents.entries())
          if (owner === undefined && giftLedger.slots.length < netCents(giftLedger)) {
            cents[slot] = giftId;
            giftLedger.slots.push([grantId, slot]);
          }
  }
  return grants;
}

function netCents({ received, returned }: { received: number; returned: number }): number {
  return Math.max(0, Math.min(received, received - returned));
}

test('savings from other public funding count only if the fund claims them', () => {
  const expected = { yearlyCarbon: 14_040_000, years: 20, cents: 100_000, otherCents: 0, claimsAll: false };
  expect(calculateClaimablePounds(expected)).toBe(280_800_000);
  expect(calculateClaimablePounds({ ...expected, otherCents: 200_000 })).toBe(93_600_000);
  expect(calculateClaimablePounds({ ...expected, otherCents: 200_000, claimsAll: true })).toBe(280_800_000);
});

test('pounds are delivered daily over the lifetime of the work', () => {
  const life = { doneOn: '2026-03-01', years: 20 };
  expect(calculateDeliveredPounds(280_800_000, life, '2026-02-28')).toBe(0);
  expect(calculateDeliveredPounds(280_800_000, life, '2026-03-01')).toBe(0);
  expect(calculateDeliveredPounds(280_800_000, life, '2036-03-01')).toBe(140_419_219);
  expect(calculateDeliveredPounds(280_800_000, life, '2046-03-01')).toBe(280_800_000);
  expect(calculateDeliveredPounds(280_800_000, life, '2099-01-01')).toBe(280_800_000);
  fc.assert(
    fc.property(fc.array(fc.nat(1e9), { maxLength: 5 }), fc.integer({ min: 0, max: 9000 }), (parts, days) => {
      const day = new Date(Date.parse(life.doneOn) + days * 86_400_000).toISOString().slice(0, 10);
      const deliveredPounds = sum(parts.map((part) => calculateDeliveredPounds(part, life, day)));
      expect(deliveredPounds).toBeLessThanOrEqual(calculateDeliveredPounds(sum(parts), life, day));
      expect(calculateDeliveredPounds(sum(parts), life, day)).toBeLessThanOrEqual(sum(parts));
    }),
  );
});
