import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { Failure } from '#domain/failures.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { type NewEntry, postEntries } from '#server/features/ledger/post-entry.ts';
import { makeHeads, noteRestore } from '#server/features/proofs/make-heads.ts';
import { readHeadDays, readHeads, readKeyChanges, readProof } from '#server/features/proofs/read-proofs.ts';
import { replaceKey } from '#server/features/proofs/replace-key.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { testDatabase } from '#test/support/database.ts';

const VERIFIER = fileURLToPath(new URL('../../../scripts/verify-gift.mjs', import.meta.url));
const { verifyFile } = (await import(VERIFIER)) as {
  verifyFile(this: void, data: Uint8Array): Promise<{ readonly refused?: string }>;
};
const check = async (file: unknown) => (await verifyFile(new TextEncoder().encode(JSON.stringify(file)))).refused;

const db = await testDatabase();
let orgId: string;
let facts = 0;
/** Tomorrow and later: entries are recorded now. */
const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60_000);

beforeEach(async () => {
  orgId = await addOrg(db);
});

async function post(...amounts: number[]): Promise<string[]> {
  const entries = amounts.map((amount): NewEntry => {
    facts += 1;
    return {
      ...{ orgId, kind: amount < 0 ? 'refund' : 'payment', fact: `charge:${facts}`, amount, carbon: amount * 480 },
      ...{ currency: 'usd', occurredAt: new Date('2026-01-02T03:04:05Z') },
    };
  });
  const ids = await inTransaction(db, (tx) => postEntries(tx, entries));
  return ids.filter((id) => id !== undefined);
}

const chain = () => readHeads(db, orgId);

/** Undefined where none is ready. */
async function proofOf(entryId = ''): Promise<{ readonly head: unknown } | undefined> {
  const answer = await readProof(db, orgId, entryId);
  return answer instanceof Failure ? undefined : answer;
}

test('each day’s head covers what the ledger held, and each gift has its proof', async () => {
  const ids = await post(2500, 1000, -500);
  await makeHeads(db, inDays(1));
  const more = await post(...Array.from({ length: 70 }, (_, at) => 100 + at));
  await makeHeads(db, inDays(2));
  await makeHeads(db, inDays(3));
  const file = await chain();
  expect(file.heads.map(({ size }) => size)).toEqual(['24', '584', '584']);
  expect(file.heads[0]?.sums).toEqual(['3500', '500', '1680000', '240000']);
  expect(await check(file)).toBeUndefined();
  const [, second] = file.heads;
  expect((await readHeads(db, orgId, second?.day)).heads).toEqual(file.heads.slice(1));
  for (const id of [...ids, more[0], more[35], more[69]]) {
    const proof = await proofOf(id);
    expect(await check(proof)).toBeUndefined();
    expect(proof?.head).toEqual(file.heads[2]);
  }
});

test('entries are mixed with at least 15 others, however many the first head has to take in', async () => {
  await post(...Array.from({ length: 257 }, (_, at) => 100 + at));
  await makeHeads(db, inDays(1));
  const groups = await db.kysely
    .selectFrom('proof_entries')
    .select('group_size')
    .distinct()
    .where('org_id', '=', orgId)
    .orderBy('group_size')
    .execute();
  expect(groups[0]?.group_size).toBeGreaterThanOrEqual(16);
  expect((await chain()).heads.map(({ size }) => size)).toEqual(['2056']);
});

test('a ledger of several pages is read once, in its order', async () => {
  await sql`insert into ledger_entries (id, org_id, kind, fact, amount_cents, carbon, occurred_at, created_at)
    select ${orgId} || n, ${orgId}, 'payment', ${orgId} || ':' || n, 100, 0, now(), now() - n % 7 * interval '1 minute'
    from generate_series(1, 1100) n`.execute(db.kysely);
  await makeHeads(db, inDays(1));
  expect((await chain()).heads.map(({ sums }) => sums[0])).toEqual(['110000']);
  const { rows } = await sql<{ id: string }>`select entry_id as id from proof_entries where org_id = ${orgId}
    order by ordinal`.execute(db.kysely);
  const ledger = await sql<{ id: string }>`select id from ledger_entries where org_id = ${orgId}
    order by created_at, id`.execute(db.kysely);
  expect(rows).toEqual(ledger.rows);
});

/** The first day of a month that is at least so many days ahead. */
function firstOfMonth(days: number): Date {
  const date = inDays(days);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1, 18));
}

