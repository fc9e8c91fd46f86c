import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { DAY_MS } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import { type Database, openDatabase } from '#server/db/connection.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { recordsOf } from '#server/features/backups/make-backup.ts';
import { fillDatabase, type Target } from '#server/features/backups/restore-backup.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { makeHeads } from '#server/features/proofs/make-heads.ts';
import { readHeadDays, readHeads, readProof } from '#server/features/proofs/read-proofs.ts';
import { folderFiles } from '#server/gateways/pictures/picture-files.ts';
import { folderTarget, serverTarget } from '#test/support/backup-targets.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { testDatabase } from '#test/support/database.ts';
import { watchedLog } from '#test/support/watched-log.ts';

const VERIFIER = fileURLToPath(new URL('../../../scripts/verify-gift.mjs', import.meta.url));
const { verifyFile } = (await import(VERIFIER)) as {
  verifyFile(this: void, data: Uint8Array): Promise<{ readonly refused?: string }>;
};
const check = async (file: unknown) => (await verifyFile(new TextEncoder().encode(JSON.stringify(file)))).refused;

vi.setConfig({ testTimeout: 600_000 });
const db = await testDatabase();
const orgId = await addOrg(db);
const pictures = folderFiles(await scratchFolder('no-pictures'));
const { log } = watchedLog();
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

async function give(to: Database, fact: string): Promise<string> {
  const entry = { orgId, kind: 'payment', fact, amount: 2500, carbon: 1_200_000, currency: 'usd' } as const;
  return (
    (await inTransaction(to, (tx) => postEntry(tx, { ...entry, occurredAt: new Date('2026-01-02T03:04:05Z') }))) ?? ''
  );
}

/** Works on a copy of the database as it is, restored at a time or only moved. */
async function withCopy(target: Target, restoredAt: Date | undefined, work: (copy: Database) => Promise<void>) {
  const records = recordsOf({ db, pictures: undefined, now: () => new Date() });
  await fillDatabase(target, records, { pictures, log, ...(restoredAt ? { restoredAt } : {}) });
  const copy = await openDatabase({ ...target, dataDir: path.join(target.dataDir, 'db'), log });
  try {
    await work(copy);
  } finally {
    await copy.close();
  }
}

const first = await give(db, 'charge:1');
await makeHeads(db, inDays(1));
await give(db, 'charge:2');
await makeHeads(db, inDays(2));
const chain = await readHeads(db, orgId);
const proof = await readProof(db, orgId, first);

test.runIf(db.engine === 'postgres')(
  'a database that is moved keeps heads, trees and proofs, and they go on',
  async () => {
    await withCopy(await serverTarget(), undefined, async (copy) => {
      expect(await readHeads(copy, orgId)).toEqual(chain);
      expect(await readProof(copy, orgId, first)).toEqual(proof);
      expect((await readHeadDays(copy, orgId)).restores).toEqual([]);
      const third = await give(copy, 'charge:3');
      await makeHeads(copy, inDays(3));
      const later = await readHeads(copy, orgId);
      expect(later.heads.slice(0, 2)).toEqual(chain.heads);
      expect(await check(later)).toBeUndefined();
      const own = await readProof(copy, orgId, third);
      expect(own instanceof Failure ? own : await check(own)).toBeUndefined();
    });
  },
);

test('after a restore no day gets a second head, the chain goes on from the backup’s last, and the page says so', async () => {
  const target = db.engine === 'postgres' ? await serverTarget() : await folderTarget();
  const at = inDays(5);
  await withCopy(target, at, async (copy) => {
    // What was recorded since the backup comes back from the payment provider, in new leaves.
    const recovered = await give(copy, 'charge:4');
    expect(await readProof(copy, orgId, first)).toEqual(proof);
    // The heads of the days since the backup may have been signed before.
    await makeHeads(copy, at);
    expect(await readHeads(copy, orgId)).toEqual(chain);
    expect(await readProof(copy, orgId, recovered)).toEqual(new Failure('proof-not-ready'));

    await makeHeads(copy, inDays(6));
    const file = await readHeads(copy, orgId);
    expect(file.heads.map(({ size }) => size)).toEqual(['8', '16', '24']);
    expect(await check(file)).toBeUndefined();
    const { restores, days } = await readHeadDays(copy, orgId);
    expect(restores).toEqual([{ on: file.heads[2]?.day, backupOf: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) }]);
    expect((restores[0]?.backupOf ?? '') < (restores[0]?.on ?? '')).toBe(true);
    expect(file.heads[2]?.previous).toBe(days[1]?.hash);
    const own = await readProof(copy, orgId, recovered);
    expect(own instanceof Failure ? own : await check(own)).toBeUndefined();
  });
});
