import { sign } from 'node:crypto';
import type { Transaction } from 'kysely';
import { addDays, DAY_MS, type Day, dayOf, startOf, type TimeZone } from '#domain/days.ts';
import {
  GROUP_MAXIMUM,
  groupSizes,
  headBytes,
  PARTS,
  type ProvenEntry,
  partsOf,
  placesIn,
} from '#domain/gift-proof.ts';
import { append, completeRanges, type Frontier, rootOf } from '#domain/sum-tree.ts';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import { announceAfterCommit, inTransaction } from '#server/db/transaction.ts';
import {
  addRestore,
  countEntries,
  countsLive,
  entriesToProve,
  entriesWithoutLeaves,
  insertEntries,
  insertHead,
  insertNodes,
  lastHead,
  lastRestore,
  lockTree,
  nodesAt,
  orgsWithHeads,
  type PlacedNode,
  sumColumns,
  type TreeKey,
} from './proofs.store.ts';
import { KEPT_FROM, keysOf, nameOf, saltOf, secretOf, sha256 } from './tree-keys.ts';

/** So many entries get their leaves in one transaction, while nothing else is answered: the first time, all of the past do. */
const AT_ONCE = 256;
/** Longer than any transaction takes: what was recorded so long before a head was made had been seen by then. */
const SEEN_AFTER_MS = 2 * DAY_MS;
/** On these days of the month all entries are looked at, in case a clock was wrong. */
const LOOKS_AT_ALL = '-01';

/**
 * Makes the head of the last day that ended, of each organization that has gifts and lacks it (docs/proof.md). It follows
 * the ledger and locks nothing that a payment needs. Call it once an hour or more often.
 * @throws AggregateError after all others have theirs
 */
export async function makeHeads(db: Database, now: Date): Promise<void> {
  const live = await countsLive(db.kysely);
  const restoredAt = await lastRestore(db.kysely);
  const troubles: unknown[] = [];
  for (const { id, time_zone: zone, day: last } of await orgsWithHeads(db.kysely, live)) {
    const today = dayOf(now, zone);
    const day = addDays(today, -1);
    if (last !== null && last >= day) continue;
    // A head that the backup lacks may have been signed for it: no day gets a second one.
    if (restoredAt && day < dayOf(restoredAt, zone)) continue;
    const tree = { orgId: id, live };
    try {
      await makeHeadOf(db, tree, zone, { day, before: today });
    } catch (error) {
      // What one organization's entries cannot be proven by is no trouble of the next.
      troubles.push(error);
    }
  }
  if (troubles.length > 0) throw new AggregateError(troubles, 'Some organizations have no head of the day.');
}

/** Makes the head of a day of one organization. `before`: what was recorded earlier than this day is in it. */
export async function makeHeadOf(
  db: Database,
  tree: TreeKey,
  zone: TimeZone,
  { day, before }: { readonly day: Day; readonly before: Day },
): Promise<void> {
  await addAllLeaves(db, tree, zone, before);
  await inTransaction(db, (tx) => makeHead(tx, tree, zone, day));
}

/**
 * Keeps that the database is now that of a backup. Heads that were signed since are gone; the page of heads says so.
 * @param times when the backup was begun, and when it was restored
 */
export function noteRestore({ kysely }: Database, { backupAt, at }: { readonly backupAt: Date; readonly at: Date }) {
  return addRestore(kysely, at, backupAt);
}

/** Reads the ledger once, in its order, and takes as long as there are entries to look at. */
async function addAllLeaves(db: Database, tree: TreeKey, zone: TimeZone, today: Day): Promise<void> {
  const last = today.endsWith(LOOKS_AT_ALL) ? undefined : await lastHead(db.kysely, tree);
  const since = new Date(last ? last.created_at.getTime() - SEEN_AFTER_MS : 0);
  let waiting: string[] = [];
  for await (const ids of entriesWithoutLeaves(db.kysely, tree, { since, before: startOf(today, zone) })) {
    waiting = waiting.concat(ids);
    // Enough is left for the parts of the last ones to lie among others.
    while (waiting.length >= AT_ONCE + GROUP_MAXIMUM) {
      const some = waiting.splice(0, AT_ONCE);
      await inTransaction(db, (tx) => addLeaves(tx, tree, zone, some));
    }
  }
  if (waiting.length > 0) await inTransaction(db, (tx) => addLeaves(tx, tree, zone, waiting));
}

