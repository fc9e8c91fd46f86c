import { expect, test } from 'vitest';
import { CALLS, type CallName, type CallParams, callPath } from '#contract/calls.ts';
import { donationItem } from '#domain/cart.ts';
import { newId } from '#server/ids.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { profileForm } from '#test/support/builders/profile-form.ts';
import { MINUTE, testClock } from '#test/support/clock.ts';
import { testDatabase } from '#test/support/database.ts';
import { instantPayments } from '#test/support/instant-payments.ts';
import { mostBy } from '#test/support/limits.ts';

const db = await testDatabase();
const clock = testClock();
const provider = instantPayments(clock.now);
const deps = await testDeps(db, { payments: provider.payments, now: clock.now });
/** Decoding is not what is limited here. */
const pictures: typeof deps.pictures = {
  ...deps.pictures,
  store: async () => ({ key: newId(), width: 640, height: 480, widths: [320, 640] }),
};
const app = await buildTestApp({ ...deps, pictures });
const orgid = await addOrg(db);

function ask<Name extends CallName>(name: Name, params: CallParams<Name>, remoteAddress: string, payload?: object) {
  const { method } = CALLS[name];
  const headers = { 'x-requested-with': 'test' };
  return app.inject({ method, url: callPath(name, params), remoteAddress, headers, ...(payload && { payload }) });
}
const open = (client: string) => ask('createCheckout', { orgid }, client, { cart: [donationItem(25)] });
const pledge = (client: string, email: string, amount = 50) =>
  ask('pledgeCheck', { orgid }, client, { name: 'Dora Donor', email, amount });

/** Everybody who asked before has asked so often. */
const setCounts = (count: number) => db.kysely.updateTable('attempts').set({ count }).execute();

test('a client that opens too many checkouts is stopped, also from other addresses of its network, and nobody else is', async () => {
  await open('2001:db8:1:1::1');
  await setCounts(mostBy('checkout', 'client') - 1);
  expect((await open('2001:db8:1:1::2')).statusCode).toBe(200);
  const before = provider.opened();
  const refused = await open('2001:db8:1:1::3');
  expect(refused.statusCode).toBe(429);
  expect(refused.headers['retry-after']).toBe('600');
  expect(refused.json<{ detail: string }>().detail).toBe('That was a lot at once. Please try again in 10 minutes.');
  expect(provider.opened()).toBe(before);
  expect((await open('2001:db8:1:2::1')).statusCode).toBe(200);
  clock.pass(10 * MINUTE);
  expect((await open('2001:db8:1:1::1')).statusCode).toBe(200);
});

test('a client that pledges too many checks is stopped, and nobody else is', async () => {
  await pledge('198.51.100.1', 'ada@example.org');
  await setCounts(mostBy('pledge', 'client') - 1);
  expect((await pledge('198.51.100.1', 'bea@example.org')).statusCode).toBe(200);
  expect((await pledge('198.51.100.1', 'cleo@example.org')).statusCode).toBe(429);
  expect((await pledge('198.51.100.2', 'cleo@example.org')).statusCode).toBe(200);
});

test('a client that searches too much is stopped', async () => {
  const search = () => app.inject({ url: `${callPath('searchCities', {})}?search=ith`, remoteAddress: '198.51.100.3' });
  await search();
  await setCounts(mostBy('search', 'client') - 1);
  expect([(await search()).statusCode, (await search()).statusCode]).toEqual([200, 429]);
});

test('300 donors behind one address in ten minutes get through: each searches, changes the cart, pays and tells a story', async () => {
  await db.kysely.deleteFrom('attempts').execute();
  const school = '203.0.113.7';
  for (let from = 0; from < 300; from += 25) {
    clock.pass(45_000);
    await Promise.all(Array.from({ length: 25 }, (_, at) => give(school, from + at)));
  }
  const { stories } = await db.kysely
    .selectFrom('offsetters')
    .select(({ fn }) => fn.countAll<number>().as('stories'))
    .where('org_id', '=', orgid)
    .executeTakeFirstOrThrow();
  expect(Number(stories)).toBe(300);
  // What was paid counts for nothing: as many may come again at once.
  const counts = await db.kysely.selectFrom('attempts').select('count').execute();
  const [searches, unpaid] = [300, 300];
  expect(counts.map(({ count }) => count)).toEqual([searches, unpaid]);
});

async function give(client: string, donor: number) {
  const search = await app.inject({ url: `${callPath('searchCities', {})}?search=ithaca`, remoteAddress: client });
  expect(search.statusCode).toBe(200);
  expect((await open(client)).statusCode).toBe(200);
  const { id } = (await open(client)).json<{ id: string }>();
  provider.pay(`cs_${id}`);
  const key = { orgid, checkoutid: id };
  expect((await ask('readCheckout', key, client)).json()).toMatchObject({ paymentStatus: 'paid' });
  const form = new Response(
    profileForm({ checkoutId: id, photo: Buffer.from('a photo'), fields: { email: `donor-${donor}@example.org` } }),
  );
  const answer = await app.inject({
    method: 'PUT',
    url: callPath('submitProfile', key),
    remoteAddress: client,
    headers: { 'x-requested-with': 'test', 'content-type': form.headers.get('content-type') ?? '' },
    payload: Buffer.from(await form.arrayBuffer()),
  });
  expect(answer.statusCode).toBe(200);
}
