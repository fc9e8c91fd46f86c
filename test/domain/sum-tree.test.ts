import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addSums,
  append,
  completeRanges,
  consistencyRanges,
  type Frontier,
  inclusionRanges,
  joinNodes,
  leafNode,
  type Range,
  rootOf,
  type TreeNode,
} from '#domain/sum-tree.ts';
import { plainRoot, sha256 } from '#test/support/proven-fund.ts';

const RUNS = { numRuns: Number(process.env.PROOF_RUNS ?? 500) };

const amount = fc.integer({ min: 0, max: 10 ** 9 });
const leaf = fc
  .tuple(amount, amount, amount, amount, fc.uint8Array({ minLength: 32, maxLength: 32 }))
  .map(([a, b, c, d, commitment]) => leafNode(sha256, [a, b, c, d], commitment));
const leaves = fc.array(leaf, { minLength: 1, maxLength: 70 });

const at = (all: readonly TreeNode[], { start, size }: Range) => plainRoot(all.slice(start, start + size));

test('a tree that grew, in whatever steps, has the root of one that is computed at once', () => {
  fc.assert(
    fc.property(leaves, fc.array(fc.nat({ max: 70 })), (all, cuts) => {
      const steps = [0, ...cuts.filter((cut) => cut < all.length).toSorted((a, b) => a - b), all.length];
      const kept: [TreeNode, number][] = [];
      const frontier = steps.reduce<Frontier>(
        (grown, to, step) =>
          append(sha256, grown, all.slice(steps[step - 1] ?? 0, to), (node, start) => kept.push([node, start])),
        [],
      );
      expect(rootOf(sha256, frontier)).toEqual(plainRoot(all));
      for (const [node, start] of kept) expect(node).toEqual(at(all, { start, size: node.size }));
    }),
    RUNS,
  );
});

test('the ranges of a path lead from any leaf to the root, and nowhere else', () => {
  fc.assert(
    fc.property(leaves, fc.nat(), (all, some) => {
      const index = some % all.length;
      const ranges = inclusionRanges(index, all.length);
      const root = ranges.reduce<Range & { node: TreeNode }>(
        (way, range) => {
          const isLeft = range.start < way.start;
          expect(isLeft ? range.start + range.size : way.start + way.size).toBe(isLeft ? way.start : range.start);
          const beside = at(all, range);
          const node = isLeft ? joinNodes(sha256, beside, way.node) : joinNodes(sha256, way.node, beside);
          return { start: Math.min(way.start, range.start), size: node.size, node };
        },
        { start: index, size: 1, node: at(all, { start: index, size: 1 }) },
      );
      expect(root.node).toEqual(plainRoot(all));
    }),
    RUNS,
  );
});

test('ranges of paths consist of complete trees, whose starts are multiples of their sizes', () => {
  fc.assert(
    fc.property(leaves, fc.nat(), (all, some) => {
      const size = all.length;
      for (const range of [...inclusionRanges(some % size, size), ...consistencyRanges(1 + (some % size), size)]) {
        const complete = completeRanges(range);
        for (const one of complete) expect([Math.log2(one.size) % 1, one.start % one.size]).toEqual([0, 0]);
        expect(
          rootOf(
            sha256,
            complete.map((one) => at(all, one)),
          ),
        ).toEqual(at(all, range));
      }
    }),
    RUNS,
  );
});

test('a node’s hash depends on both children’s sizes, sums and hashes', () => {
  const [a, b] = [
    leafNode(sha256, [1, 2, 3, 4], sha256(Uint8Array.of(1))),
    leafNode(sha256, [5, 6, 7, 8], sha256(Uint8Array.of(2))),
  ];
  const changed: TreeNode[] = [
    { ...a, size: 2 },
    ...[0, 1, 2, 3].map((which): TreeNode => {
      const [first, second, third, fourth] = a.sums.map((sum, at) => (at === which ? sum + 1 : sum));
      return { ...a, sums: [first ?? 0, second ?? 0, third ?? 0, fourth ?? 0] };
    }),
    { ...a, hash: b.hash },
  ];
  const hashes = changed.flatMap((other) => [joinNodes(sha256, other, b).hash, joinNodes(sha256, b, other).hash]);
  const all = [...hashes, joinNodes(sha256, a, b).hash, joinNodes(sha256, b, a).hash].map(String);
  expect(new Set(all).size).toBe(all.length);
});

test.each([[[-1, 0, 0, 0]], [[0, 0.5, 0, 0]], [[0, 0, Number.MAX_SAFE_INTEGER, 0]]] as const)(
  'sums that are negative, broken or too large are refused: %j',
  (sums) => {
    expect(() => addSums(sums, [0, 0, 1, 0])).toThrow(RangeError);
  },
);

test('appending costs the same whatever is there', () => {
  const costOf = (size: number) => {
    const one = leafNode(sha256, [1, 0, 0, 0], new Uint8Array(32));
    const frontier = append(
      sha256,
      [],
      Array.from({ length: size }, () => one),
    );
    let hashes = 0;
    const counting = (bytes: Uint8Array) => {
      hashes += 1;
      return sha256(bytes);
    };
    append(
      counting,
      frontier,
      Array.from({ length: 1024 }, () => one),
    );
    return hashes;
  };
  expect(Math.abs(costOf(20_000) - costOf(100))).toBeLessThan(20);
});
