import { expect, test } from 'vitest';
import { CALLS, type CallName, type CallParams, callPath } from '#contract/calls.ts';
import { donationItem } from '#domain/cart.ts';
import { newId } from '#server/db/new-id.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createProfileForm } from '#test/support/builders/profile-form.ts';
import { createTestClock, MINUTE } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createInMemoryPayments } from '#test/support/in-memory-payments.ts';
import { findMaxRequests } from '#test/support/limits.ts';
import { pickRunCount } from '#test/support/run-count.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const clock = createTestClock();
const provider = createInMemoryPayments(clock.now);
const deps = await createTestDeps(db, { payments: provider.payments, now: clock.now });
/** Skips decoding, which this file doesn't test. */
const pictures: typeof deps.pictures = {
  ...deps.pictures,
  store: async () => ({ key: newId(), width: 640, height: 480, widths: [320, 640] }),
};
const app = await buildTestApp({ ...deps, pictures });
const orgId = await addOrg(db);

function sendRequest<Name extends CallName>(
  name: Name,
  params: CallParams<Name>,
  remoteAddress: string,
  payload?: object,
) {
  const { method } = CALLS[name];
  const headers = { 'x-requested-with': 'test' };
  return app.inject({ method, url: callPath(name, params), remoteAddress, headers, ...(payload && { payload }) });
}
const openCheckout = (client: string) =>
  sendRequest('createCheckout', { orgid: orgId }, client, { cart: [donationItem(25)] });
const sendPledge = (client: string, email: string, amount = 50) =>
  sendRequest('pledgeCheck', { orgid: orgId }, client, { name: 'Dora Donor', email, amount });

/** Number of simultaneous donors, small enough for a busy machine. */
const CONCURRENT_DONORS = 10;

/** Sets the request count of every limit. */
const setCounts = (count: number) => db.kysely.updateTable('rate_limits').set({ count }).execute();

// @asvs 2.4.1
test('a client that opens too many checkouts is limited across its network without affecting others', async () => {
  await openCheckout('2001:db8:1:1::1');
  await setCounts(findMaxRequests('checkout', 'client') - 1);
  expect((await openCheckout('2001:db8:1:1::2')).statusCode).toBe(200);
  const openedCount = provider.countOpenedPages();
  const response = await openCheckout('2001:db8:1:1::3');
  expect(response.statusCode).toBe(429);
  expect(response.headers['retry-after']).toBe('600');
  expect(response.json<{ detail: string }>().detail).toBe('Too many requests. Please try again in 10 minutes.');
  expect(provider.countOpenedPages()).toBe(openedCount);
  expect((await openCheckout('2001:db8:1:2::1')).statusCode).toBe(200);
  clock.advance(10 * MINUTE);
  expect((await openCheckout('2001:db8:1:1::1')).statusCode).toBe(200);
});

// @asvs 2.4.1
test('a client that pledges too many checks is limited without affecting others', async () => {
  await sendPledge('198.51.100.1', 'ada@example.org');
  await setCounts(findMaxRequests('pledge', 'client') - 1);
  expect((await sendPledge('198.51.100.1', 'bea@example.org')).statusCode).toBe(200);
  expect((await sendPledge('198.51.100.1', 'cleo@example.org')).statusCode).toBe(429);
  expect((await sendPledge('198.51.100.2', 'cleo@example.org')).statusCode).toBe(200);
});

// @asvs 2.4.1
test('a client that searches too often is rate-limited', async () => {
  const search = () => app.inject({ url: `${callPath('searchCities', {})}?search=ith`, remoteAddress: '198.51.100.3' });
  await search();
  await setCounts(findMaxRequests('search', 'client') - 1);
  expect([(await search()).statusCode, (await search()).statusCode]).toEqual([200, 429]);
});

test('reads of unpaid checkouts beyond the limit return without calling the provider', async () => {
  const checkouts: string[] = [];
  for (let i = 0; i < 4; i += 1) checkouts.push((await openCheckout('198.51.100.4')).json<{ id: string }>().id);
  const read = async (client: string, index: number) => {
    const response = await sendRequest('readCheckout', { orgid: orgId, checkoutid: checkouts[index] ?? '' }, client);
    return [response.statusCode, provider.sessionReads.includes(`cs_${checkouts[index]}`)];
  };
  expect(await read('198.51.100.4', 0)).toEqual([200, true]);
  await setCounts(findMaxRequests('payment-question', 'client') - 1);
  expect(await read('198.51.100.4', 1)).toEqual([200, true]);
  expect(await read('198.51.100.4', 2)).toEqual([200, false]);
  // A skipped read doesn't delay other clients' reads or the final status of checkouts.
  expect(await read('198.51.100.5', 2)).toEqual([200, true]);
  // Simulates donors from many networks.
  await setCounts(findMaxRequests('payment-question', 'resource'));
  expect(await read('198.51.100.6', 3)).toEqual([200, false]);
});

