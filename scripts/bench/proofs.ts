import { generateKeyPairSync, hash, sign } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import {
  groupSizes,
  headBytes,
  headInFile,
  PARTS,
  type Part,
  type ProvenEntry,
  partsOf,
  placesIn,
  proofFile,
} from '#domain/gift-proof.ts';
import {
  append,
  completeRanges,
  type Frontier,
  inclusionRanges,
  type Range,
  rootOf,
  type TreeNode,
} from '#domain/sum-tree.ts';
import { makeHeads } from '#server/features/proofs/make-heads.ts';
import { openMigrated } from '#server/open-migrated.ts';
import { startPostgresServer } from '../postgres/start-postgres.ts';
import { fillLedger } from './ledger-of-size.ts';
import { median } from './median-difference.ts';

// npm run bench -- proofs
//
// The tree of gifts at 1,000 and at 1,000,000 entries, without a database: what adding an entry, a day's head and a proof
// take. Then the first heads of funds with 2,000 and 16,000 entries, on PostgreSQL. Exits with 1 where a proof takes more
// than 50 ms, a head more than 5 s, or an entry of the larger fund more than half as long again.

const TREE = { organization: 'bench', money: 'live' } as const;
const DAY_ENTRIES = 1000;
const ALL_ENTRIES = 1_000_000;
/** Nodes of so many leaves and more are kept, and smaller ones computed again. */
const KEPT_FROM = 64;
const PROOF_LIMIT_MS = 50;
const HEAD_LIMIT_MS = 5000;
const GROWTH_LIMIT = 1.5;
const ADDED_AT_ONCE = 100;
const ROUNDS = 20;
const LEDGERS = [2_000, 16_000] as const;

/** @returns whether all are within their limits */
export async function run(): Promise<boolean> {
  const [little, fund] = [growingFund(), growingFund()];
  little.addDay();
  fund.fillTo(ALL_ENTRIES);
  // In turns, since other programs slow some rounds.
  const rounds = Array.from({ length: ROUNDS }, (_, round) => ({
    small: { proof: little.timeProof(round), adding: little.timeAdding() },
    large: { proof: fund.timeProof(round), adding: fund.timeAdding() },
  }));
  const medianOf = (fundSize: 'small' | 'large', what: 'proof' | 'adding') =>
    median(rounds.map((round) => round[fundSize][what]));
  const small = { adding: medianOf('small', 'adding'), proof: medianOf('small', 'proof') };
  const large = { adding: medianOf('large', 'adding'), proof: medianOf('large', 'proof') };
  const head = fund.timeHead();
  const growth = large.adding / small.adding;
  const lines = [
    `adding an entry: ${(1000 * small.adding).toFixed(0)} µs at ${DAY_ENTRIES}, ${(1000 * large.adding).toFixed(0)} µs at ${ALL_ENTRIES}: × ${growth.toFixed(2)}`,
    `a proof: ${small.proof.toFixed(1)} ms at ${DAY_ENTRIES}, ${large.proof.toFixed(1)} ms at ${ALL_ENTRIES}: × ${(large.proof / small.proof).toFixed(2)}`,
    `a day’s head with ${DAY_ENTRIES} new entries, signed, at ${ALL_ENTRIES}: ${head.toFixed(0)} ms`,
    `nodes kept for ${fund.entries()} entries: ${fund.kept()}`,
  ];
  for (const line of lines) console.log(line);
  const isLinear = await compareFirstHeads();
  return large.proof <= PROOF_LIMIT_MS && head <= HEAD_LIMIT_MS && growth <= GROWTH_LIMIT && isLinear;
}

/** Funds that had entries before there were heads: each entry takes as long, however many there are. */
async function compareFirstHeads(): Promise<boolean> {
  const server = await startPostgresServer();
  const client = new pg.Client(server.url);
  const log = { info: () => {}, warn: console.error, error: console.error };
  const place = { databaseUrl: server.url, migrateDatabaseUrl: undefined, dataDir: '' };
  const { db } = await openMigrated(place, log);
  try {
    await client.connect();
    const perEntry: number[] = [];
    for (const size of LEDGERS) {
      await fillLedger(client, `of-${size}`, size);
      await client.query('vacuum analyze');
      const from = performance.now();
      await makeHeads(db, new Date());
      perEntry.push((performance.now() - from) / size);
      console.log(`the first head of ${size} entries: ${((performance.now() - from) / 1000).toFixed(1)} s`);
    }
    const [few = 0, many = 0] = perEntry;
    console.log(`an entry: ${few.toFixed(2)} and ${many.toFixed(2)} ms: × ${(many / few).toFixed(2)}`);
    return many / few <= GROWTH_LIMIT;
  } finally {
    await client.end();
    await db.close();
    await server.stop();
  }
}

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');

