import { sign } from 'node:crypto';
import type { Transaction } from 'kysely';
import { addDays, type Day, dayOf, startOf, type TimeZone } from '#domain/days.ts';
import { groupSizes, headBytes, PARTS, type ProvenEntry, partsOf, placesIn } from '#domain/gift-proof.ts';
import { append, completeRanges, type Frontier, rootOf } from '#domain/sum-tree.ts';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import { announceAfterCommit, inTransaction } from '#server/db/transaction.ts';
import {
  countEntries,
  countsLive,
  entriesWithoutLeaves,
  insertEntries,
  insertHead,
  insertNodes,
  lastHead,
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

/**
 * Makes the head of the last day that ended, of each organization that has gifts and lacks it (docs/proof.md). It follows
 * the ledger and locks nothing that a payment needs. Call it once an hour or more often.
 * @throws AggregateError after all others have theirs
 */
export async function makeHeads(db: Database, now: Date): Promise<void> {
  const live = await countsLive(db.kysely);
  const troubles: unknown[] = [];
  for (const { id, time_zone: zone, day: last } of await orgsWithHeads(db.kysely, live)) {
    const today = dayOf(now, zone);
    const day = addDays(today, -1);
    if (last !== null && last >= day) continue;
    const tree = { orgId: id, live };
    const before = startOf(today, zone);
    try {
      while (await inTransaction(db, (tx) => addLeaves(tx, tree, zone, before)));
      await inTransaction(db, (tx) => makeHead(tx, tree, zone, day));
    } catch (error) {
      // What one organization's entries cannot be proven by is no trouble of the next.
      troubles.push(error);
    }
  }
  if (troubles.length > 0) throw new AggregateError(troubles, 'Some organizations have no head of the day.');
}

/** @returns whether there may be more */
async function addLeaves(tx: Transaction<Tables>, tree: TreeKey, zone: TimeZone, before: Date): Promise<boolean> {
  await lockTree(tx, tree);
  const rows = await entriesWithoutLeaves(tx, tree, before, AT_ONCE);
  if (rows.length === 0) return false;
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
  return rows.length === AT_ONCE;
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
