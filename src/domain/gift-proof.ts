import type { Day, TimeZone } from './days.ts';
import type { Cents, TenThousandthsOfPound } from './money.ts';
import { type Hash, joined, leafNode, type Sums, sumsBytes, type TreeNode, uint64 } from './sum-tree.ts';

/** Into how many leaves an entry is split, so that nobody who sees one reads the amount. */
export const PARTS = 8;

/** How many entries are mixed at most: the parts of each lie among those of the others. */
export const GROUP_MAXIMUM = 32;

/** Whose tree: test money has one of its own. */
export type TreeName = { readonly organization: string; readonly money: 'live' | 'test' };

/** What a leaf commits to (docs/proof.md). */
export type ProvenEntry = {
  readonly kind: string;
  readonly fact: string;
  /** Empty where none was issued. */
  readonly receipt: string;
  readonly date: Day;
  readonly cents: Cents;
  readonly pounds: TenThousandthsOfPound;
  /** 32 random bytes, for the fund and the donor alone. */
  readonly salt: Uint8Array;
};

/** An entry's own sums: what goes back is added to what went out, and never subtracted. */
export function sumsOf({ cents, pounds }: Pick<ProvenEntry, 'cents' | 'pounds'>): Sums {
  return [Math.max(cents, 0), Math.max(-cents, 0), Math.max(pounds, 0), Math.max(-pounds, 0)];
}

export type Part = {
  readonly sums: Sums;
  readonly commitment: Uint8Array;
  readonly leaf: TreeNode;
  /** Where it lies among others: they are sorted by it. */
  readonly place: string;
};

/** An entry's leaves. All follows from its salt, so that they can be made again. */
export function partsOf(hash: Hash, tree: TreeName, entry: ProvenEntry): readonly Part[] {
  const stated = statedBytes(tree, entry);
  const shares = sumsOf(entry).map((sum, which) => sharesOf(hash, entry.salt, which, sum));
  const places = hash(joined([Uint8Array.of(PLACES), entry.salt]));
  return Array.from({ length: PARTS }, (_, part) => {
    const [centsIn = 0, centsOut = 0, poundsIn = 0, poundsOut = 0] = shares.map((share) => share[part] ?? 0);
    const sums: Sums = [centsIn, centsOut, poundsIn, poundsOut];
    const commitment = hash(joined([COMMITMENT, entry.salt, uint64(part), stated]));
    const place = hexOf(places.subarray(part * 4, part * 4 + 4));
    return { sums, commitment, leaf: leafNode(hash, sums, commitment), place };
  });
}

/**
 * Mixes the parts of a group's entries.
 * @returns the leaves in their order, as the number of the entry in the group and that of its part
 */
export function placesIn(
  group: readonly (readonly Part[])[],
): readonly { readonly entry: number; readonly part: number }[] {
  return group
    .flatMap((parts, entry) => parts.map(({ place }, part) => ({ entry, part, place })))
    .toSorted((a, b) => (a.place === b.place ? 0 : a.place < b.place ? -1 : 1));
}

/** How many entries each group has: as equal as can be, since the last of a day must not be alone. */
export function groupSizes(entries: number): number[] {
  const groups = Math.ceil(entries / GROUP_MAXIMUM);
  return Array.from({ length: groups }, (_, at) => Math.floor((entries + at) / groups));
}

/** A day's head, without its signature. */
export type Head = TreeName & {
  readonly zone: TimeZone;
  readonly day: Day;
  readonly size: number;
  readonly sums: Sums;
  readonly root: Uint8Array;
  /** The hash of the head before; zeros for the first. */
  readonly previous: Uint8Array;
  readonly key: Uint8Array;
};

/** What is signed, and whose hash the next head names. */
export function headBytes({ organization, money, zone, day, size, sums, root, previous, key }: Head): Uint8Array {
  const texts = ['climate-fund-head-1', organization, money, zone, day].map(textBytes);
  return joined([Uint8Array.of(3), ...texts, uint64(size), sumsBytes(sums), root, previous, key]);
}

/** What a key signs of the key that follows it. */
export const keyChangeBytes = (old: Uint8Array, key: Uint8Array): Uint8Array =>
  joined([Uint8Array.of(4), textBytes('climate-fund-key-1'), old, key]);

/** A node of a path in a file: sums, then hash. */
export const nodeText = ({ sums, hash }: TreeNode): string => hexOf(joined([sumsBytes(sums), hash]));

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** What people compare: half of the key's hash, in groups of four digits. */
export const fingerprintOf = (hash: Hash, key: Uint8Array): string =>
  hexOf(hash(key).subarray(0, 16)).replace(/.{4}(?=.)/g, '$& ');

const COMMITMENT = Uint8Array.of(2);
/** Apart from everything that a verifier hashes. */
const SHARES = 0x10;
const PLACES = 0x20;

function statedBytes({ organization, money }: TreeName, entry: ProvenEntry): Uint8Array {
  const texts = [organization, money, entry.kind, entry.fact, entry.receipt, entry.date].map(textBytes);
  return joined([...texts, sumsBytes(sumsOf(entry))]);
}

/** @throws RangeError for characters that files may not have */
function textBytes(text: string): Uint8Array {
  if (!/^[ -~]{0,200}$/.test(text)) throw new RangeError('A proof takes 200 printable ASCII characters at most');
  return joined([uint64(text.length).subarray(4), Uint8Array.from(text, (character) => character.charCodeAt(0))]);
}

/** Shares of at least 0, as even as darts thrown at a line make them. */
function sharesOf(hash: Hash, salt: Uint8Array, which: number, sum: number): readonly number[] {
  if (sum === 0) return NOTHING;
  const random = joined([0, 1].map((block) => hash(joined([Uint8Array.of(SHARES + which, block), salt]))));
  const view = new DataView(random.buffer);
  // 53 bits, so that the sum of a large fund is cut as finely as it can be.
  const cuts = Array.from({ length: PARTS - 1 }, (_, at) => {
    const dart = (view.getUint32(at * 8) * 2 ** 21 + (view.getUint32(at * 8 + 4) >>> 11)) / 2 ** 53;
    return Math.min(sum, Math.floor(dart * (sum + 1)));
  });
  const line = [0, ...cuts.toSorted((a, b) => a - b), sum];
  return line.slice(1).map((end, at) => end - (line[at] ?? 0));
}

const NOTHING: readonly number[] = Array.from({ length: PARTS }, () => 0);

/** A head as files have it. */
export function headInFile(head: Head, signature: Uint8Array) {
  const { organization, money, zone, day } = head;
  return {
    ...{ organization, money, zone, day },
    size: String(head.size),
    sums: head.sums.map(String),
    root: hexOf(head.root),
    previous: hexOf(head.previous),
    key: hexOf(head.key),
    signature: hexOf(signature),
  };
}

export type HeadInFile = ReturnType<typeof headInFile>;

/** Where a part's leaf is, and the nodes beside its way to the root, the deepest first. */
export type PlacedPart = { readonly index: number; readonly sums: Sums; readonly path: readonly TreeNode[] };

/** What a donor gets. */
export function proofFile(head: HeadInFile, entry: ProvenEntry, parts: readonly PlacedPart[]) {
  const { kind, fact, receipt, date, cents, pounds, salt } = entry;
  return {
    format: 'climate-fund-proof-1',
    head,
    entry: { kind, fact, receipt, date, cents: String(cents), pounds: String(pounds), salt: hexOf(salt) },
    parts: parts.map(({ index, sums, path }) => ({
      index: String(index),
      sums: sums.map(String),
      path: path.map(nodeText),
    })),
  } as const;
}