async function addLeaves(
  tx: Transaction<Tables>,
  tree: TreeKey,
  zone: TimeZone,
  ids: readonly string[],
): Promise<void> {
  await lockTree(tx, tree);
  const rows = await entriesToProve(tx, tree, ids);
  if (rows.length === 0) return;
  const secret = await secretOf(tx, 'proof salts');
  const name = nameOf(tree);
  const count = await countEntries(tx, tree);
  const entries = rows.map((row): ProvenEntry & { readonly id: string } => ({
    ...{ id: row.id, kind: row.kind, fact: row.fact, receipt: String(row.printed_number ?? '') },
    ...{ date: dayOf(row.occurred_at, zone), cents: row.amount_cents, pounds: row.carbon },
    salt: saltOf(secret, name, row.fact),
  }));
  const kept: PlacedNode[] = [];
  let frontier = await frontierOf(tx, tree, count * PARTS);
  let first = 0;
  for (const size of groupSizes(entries.length)) {
    const group = entries.slice(first, first + size);
    const parts = group.map((entry) => partsOf(sha256, name, entry));
    const leaves = placesIn(parts).flatMap(({ entry, part }) => parts[entry]?.[part]?.leaf ?? []);
    frontier = append(sha256, frontier, leaves, (node, start) => {
      if (node.size >= KEPT_FROM) kept.push({ node, start });
    });
    const groupFirst = count + first;
    await insertEntries(
      tx,
      group.map(({ id, date, receipt }, at) => ({
        ...{ org_id: tree.orgId, live: tree.live, ordinal: groupFirst + at, entry_id: id, date, receipt },
        ...{ group_first: groupFirst, group_size: size },
      })),
    );
    first += size;
  }
  await insertNodes(tx, tree, [...kept, ...placed(frontier)]);
}

async function makeHead(tx: Transaction<Tables>, tree: TreeKey, zone: TimeZone, day: Day): Promise<void> {
  await lockTree(tx, tree);
  const size = (await countEntries(tx, tree)) * PARTS;
  const last = await lastHead(tx, tree);
  if (size === 0 || (last && last.day >= day)) return;
  const { privateKey, publicKey } = keysOf(await secretOf(tx, 'proof key'));
  const root = rootOf(sha256, await frontierOf(tx, tree, size));
  const previous = last?.hash ?? Buffer.alloc(32);
  const bytes = headBytes({
    ...{ ...nameOf(tree), zone, day, size, sums: root.sums, root: root.hash, previous, key: publicKey },
  });
  await insertHead(tx, {
    ...{ org_id: tree.orgId, live: tree.live, day, zone, size, root: Buffer.from(root.hash), previous },
    ...{ ...sumColumns(root.sums), key: Buffer.from(publicKey), signature: sign(null, bytes, privateKey) },
    hash: Buffer.from(sha256(bytes)),
  });
  announceAfterCommit(tree.orgId);
}

async function frontierOf(tx: Transaction<Tables>, tree: TreeKey, size: number): Promise<Frontier> {
  const nodes = await nodesAt(tx, tree, completeRanges({ start: 0, size }));
  return nodes.toSorted((a, b) => a.start - b.start).map(({ node }) => node);
}

/** Each node with where it starts. */
function placed(frontier: Frontier): PlacedNode[] {
  let next = 0;
  return frontier.map((node) => {
    const start = next;
    next += node.size;
    return { node, start };
  });
}
