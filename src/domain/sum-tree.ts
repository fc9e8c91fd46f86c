/**
 * A tree of hashes whose nodes hold sums, append-only in the discipline of RFC 9162: docs/proof.md specifies each byte.
 * The hash is SHA-256, and is given, as this room computes only.
 */
export type Hash = (bytes: Uint8Array) => Uint8Array;

/** Cents in, cents out, ten-thousandths of a pound in and out: never negative, so that nothing can hide behind a sum. */
export type Sums = readonly [number, number, number, number];

/** A tree's top, or a leaf: how many leaves, what they sum up to, and the hash of all. */
export type TreeNode = { readonly size: number; readonly sums: Sums; readonly hash: Uint8Array };

/** Leaves that lie side by side. */
export type Range = { readonly start: number; readonly size: number };

export const NO_SUMS: Sums = [0, 0, 0, 0];

/** @throws RangeError where a sum is not a safe integer of at least 0 */
export function addSums(a: Sums, b: Sums): Sums {
  const sums: Sums = [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]];
  if (!sums.every((sum) => Number.isSafeInteger(sum) && sum >= 0)) throw new RangeError(`Not sums: ${sums.join(', ')}`);
  return sums;
}

/** Eight bytes, most significant first. */
export function uint64(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  put(new DataView(bytes.buffer), 0, value);
  return bytes;
}

export function sumsBytes(sums: Sums): Uint8Array {
  const bytes = new Uint8Array(32);
  putSums(new DataView(bytes.buffer), 0, sums);
  return bytes;
}

function putSums(view: DataView, at: number, sums: Sums): void {
  for (const [which, sum] of sums.entries()) put(view, at + which * 8, sum);
}

/** Without a bigint, which takes ten times as long: there are two nodes for each leaf. */
function put(view: DataView, at: number, value: number): void {
  view.setUint32(at, Math.floor(value / 2 ** 32));
  view.setUint32(at + 4, value % 2 ** 32);
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const LEAF = Uint8Array.of(0);
const INNER = 1;
/** Size, sums and hash. */
const NODE_BYTES = 72;

export function leafNode(hash: Hash, sums: Sums, commitment: Uint8Array): TreeNode {
  return { size: 1, sums: addSums(sums, NO_SUMS), hash: hash(joined([LEAF, sumsBytes(sums), commitment])) };
}

export function joinNodes(hash: Hash, left: TreeNode, right: TreeNode): TreeNode {
  const bytes = new Uint8Array(1 + 2 * NODE_BYTES);
  const view = new DataView(bytes.buffer);
  bytes[0] = INNER;
  for (const [at, node] of [left, right].entries()) {
    const start = 1 + at * NODE_BYTES;
    put(view, start, node.size);
    putSums(view, start + 8, node.sums);
    bytes.set(node.hash, start + 40);
  }
  return { size: left.size + right.size, sums: addSums(left.sums, right.sums), hash: hash(bytes) };
}

/** The complete trees that a tree consists of, left to right: each size is a power of two, smaller than the one before. */
export type Frontier = readonly TreeNode[];

/**
 * Adds leaves, or complete trees, in their order. What it costs depends on what is added, not on what is there.
 * @param completed is called with each tree that became complete above them, and where it starts
 */
export function append(
  hash: Hash,
  frontier: Frontier,
  added: readonly TreeNode[],
  completed: (node: TreeNode, start: number) => void = () => {},
): Frontier {
  const nodes = [...frontier];
  let size = nodes.reduce((all, node) => all + node.size, 0);
  for (const each of added) {
    let node = each;
    size += each.size;
    while (nodes.at(-1)?.size === node.size) {
      node = joinNodes(hash, nodes.pop() ?? node, node);
      completed(node, size - node.size);
    }
    nodes.push(node);
  }
  return nodes;
}

/**
 * The top of trees that lie side by side as in a frontier.
 * @throws RangeError without any
 */
export function rootOf(hash: Hash, frontier: Frontier): TreeNode {
  return frontier.reduceRight((right, left) => joinNodes(hash, left, right));
}

/** Whose nodes prove that a leaf is in a tree of so many leaves, the deepest first. */
export function inclusionRanges(index: number, size: number): Range[] {
  const ranges: Range[] = [];
  let [start, left] = [0, size];
  while (left > 1) {
    const half = splitOf(left);
    const isLeft = index < start + half;
    ranges.unshift(isLeft ? { start: start + half, size: left - half } : { start, size: half });
    if (!isLeft) start += half;
    left = isLeft ? half : left - half;
  }
  return ranges;
}

/** Whose nodes prove that a tree of `size` leaves holds the one of the first `before` of them, unchanged. */
export function consistencyRanges(before: number, size: number): Range[] {
  const ranges: Range[] = [];
  let [start, left, old, known] = [0, size, before, true];
  while (old < left) {
    const half = splitOf(left);
    if (old <= half) {
      ranges.unshift({ start: start + half, size: left - half });
      left = half;
    } else {
      ranges.unshift({ start, size: half });
      [start, left, old, known] = [start + half, left - half, old - half, false];
    }
  }
  return known ? ranges : [{ start, size: left }, ...ranges];
}

/** The complete trees that a range consists of, left to right. It must lie in a tree as the ranges above do. */
export function completeRanges({ start, size }: Range): Range[] {
  const ranges: Range[] = [];
  for (let [at, left] = [start, size]; left > 0; ) {
    const most = splitOf(left + 1);
    ranges.push({ start: at, size: most });
    at += most;
    left -= most;
  }
  return ranges;
}

/** The largest power of two that is smaller. */
function splitOf(size: number): number {
  let half = 1;
  while (half * 2 < size) half *= 2;
  return half;
}
