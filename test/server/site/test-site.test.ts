// @spec 7.test
import { expect, test } from 'vitest';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const now = () => new Date('2026-03-14T09:30:00Z');
const deps = await createTestDeps(db, { now });
const app = await buildTestApp(deps);
const admin = await signIn(deps, { admin: true });
const runSelfCheck = (as = admin) => call(app, 'runTest', { params: {}, as });

test('an admin runs the self-check, which finds nothing wrong', async () => {
  const report = (await runSelfCheck()).json();
  expect(report).toEqual({
    createdTimestamp: '2026-03-14T09:30:00.000Z',
    databaseMilliseconds: expect.any(Number),
    ledgerDifferences: 0,
  });
});

test('totals that differ from their ledger are reported', async () => {
  const orgId = await addOrg(db);
  await db.kysely.insertInto('ledger_totals').values({ org_id: orgId, amount_cents: 1 }).execute();
  expect((await runSelfCheck()).json()).toMatchObject({ ledgerDifferences: 1 });
});

test('only admins can run the self-check', async () => {
  expect(readOutcome(await runSelfCheck(await signIn(deps)))).toEqual([403, 'forbidden']);
});
