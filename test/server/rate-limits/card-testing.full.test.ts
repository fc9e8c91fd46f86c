import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { type ClaimedItem, donationItem } from '#domain/cart.ts';
import { sendCardAlarmEmail } from '#server/features/payments/send-card-alarm-email.job.ts';
import { subjectHash } from '#server/features/rate-limits/check-rate-limit.ts';
import { countDecline } from '#server/features/rate-limits/decline-limits.ts';
import type { Challenge } from '#server/gateways/challenge/turnstile.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { buildTestApp, PARENT } from '#test/support/build-app.ts';
import { sessionIdOf } from '#test/support/card-provider.ts';
import { HOUR, MINUTE } from '#test/support/clock.ts';
import { startGiving } from '#test/support/giving.ts';
import { type JobRecorder, jobRecorder } from '#test/support/job-recorder.ts';
import { limitOf } from '#test/support/limits.ts';
import { signIn } from '#test/support/sign-in.ts';

const jobs: JobRecorder = jobRecorder();
const giving = await startGiving({ jobs });
const { db, deps, provider, clock, orgId } = giving;
const DECLINED = '4000000000000002';
const MOST = limitOf('declined-card', 'client');
const MOST_ON_PAGE = limitOf('declined-on-page', 'resource');

/** How the program sees Turnstile. Only "a person" passes. */
const challenge: Challenge = {
  siteKey: '1x00',
  origin: 'https://challenges.example',
  isPassed: async (passed) => passed === 'a person',
};
const challenging = await buildTestApp({ ...deps, challenge });

let networks = 0;
/** A network that no one has used yet. */
const newNetwork = () => {
  networks += 1;
  return `198.51.100.${networks}`;
};

async function open(client: string, { cart = [donationItem(25)] as ClaimedItem[], to = giving.app, passed = '' } = {}) {
  const response = await to.inject({
    method: 'POST',
    url: callPath('createCheckout', { orgid: orgId }),
    remoteAddress: client,
    headers: { 'x-requested-with': 'test' },
    payload: { cart, ...(passed && { challenge: passed }) },
  });
  return { response, url: response.statusCode === 200 ? response.json<{ url: string }>().url : '' };
}

async function statusFor(client: string): Promise<number> {
  return (await open(client)).response.statusCode;
}

/** Tries cards from a network, a few per payment page. */
async function decline(client: string, times: number, cart?: ClaimedItem[]): Promise<void> {
  for (let remaining = times; remaining > 0; remaining -= MOST_ON_PAGE) {
    const { url } = await open(client, cart ? { cart } : {});
    for (let tries = Math.min(remaining, MOST_ON_PAGE); tries > 0; tries -= 1) await provider.pay(url, DECLINED);
    await provider.deliver();
  }
}

async function pageStatus(url: string) {
  return (await provider.stripe.checkout.sessions.retrieve(sessionIdOf(url))).status;
}

// @asvs 2.4.1
test('too many declined cards block a network’s payment pages for an hour, but not other networks', async () => {
  const tester = newNetwork();
  await decline(tester, MOST - 1);
  expect(await statusFor(tester)).toBe(200);
  clock.pass(10 * MINUTE);
  await decline(tester, 1);
  const { response } = await open(tester);
  expect(response.statusCode).toBe(429);
  expect(response.headers['retry-after']).toBe(String((HOUR - 10 * MINUTE) / 1000));
  expect(response.json()).toMatchObject({
    code: 'cards-declined',
    detail:
      'Many cards from your network were declined, so we can’t accept cards from it for now. Please try again in 50 minutes, or send a check. Your cart is saved.',
  });
  expect(await statusFor(newNetwork())).toBe(200);
  clock.pass(HOUR);
  expect(await statusFor(tester)).toBe(200);
});

test('a page closes after ten declined cards, or at the first one once its network is blocked', async () => {
  const tester = newNetwork();
  const [long, kept] = [await open(tester), await open(tester)];
  for (let tries = 0; tries < MOST_ON_PAGE; tries += 1) await provider.pay(long.url, DECLINED);
  await provider.deliver();
  expect(await pageStatus(long.url)).toBe('open');
  await provider.pay(long.url, DECLINED);
  await provider.deliver();
  expect(await pageStatus(long.url)).toBe('expired');
  await decline(tester, MOST - MOST_ON_PAGE - 1);
  expect(await statusFor(tester)).toBe(429);
  expect(await pageStatus(kept.url)).toBe('open');
  await provider.pay(kept.url, DECLINED);
  await provider.deliver();
  expect(await pageStatus(kept.url)).toBe('expired');
});

test('paid gifts offset declined cards, so a school with both isn’t blocked', async () => {
  const school = newNetwork();
  await decline(school, MOST - 1);
  for (let donor = 0; donor < 3; donor += 1) {
    const { url } = await open(school);
    await provider.pay(url);
    await provider.deliver();
  }
  await decline(school, 3);
  expect(await statusFor(school)).toBe(200);
  await decline(school, 1);
  expect(await statusFor(school)).toBe(429);
});

