import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import {
  groupSizes,
  type Head,
  headBytes,
  headInFile,
  hexOf,
  keyChangeBytes,
  nodeText,
  type Part,
  type ProvenEntry,
  partsOf,
  placesIn,
  proofFile,
  type TreeName,
} from '#domain/gift-proof.ts';
import { consistencyRanges, inclusionRanges, joinNodes, type Range, type TreeNode } from '#domain/sum-tree.ts';

export const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash('sha256').update(bytes).digest());

/** The tree of RFC 9162 by its own words: nothing is kept, and everything computed again. */
export function plainRoot(leaves: readonly TreeNode[]): TreeNode {
  const [first] = leaves;
  if (!first || leaves.length === 1) return first ?? { size: 0, sums: [0, 0, 0, 0], hash: sha256(new Uint8Array()) };
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return joinNodes(sha256, plainRoot(leaves.slice(0, half)), plainRoot(leaves.slice(half)));
}

/** A key that is the same each time. */
export function keyOf(seed: Uint8Array): { readonly privateKey: KeyObject; readonly publicKey: Uint8Array } {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const privateKey = createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' });
  const exported = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return { privateKey, publicKey: new Uint8Array(exported.subarray(-32)) };
}

const TREE: TreeName = { organization: 'springfield', money: 'live' };

/** What a fund that lies changes before it hashes and signs. */
export type Lies = {
  readonly key?: Uint8Array;
  /** From this day on, another key signs. */
  readonly newKeyFrom?: number;
  readonly parts?: (parts: readonly Part[]) => readonly Part[];
  readonly head?: (head: Head) => Head;
};

/** A fund whose days had these entries: its heads, and files of all formats. */
export function provenFund(
  days: readonly (readonly ProvenEntry[])[],
  {
    key: seed = sha256(new Uint8Array()),
    newKeyFrom = Infinity,
    parts: changedParts = (parts) => parts,
    head: changedHead = (head) => head,
  }: Lies = {},
) {
  const [first, second] = [keyOf(seed), keyOf(sha256(seed))];
  const leaves: TreeNode[] = [];
  const heads: { readonly size: number; readonly inFile: ReturnType<typeof headInFile> }[] = [];
  const placed: { readonly entry: ProvenEntry; readonly indexes: number[]; readonly parts: readonly Part[] }[] = [];
  let previous: Uint8Array = new Uint8Array(32);
  for (const [at, entries] of days.entries()) {
    let from = 0;
    for (const size of groupSizes(entries.length)) {
      const group = entries.slice(from, from + size).map((entry) => ({
        entry,
        indexes: [] as number[],
        parts: changedParts(partsOf(sha256, TREE, entry)),
      }));
      from += size;
      for (const { entry, part } of placesIn(group.map(({ parts }) => parts))) {
        const its = group[entry];
        const leaf = its?.parts[part]?.leaf;
        if (!its || !leaf) throw new Error('A place without a part');
        its.indexes[part] = leaves.length;
        leaves.push(leaf);
      }
      placed.push(...group);
    }
    const root = plainRoot(leaves);
    const { privateKey, publicKey } = at < newKeyFrom ? first : second;
    const head: Head = changedHead({
      ...TREE,
      zone: 'America/New_York',
      day: new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10),
      ...{ size: root.size, sums: root.sums, root: root.hash, previous, key: publicKey },
    });
    const bytes = headBytes(head);
    heads.push({ size: root.size, inFile: headInFile(head, new Uint8Array(sign(null, bytes, privateKey))) });
    previous = sha256(bytes);
  }
  const nodes = (ranges: readonly Range[]) =>
    ranges.map(({ start, size }) => plainRoot(leaves.slice(start, start + size)));
  const headOf = (day: number) => {
    const head = heads[day];
    if (!head) throw new Error(`No head of day ${day}`);
    return head;
  };
  const pathBetween = (from: number, to: number) =>
    nodes(consistencyRanges(headOf(from).size, headOf(to).size)).map(nodeText);
  return {
    leaves,
    heads,
    proof: (entry: number, day: number) => {
      const its = placed[entry];
      if (!its) throw new Error(`No entry ${entry}`);
      const { size, inFile } = headOf(day);
      const parts = its.parts.map(({ sums }, part) => {
        const index = its.indexes[part] ?? 0;
        return { index, sums, path: nodes(inclusionRanges(index, size)) };
      });
      return proofFile(inFile, its.entry, parts);
    },
    chain: (first = 0, last = heads.length - 1) => ({
      format: 'climate-fund-heads-1',
      heads: heads.slice(first, last + 1).map(({ inFile }) => inFile),
      paths: Array.from({ length: last - first }, (_, at) => pathBetween(first + at, first + at + 1)),
    }),
    keys: () => ({
      format: 'climate-fund-keys-1',
      changes: [
        {
          from: headOf(newKeyFrom - 1).inFile,
          to: headOf(newKeyFrom).inFile,
          path: pathBetween(newKeyFrom - 1, newKeyFrom),
          signature: hexOf(sign(null, keyChangeBytes(first.publicKey, second.publicKey), first.privateKey)),
        },
      ],
    }),
    consistency: (from: number, to: number) => ({
      format: 'climate-fund-consistency-1',
      from: headOf(from).inFile,
      to: headOf(to).inFile,
      path: pathBetween(from, to),
    }),
  };
}