test('too many forms from one client or for one checkout are rejected before they’re read', async () => {
  const submitForm = (client: string, checkoutId: string) =>
    app.inject({
      method: 'PUT',
      url: callPath('submitProfile', { orgid: orgId, checkoutid: checkoutId }),
      remoteAddress: client,
      headers: { 'x-requested-with': 'test', 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x--\r\n',
    });
  const { id } = (await openCheckout('198.51.100.8')).json<{ id: string }>();
  expect((await submitForm('2001:db8:7:1::1', id)).statusCode).toBe(409);
  await setCounts(findMaxRequests('upload', 'client') - 1);
  expect((await submitForm('2001:db8:7:1::2', 'another')).statusCode).toBe(404);
  expect((await submitForm('2001:db8:7:1::3', 'another')).statusCode).toBe(429);
  expect((await submitForm('2001:db8:7:2::1', 'a-third')).statusCode).toBe(404);
  await setCounts(findMaxRequests('upload', 'resource'));
  expect((await submitForm('2001:db8:7:3::1', id)).statusCode).toBe(429);
});

test('an editor who uploads too many pictures is limited', async () => {
  const edith = await signIn(deps, { editorOf: [orgId] });
  const uploadPicture = () =>
    app.inject({
      method: 'POST',
      url: callPath('addPicture', { orgid: orgId }),
      headers: { ...edith.headers, 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nx\r\n--x--\r\n',
    });
  expect((await uploadPicture()).statusCode).toBe(200);
  await setCounts(findMaxRequests('upload', 'userId'));
  expect((await uploadPicture()).statusCode).toBe(429);
});

test('300 donors behind one address give within ten minutes without hitting a limit', async () => {
  await db.kysely.deleteFrom('rate_limits').execute();
  const school = '203.0.113.7';
  const giveTogether = async (firstDonor: number) => {
    clock.advance(18_000);
    await Promise.all(Array.from({ length: CONCURRENT_DONORS }, (_, index) => give(school, firstDonor + index)));
  };
  // Paid checkouts don't count, so the same number of donors can follow immediately.
  const selectCounts = () => db.kysely.selectFrom('rate_limits').select('count').where('count', '>', 0).execute();
  const readCounts = async () => (await selectCounts()).map(({ count }) => count);
  const expectedCounts = (donors: number) => Array(4).fill(donors);
  await giveTogether(0);
  await expect.poll(readCounts).toEqual(expectedCounts(CONCURRENT_DONORS));
  // In the quick run, most requests are simulated by setting the counts.
  const realDonors = pickRunCount(20, 300);
  const count = 300 - realDonors + CONCURRENT_DONORS;
  await db.kysely.updateTable('rate_limits').set({ count }).where('count', '>', 0).execute();
  for (let nextDonor = CONCURRENT_DONORS; nextDonor < realDonors; nextDonor += CONCURRENT_DONORS)
    await giveTogether(nextDonor);
  const { stories } = await db.kysely
    .selectFrom('offsetters')
    .select(({ fn }) => fn.countAll<number>().as('stories'))
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow();
  expect(Number(stories)).toBe(realDonors);
  await expect.poll(readCounts).toEqual(expectedCounts(300));
});

async function give(client: string, donor: number) {
  const search = await app.inject({ url: `${callPath('searchCities', {})}?search=ithaca`, remoteAddress: client });
  expect(search.statusCode).toBe(200);
  expect((await openCheckout(client)).statusCode).toBe(200);
  const { id } = (await openCheckout(client)).json<{ id: string }>();
  provider.pay(`cs_${id}`);
  const params = { orgid: orgId, checkoutid: id };
  expect((await sendRequest('readCheckout', params, client)).json()).toMatchObject({ paymentStatus: 'paid' });
  const form = new Response(
    createProfileForm({
      checkoutId: id,
      photo: Buffer.from('a photo'),
      fields: { email: `donor-${donor}@example.org` },
    }),
  );
  const response = await app.inject({
    method: 'PUT',
    url: callPath('submitProfile', params),
    remoteAddress: client,
    headers: { 'x-requested-with': 'test', 'content-type': form.headers.get('content-type') ?? '' },
    payload: Buffer.from(await form.arrayBuffer()),
  });
  expect(response.statusCode).toBe(200);
}