function growingFund() {
  const kept = new Map<string, TreeNode>();
  const groups: { readonly first: number; readonly entries: readonly number[] }[] = [];
  let frontier: Frontier = [];
  let count = 0;
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);

  const entryOf = (number: number): ProvenEntry => ({
    ...{ kind: 'payment', fact: `checkout-session:cs_${number}`, receipt: String(number), date: '2026-01-01' },
    ...{ cents: 500 + (number % 9500), pounds: 40_000 * (1 + (number % 500)), salt: sha256(Buffer.from(`${number}`)) },
  });
  const leavesOf = (entries: readonly number[]) => {
    const parts = entries.map((number) => partsOf(sha256, TREE, entryOf(number)));
    const places = placesIn(parts);
    return { parts, places, leaves: places.flatMap(({ entry, part }) => parts[entry]?.[part]?.leaf ?? []) };
  };
  const add = (entries: readonly number[], { leaves } = leavesOf(entries)) => {
    groups.push({ first: count * PARTS, entries });
    frontier = append(sha256, frontier, leaves, (node, start) => {
      if (node.size >= KEPT_FROM) kept.set(`${start} ${node.size}`, node);
    });
    count += entries.length;
  };
  const addDay = (size = DAY_ENTRIES) => {
    for (const entries of groupSizes(size)) add(Array.from({ length: entries }, (_, at) => count + at));
  };
  /** The same entries each day, and so made once: it would take long otherwise. */
  const fillTo = (entries: number) => {
    const made = groupSizes(DAY_ENTRIES).map((size, group) => {
      const its = Array.from({ length: size }, (_, at) => group * size + at);
      return { entries: its, leaves: leavesOf(its) };
    });
    while (count < entries) for (const { entries: its, leaves } of made) add(its, leaves);
  };
  /** The group in which a leaf is. */
  const groupAt = (leaf: number) => {
    let [low, high] = [0, groups.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((groups[middle]?.first ?? 0) <= leaf) low = middle;
      else high = middle - 1;
    }
    return groups[low] ?? { first: 0, entries: [] };
  };
  const prove = (number: number) => {
    const group = groupAt(number * PARTS);
    const own = number - group.first / PARTS;
    const made = new Map<number, ReturnType<typeof leavesOf>>();
    const madeOf = (group: (typeof groups)[number]) => {
      const its = made.get(group.first) ?? leavesOf(group.entries);
      made.set(group.first, its);
      return its;
    };
    const complete = ({ start, size }: Range): TreeNode => {
      const node = kept.get(`${start} ${size}`);
      if (node) return node;
      let leaves: TreeNode[] = [];
      for (let at = start; at < start + size; ) {
        const group = groupAt(at);
        const some = madeOf(group).leaves.slice(at - group.first, start + size - group.first);
        leaves = leaves.concat(some);
        at += some.length;
      }
      return rootOf(sha256, append(sha256, [], leaves));
    };
    const size = count * PARTS;
    const root = rootOf(sha256, frontier);
    const { parts, places } = madeOf(group);
    const placed = (parts[own] ?? []).map(({ sums }: Part, part) => {
      const index = group.first + places.findIndex((place) => place.entry === own && place.part === part);
      const path = inclusionRanges(index, size).map((range) => rootOf(sha256, completeRanges(range).map(complete)));
      return { index, sums, path };
    });
    return proofFile(headFile(root), entryOf(group.entries[own] ?? 0), placed);
  };
  const headFile = ({ size, sums, hash }: TreeNode) => {
    const head = {
      ...{ ...TREE, zone: 'UTC', day: '2026-01-01', size, sums, root: hash, previous: new Uint8Array(32), key },
    };
    return headInFile(head, sign(null, headBytes(head), privateKey));
  };
  return {
    addDay,
    fillTo,
    entries: () => count,
    kept: () => kept.size,
    /** In milliseconds for one entry. It stays about as large as it is. */
    timeAdding: () => timed(() => addDay(ADDED_AT_ONCE)) / ADDED_AT_ONCE,
    timeHead: () =>
      timed(() => {
        addDay();
        headFile(rootOf(sha256, frontier));
      }),
    timeProof: (round: number) => timed(() => void prove(Math.floor(((round + 0.5) * count) / ROUNDS))),
  };
}

/** Milliseconds of the processor, whatever else the machine does. */
function timed(work: () => void): number {
  const from = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}
