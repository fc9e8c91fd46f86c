// @spec 2.editor decisions.3
import type { Updateable } from 'kysely';
import { expect, test } from 'vitest';
import type { ListedRecurringGift, RecurringSums } from '#contract/schemas/recurring-gifts.ts';
import type { Tables } from '#server/db/tables.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addRecurringGift } from '#test/support/builders/recurring-gift.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const deps = await createTestDeps(db, { now: () => new Date('2026-06-10T12:00:00Z') });
const app = await buildTestApp(deps);
const orgid = await addOrg(db);
const rita = await signIn(deps, { editorOf: [orgid], role: 'reader' });

/** Adds a $10 monthly gift with the given changes. @returns its id */
async function addTestGift(name: string, change: Updateable<Tables['subscriptions']> = {}): Promise<string> {
  const email = `${name.toLowerCase()}@example.org`;
  const { checkoutid } = await addRecurringGift(db, orgid, { email, display_name: name });
  const { id } = await db.kysely
    .updateTable('subscriptions')
    .set({ created_at: new Date('2026-01-05T12:00:00Z'), ...change })
    .where('checkout_id', '=', checkoutid)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

test('recurring gifts are listed by group, with their monthly amounts', async () => {
  await addTestGift('Ann', { next_charge_at: new Date('2026-07-05T12:00:00Z') });
  await addTestGift('Ben', { amount_cents: 10_000, interval_unit: 'year' });
  await addTestGift('Cat', { amount_cents: 2500, interval_count: 3 });
  await addTestGift('Dan', { status: 'paused' });
  const failingGiftId = await addTestGift('Eli', { status: 'past_due', amount_cents: 4000 });
  const failure = { invoice_id: 'in_1', subscription_id: failingGiftId, amount_cents: 4000 };
  await db.kysely
    .insertInto('failed_renewals')
    .values([
      { ...failure, attempt: 1, failed_at: new Date('2026-06-05T12:00:00Z') },
      { ...failure, attempt: 2, failed_at: new Date('2026-06-08T12:00:00Z') },
    ])
    .execute();
  const unpaidEnd = { status: 'canceled', ended_unpaid: true } as const;
  await addTestGift('Fay', { ...unpaidEnd, canceled_at: new Date('2026-05-01T12:00:00Z') });
  await addTestGift('Gil', { ...unpaidEnd, canceled_at: new Date('2026-01-20T12:00:00Z') });
  await addTestGift('Hal', { ...unpaidEnd, ended_unpaid: false, canceled_at: new Date('2026-06-01T12:00:00Z') });

  const readGifts = async (query: Record<string, string> = {}) =>
    (await call(app, 'readRecurringGifts', { params: { orgid }, as: rita, query })).json<ListedRecurringGift[]>();
  const readNames = async (group: string) =>
    (await readGifts({ group })).map(({ name }) => name ?? '').toSorted((a, b) => a.localeCompare(b));
  expect(await readGifts()).toHaveLength(8);
  expect(await readNames('active')).toEqual(['Ann', 'Ben', 'Cat']);
  expect(await readNames('paused')).toEqual(['Dan']);
  expect(await readNames('ended')).toEqual(['Fay', 'Gil', 'Hal']);
  expect(await readNames('lost')).toEqual(['Fay']);
  expect(await readGifts({ group: 'failing' })).toMatchObject([
    { name: 'Eli', email: 'eli@example.org', monthly: 40, failures: 2, lastFailedOn: '2026-06-08' },
  ]);

  const sums = (await call(app, 'sumRecurringGifts', { params: { orgid }, as: rita })).json<RecurringSums>();
  expect(sums).toEqual({
    // 10 + 100/12 + 25/3, each rounded as in the list
    active: { gifts: 3, monthly: 26.66 },
    paused: { gifts: 1, monthly: 10 },
    failing: { gifts: 1, monthly: 40 },
    ended: { gifts: 3, monthly: 30 },
    lost: { gifts: 1, monthly: 10 },
  });
  const unknownCursorResponse = await call(app, 'readRecurringGifts', {
    params: { orgid },
    as: rita,
    query: { cursorRef: 'nothing' },
  });
  expect(readOutcome(unknownCursorResponse)).toEqual([400, 'unknown-cursor']);
});

test('a recurring gift names its donor', async () => {
  const subscriptionId = await addTestGift('Ida');
  const { checkoutId } = await addGift(db, orgid, { email: 'ida@example.org', display_name: 'Ida' });
  await db.kysely
    .updateTable('subscriptions')
    .set({ checkout_id: checkoutId })
    .where('id', '=', subscriptionId)
    .execute();
  const gifts = (await call(app, 'readRecurringGifts', { params: { orgid }, as: rita })).json<ListedRecurringGift[]>();
  const { donorid } = gifts.find(({ id }) => id === subscriptionId) ?? {};
  const donor = await call(app, 'readDonor', { params: { orgid, donorid: donorid ?? '' }, as: rita });
  expect(donor.json()).toMatchObject({ name: 'Ida', recurring: [{ status: 'active', amount: 10 }] });
});