test('a decline reported an hour late doesn’t count', async () => {
  const lateNetwork = newNetwork();
  for (const { url } of [await open(lateNetwork), await open(lateNetwork), await open(lateNetwork)]) {
    for (let tries = 0; tries < MOST_ON_PAGE; tries += 1) await provider.pay(url, DECLINED);
  }
  clock.pass(HOUR);
  await provider.deliver();
  expect(await statusFor(lateNetwork)).toBe(200);
});

test('with Turnstile set up, people pass who are otherwise blocked', async () => {
  const tester = newNetwork();
  await decline(tester, MOST);
  const ask = async (passed = '') => (await open(tester, { to: challenging, passed })).response;
  const challenge = await ask();
  expect(challenge.statusCode).toBe(403);
  expect(challenge.json()).toMatchObject({
    code: 'challenge-needed',
    details: { siteKey: '1x00', origin: 'https://challenges.example' },
  });
  expect((await ask('a program')).json()).toMatchObject({ code: 'challenge-needed' });
  expect((await ask('a person')).statusCode).toBe(200);
  expect(challenge.headers['content-security-policy']).toContain("script-src 'self' https://challenges.example;");
  expect(challenge.headers['content-security-policy']).toContain("frame-src 'self' https://challenges.example;");
});

test('during a large attack a network is blocked sooner, and with Turnstile everyone is asked', async () => {
  // The counts of earlier tests have expired.
  clock.pass(HOUR);
  const [tester, honest] = [newNetwork(), newNetwork()];
  await decline(tester, limitOf('declined-card-in-attack', 'client'));
  expect(await statusFor(tester)).toBe(200);
  // From networks with one declined card each. The last one is for a recurring gift.
  const otherNetworks = Array.from(
    { length: limitOf('declined-cards', 'resource') - limitOf('declined-card-in-attack', 'client') },
    (_, at) => `page-${at}`,
  );
  for (const page of otherNetworks.slice(1)) await countDecline(deps, page, undefined);
  expect(await statusFor(tester)).toBe(200);
  await decline(newNetwork(), 1, [donationItem(10, 'month')]);
  expect(await statusFor(tester)).toBe(429);
  expect(await statusFor(honest)).toBe(200);
  expect((await open(honest, { to: challenging })).response.statusCode).toBe(403);
  expect((await open(honest, { to: challenging, passed: 'a person' })).response.statusCode).toBe(200);
  clock.pass(HOUR);
  expect((await open(honest, { to: challenging })).response.statusCode).toBe(200);
});

test('each admin is emailed once in six hours with what to do', async () => {
  clock.pass(6 * HOUR);
  const admin = await signIn(deps, { admin: true });
  const otherAdmin = await signIn(deps, { admin: true });
  const alarmCount = jobs.dataOf(sendCardAlarmEmail).length;
  const testers = [newNetwork(), newNetwork()];
  for (const tester of testers) await decline(tester, MOST + 1);
  const alarms = jobs.dataOf(sendCardAlarmEmail).slice(alarmCount);
  expect(alarms.map(({ userId, scope }) => `${userId} ${scope}`).toSorted()).toEqual(
    [admin, otherAdmin].map(({ userId }) => `${userId} network`).toSorted(),
  );
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void sent.push(mail), close: async () => {} };
  const mailing = { db, parent: PARENT, publicUrl: () => 'https://fund.example', challenge: undefined, mailer };
  for (const alarm of alarms) await sendCardAlarmEmail.run(mailing, alarm);
  expect(sent.map(({ to }) => to).toSorted()).toEqual([admin.email, otherAdmin.email].toSorted());
  expect(sent[0]?.text).toContain('more than 20 cards were declined');
  expect(sent[0]?.text).toContain('Visitors from there can’t open payment pages for up to an hour');
});

// This test comes last because it moves the provider's clock.
test('renewals and returned debits don’t count', async () => {
  const [gift, debit] = [await open(newNetwork(), { cart: [donationItem(10, 'month')] }), await open(newNetwork())];
  await provider.pay(gift.url, '4000000000000341');
  await provider.payByDebit(debit.url);
  await provider.deliver();
  await decline(newNetwork(), 1);
  const initialDeclines = await countDeclines();
  await provider.resolveDebits('fail');
  await provider.press('clock', { months: '1' });
  await provider.deliver();
  expect(initialDeclines).toBeGreaterThan(0);
  expect(await countDeclines()).toBe(initialDeclines);
});

async function countDeclines(): Promise<number | undefined> {
  const row = await db.kysely
    .selectFrom('rate_limits')
    .select('count')
    .where('subject', '=', subjectHash('declined-cards', 'any', 'resource', 'all'))
    .executeTakeFirst();
  return row?.count;
}
