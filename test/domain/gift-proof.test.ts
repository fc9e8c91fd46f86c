import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupSizes, PARTS, type ProvenEntry, partsOf, placesIn, sumsOf } from '#domain/gift-proof.ts';
import { addSums, NO_SUMS } from '#domain/sum-tree.ts';
import { sha256 } from '#test/support/proven-fund.ts';

const TREE = { organization: 'springfield', money: 'live' } as const;
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const signed = fc.integer({ min: -(10 ** 12), max: 10 ** 12 });

const entryOf = (cents: number, pounds: number, salt: Uint8Array): ProvenEntry => ({
  ...{ kind: 'payment', fact: 'checkout-session:cs_1', receipt: '2026-1', date: '2026-01-01' },
  ...{ cents, pounds, salt },
});

test('an entry’s parts add up to it, none is below zero, and all follow from its salt', () => {
  fc.assert(
    fc.property(signed, signed, bytes32, (cents, pounds, salt) => {
      const entry = entryOf(cents, pounds, salt);
      const parts = partsOf(sha256, TREE, entry);
      expect(parts.length).toBe(PARTS);
      expect(parts.reduce((all, { sums }) => addSums(all, sums), NO_SUMS)).toEqual(sumsOf(entry));
      expect(partsOf(sha256, TREE, entry)).toEqual(parts);
      expect(new Set(parts.map(({ leaf }) => String(leaf.hash))).size).toBe(PARTS);
    }),
  );
});

test('no part of a gift is the gift, and its parts are not the same again with another salt', () => {
  const shares = Array.from({ length: 200 }, (_, at) =>
    partsOf(sha256, TREE, entryOf(2500, 1_200_000, sha256(Uint8Array.of(at)))).map(({ sums }) => sums[0]),
  );
  expect(shares.flat()).not.toContain(2500);
  expect(new Set(shares.map(String)).size).toBe(200);
  // As even as darts make them: an eighth on average, wherever the part is.
  for (let part = 0; part < PARTS; part += 1) {
    const mean = shares.reduce((sum, each) => sum + (each[part] ?? 0), 0) / shares.length;
    expect(Math.abs(mean - 2500 / PARTS)).toBeLessThan(80);
  }
});

test('the parts of a group lie mixed, each once', () => {
  const group = Array.from({ length: 40 }, (_, at) =>
    partsOf(sha256, TREE, entryOf(100, 0, sha256(Uint8Array.of(at)))),
  );
  const places = placesIn(group);
  expect(new Set(places.map(({ entry, part }) => entry * PARTS + part)).size).toBe(40 * PARTS);
  const beside = places.filter(({ entry }, at) => places[at + 1]?.entry === entry).length;
  expect(beside).toBeLessThan(40);
});

test('groups hold all entries, 32 at most, and 16 at least where a day has so many', () => {
  fc.assert(
    fc.property(fc.nat({ max: 5000 }), (entries) => {
      const sizes = groupSizes(entries);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(entries);
      for (const size of sizes) {
        expect(size).toBeLessThanOrEqual(32);
        expect(size).toBeGreaterThanOrEqual(Math.min(16, entries));
      }
    }),
  );
});

test('what files may not have is not committed to', () => {
  const entry = entryOf(100, 0, new Uint8Array(32));
  expect(() => partsOf(sha256, TREE, { ...entry, fact: 'für' })).toThrow(RangeError);
});