test('an entry that a wrong clock dated before what was seen is found on the first of a month', async () => {
  await post(2500);
  await makeHeads(db, inDays(1));
  const add = (fact: string, days: number) =>
    sql`insert into ledger_entries (id, org_id, kind, fact, amount_cents, carbon, occurred_at, created_at)
      values (${fact}, ${orgId}, 'payment', ${fact}, 100, 0, now(), now() - ${days} * interval '1 day')`.execute(
      db.kysely,
    );
  await add(`${orgId}:late`, 1);
  await add(`${orgId}:wrong`, 30);
  const first = firstOfMonth(3);
  await makeHeads(db, new Date(first.getTime() - 24 * 60 * 60_000));
  await makeHeads(db, first);
  expect((await chain()).heads.map(({ sums }) => sums[0])).toEqual(['2500', '2600', '2700']);
});

test('a day has one head, however often and by whomever it is made', async () => {
  await post(2500);
  const tomorrow = inDays(1);
  await Promise.all([makeHeads(db, tomorrow), makeHeads(db, tomorrow)]);
  await post(1000);
  await makeHeads(db, tomorrow);
  const file = await chain();
  expect(file.heads.map(({ size }) => size)).toEqual(['8']);
});

test('what was recorded today waits for its head, and an organization without gifts has none', async () => {
  const [id] = await post(2500);
  await makeHeads(db, new Date());
  expect((await chain()).heads).toEqual([]);
  expect(await proofOf(id)).toBeUndefined();
});

test.each(['proof_entries', 'proof_nodes', 'proof_heads', 'proof_restores'])(
  '%s are neither changed nor deleted',
  async (table) => {
    await post(2500);
    await makeHeads(db, inDays(1));
    await noteRestore(db, { backupAt: new Date(0), at: new Date(facts) });
    await expect(
      sql`update ${sql.table(table)} set ${sql.ref(table === 'proof_restores' ? 'created_at' : 'live')} = default`.execute(
        db.kysely,
      ),
    ).rejects.toThrow('append-only');
    await expect(sql`delete from ${sql.table(table)}`.execute(db.kysely)).rejects.toThrow('append-only');
  },
);

test('a new key is signed by the old one, once each organization has a head by that, and every file still holds', async () => {
  const [id] = await post(2500);
  await makeHeads(db, inDays(1));
  await post(1000);
  const fingerprint = await replaceKey(db);
  expect(fingerprint).toMatch(/^(?:[0-9a-f]{4} ){7}[0-9a-f]{4}$/);
  expect(await replaceKey(db)).toBeUndefined();
  await makeHeads(db, inDays(2));
  await makeHeads(db, inDays(3));
  const { keys, files, days } = await readHeadDays(db, orgId);
  expect(keys.map((key) => [key.from, key.fingerprint === fingerprint])).toEqual([
    [days[1]?.day, true],
    [days[2]?.day, false],
  ]);
  expect(files).toEqual([days[2]?.day, days[1]?.day]);
  const chains = await Promise.all(files.map((from) => readHeads(db, orgId, from)));
  expect(chains.map(({ heads }) => heads.length)).toEqual([1, 2]);
  const changes = await readKeyChanges(db, orgId);
  expect(changes.changes).toHaveLength(1);
  for (const file of [...chains, changes, await proofOf(id)]) expect(await check(file)).toBeUndefined();
  const stored = await db.kysely.selectFrom('program_secrets').select('name').where('name', '=', 'proof key').execute();
  expect(stored).toHaveLength(1);
  await expect(sql`update proof_keys set created_at = default`.execute(db.kysely)).rejects.toThrow('append-only');
  await expect(sql`delete from proof_keys`.execute(db.kysely)).rejects.toThrow('append-only');
});

test('an organization whose entry cannot be proven keeps no other from its head', async () => {
  const bad: NewEntry = {
    ...{ orgId, kind: 'payment', fact: 'charge:é', amount: 2500, carbon: 0 },
    ...{ currency: 'usd', occurredAt: new Date('2026-01-02T03:04:05Z') },
  };
  await inTransaction(db, (tx) => postEntries(tx, [bad]));
  const without = orgId;
  orgId = await addOrg(db);
  await post(2500);
  await expect(makeHeads(db, inDays(1))).rejects.toThrow('Some organizations have no head of the day.');
  expect((await chain()).heads).toHaveLength(1);
  expect((await readHeads(db, without)).heads).toEqual([]);
});
