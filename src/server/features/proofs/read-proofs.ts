import type { Kysely } from 'kysely';
import type { HeadDays } from '#contract/schemas/receipts.ts';
import { type Day, dayOf } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import {
  fingerprintOf,
  headInFile,
  hexOf,
  nodeText,
  PARTS,
  type Part,
  partsOf,
  placesIn,
  proofFile,
} from '#domain/gift-proof.ts';
import { dollarsOf, poundsOf } from '#domain/money.ts';
import {
  append,
  completeRanges,
  consistencyRanges,
  inclusionRanges,
  type Range,
  rootOf,
  type TreeNode,
} from '#domain/sum-tree.ts';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import {
  countsLive,
  everyDay,
  groupsAt,
  type HeadRow,
  headsFrom,
  keyChanges,
  keysOfHeads,
  lastHead,
  lastHeads,
  nodesAt,
  placeOf,
  restoresOf,
  sumsOfRow,
  type TreeKey,
} from './proofs.store.ts';
import { KEPT_FROM, nameOf, saltOf, secretOf, sha256 } from './tree-keys.ts';

/** At most so many heads are in a chain that is read at once. */
const MOST_HEADS = 100;

/**
 * The proof of an entry by the newest head, to be checked by anyone (docs/proof.md).
 * @returns Failure proof-not-ready before the day after it was recorded
 */
export async function readProof({ kysely: db }: Database, orgId: string, entryId: string) {
  const tree = { orgId, live: await countsLive(db) };
  const place = await placeOf(db, tree, entryId);
  const head = await lastHead(db, tree);
  if (!place || !head || head.size <= place.ordinal * PARTS) return new Failure('proof-not-ready');
  const [own] = await groupAround(db, tree, [place.ordinal]);
  const at = place.ordinal - place.group_first;
  const entry = own?.entries[at];
  if (!own || !entry) throw new Error(`The group of the entry ${entryId} lacks it`);
  const indexes = Array.from({ length: PARTS }, (_, part) => {
    const index = own.places.findIndex((each) => each.entry === at && each.part === part);
    return own.first * PARTS + index;
  });
  const paths = await pathsOf(
    db,
    tree,
    indexes.map((index) => inclusionRanges(index, head.size)),
  );
  const parts = (own.parts[at] ?? []).map(({ sums }, part) => ({
    ...{ index: indexes[part] ?? 0, sums, path: paths[part] ?? [] },
  }));
  return proofFile(headFileOf(head), entry, parts);
}

/** An organization's signed heads. */
export async function readHeads({ kysely }: Database, orgId: string, from?: Day) {
  return readChain(kysely, { orgId, live: await countsLive(kysely) }, from);
}

/** So many are on the page of heads; all are in the files that it leads to. */
const SHOWN_HEADS = 31;

/** What the last heads say, for people. */
export async function readHeadDays({ kysely: db }: Database, orgId: string): Promise<HeadDays> {
  const tree = { orgId, live: await countsLive(db) };
  const heads = await lastHeads(db, tree, SHOWN_HEADS);
  return {
    money: nameOf(tree).money,
    days: heads.map(({ day, zone, size, hash, cents_in, cents_out, pounds_in, pounds_out }) => ({
      ...{ day, zone, entries: size / PARTS, hash: hexOf(hash) },
      ...{ dollarsIn: dollarsOf(cents_in), dollarsOut: dollarsOf(cents_out) },
      ...{ poundsIn: poundsOf(pounds_in), poundsOut: poundsOf(pounds_out) },
    })),
    keys: (await keysOfHeads(db, tree)).map(({ key, first }) => ({
      ...{ key: hexOf(key), fingerprint: fingerprintOf(sha256, key), from: first },
    })),
    restores: (await restoresOf(db, orgId)).map(({ created_at: at, backup_at: backupAt, time_zone: zone }) => ({
      ...{ on: dayOf(at, zone), backupOf: dayOf(backupAt, zone) },
    })),
    // The last head of a file is the first of the next, so that what joins them is in one.
    files: await everyDay(db, tree, MOST_HEADS - 1),
  };
}

/**
 * A chain of heads, the oldest first.
 * @param from its first day, which is the chain's beginning by default
 */
async function readChain(db: Kysely<Tables>, tree: TreeKey, from = '') {
  const found = await headsFrom(db, tree, from, MOST_HEADS);
  // Those of the next key are in a chain of their own.
  const other = found.findIndex(({ key }) => !key.equals(found[0]?.key ?? key));
  const heads = other < 0 ? found : found.slice(0, other);
  const pairs = heads.slice(1).map((head, at) => consistencyRanges(heads[at]?.size ?? 0, head.size));
  const paths = await pathsOf(db, tree, pairs);
  return {
    format: 'climate-fund-heads-1' as const,
    heads: heads.map(headFileOf),
    paths: paths.map((path) => path.map(nodeText)),
  };
}

/** How the key changed, each time: with both heads, and the old key's signature of the new one. */
export async function readKeyChanges({ kysely: db }: Database, orgId: string) {
  const tree = { orgId, live: await countsLive(db) };
  const changes = [];
  for (const { from: old, to: next, signature } of await keyChanges(db, tree)) {
    const [from, to] = [await headsFrom(db, tree, old, 1), await headsFrom(db, tree, next, 1)].map(([head]) => head);
    if (!from || !to) continue;
    const [path = []] = await pathsOf(db, tree, [consistencyRanges(from.size, to.size)]);
    changes.push({
      ...{ from: headFileOf(from), to: headFileOf(to), path: path.map(nodeText), signature: hexOf(signature) },
    });
  }
  return { format: 'climate-fund-keys-1' as const, changes };
}

function headFileOf(row: HeadRow) {
  const tree = nameOf({ orgId: row.org_id, live: row.live });
  return headInFile({ ...tree, ...row, sums: sumsOfRow(row) }, row.signature);
}

/** The nodes of ranges: those that are kept, and others from the leaves below them. */
async function pathsOf(db: Kysely<Tables>, tree: TreeKey, paths: readonly (readonly Range[])[]): Promise<TreeNode[][]> {
  const complete = paths.flat().flatMap(completeRanges);
  const stored = await nodesAt(
    db,
    tree,
    complete.filter(({ size }) => size >= KEPT_FROM),
  );
  const kept = new Map(stored.map(({ start, node }) => [`${start} ${node.size}`, node]));
  const small = complete.filter(({ size }) => size < KEPT_FROM);
  const groups = await groupAround(
    db,
    tree,
    small.flatMap(({ start, size }) => [Math.floor(start / PARTS), Math.floor((start + size - 1) / PARTS)]),
  );
  const leaves = new Map<number, TreeNode>();
  for (const { first, leaves: its } of groups)
    for (const [at, leaf] of its.entries()) leaves.set(first * PARTS + at, leaf);
  const nodeOf = ({ start, size }: Range): TreeNode =>
    kept.get(`${start} ${size}`) ??
    rootOf(
      sha256,
      append(
        sha256,
        [],
        Array.from({ length: size }, (_, at) => leaves.get(start + at)).filter((leaf) => leaf !== undefined),
      ),
    );
  return paths.map((ranges) => ranges.map((range) => rootOf(sha256, completeRanges(range).map(nodeOf))));
}

/** The groups that hold these entries, with all their leaves made again. */
async function groupAround(db: Kysely<Tables>, tree: TreeKey, ordinals: readonly number[]) {
  const secret = await secretOf(db, 'proof salts');
  const name = nameOf(tree);
  const rows = await groupsAt(db, tree, [...new Set(ordinals)]);
  return [...Map.groupBy(rows, ({ group_first }) => group_first)].map(([first, its]) => {
    const entries = its.map(({ kind, fact, receipt, date, amount_cents: cents, carbon: pounds }) => ({
      ...{ kind, fact, receipt, date, cents, pounds, salt: saltOf(secret, name, fact) },
    }));
    const parts: readonly (readonly Part[])[] = entries.map((entry) => partsOf(sha256, name, entry));
    const places = placesIn(parts);
    return {
      first,
      entries,
      parts,
      places,
      leaves: places.flatMap(({ entry, part }) => parts[entry]?.[part]?.leaf ?? []),
    };
  });
}
