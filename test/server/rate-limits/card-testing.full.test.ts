import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { donationItem, type SubmittedItem } from '#domain/cart.ts';
import { sendCardAlarmEmail } from '#server/features/payments/send-card-alarm-email.job.ts';
import { hashSubject } from '#server/features/rate-limits/check-rate-limit.ts';
import { countDecline } from '#server/features/rate-limits/decline-limits.ts';
import type { Challenge } from '#server/gateways/challenge/turnstile.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { buildTestApp, PARENT } from '#test/support/build-app.ts';
import { parseSessionId } from '#test/support/card-provider.ts';
import { HOUR, MINUTE } from '#test/support/clock.ts';
import { startDonationSetup } from '#test/support/donation-setup.ts';
import { createJobRecorder, type JobRecorder } from '#test/support/job-recorder.ts';
import { findMaxRequests } from '#test/support/limits.ts';
import { signIn } from '#test/support/sign-in.ts';

const jobs: JobRecorder = createJobRecorder();
const setup = await startDonationSetup({ jobs });
const { db, deps, provider, clock, orgId } = setup;
const DECLINED_CARD = '4000000000000002';
const MAX_DECLINES = findMaxRequests('declined-card', 'client');
const MAX_DECLINES_ON_PAGE = findMaxRequests('declined-on-page', 'resource');

/** Fake Turnstile. Only the token "a person" passes. */
const challenge: Challenge = {
  siteKey: '1x00',
  origin: 'https://challenges.example',
  isPassed: async (token) => token === 'a person',
};
const challengingApp = await buildTestApp({ ...deps, challenge });

let networkCount = 0;
/** Returns an address in an unused network. */
const newNetwork = () => {
  networkCount += 1;
  return `198.51.100.${networkCount}`;
};

async function openCheckout(
  client: string,
  { cart = [donationItem(25)] as SubmittedItem[], app = setup.app, challengeToken = '' } = {},
) {
  const response = await app.inject({
    method: 'POST',
    url: callPath('createCheckout', { orgid: orgId }),
    remoteAddress: client,
    headers: { 'x-requested-with': 'test' },
    payload: { cart, ...(challengeToken && { challenge: challengeToken }) },
  });
  return { response, url: response.statusCode === 200 ? response.json<{ url: string }>().url : '' };
}

async function requestStatus(client: string): Promise<number> {
  return (await openCheckout(client)).response.statusCode;
}

/** Pays with declined cards from a network, a few per payment page. */
async function declineCards(client: string, times: number, cart?: SubmittedItem[]): Promise<void> {
  for (let remaining = times; remaining > 0; remaining -= MAX_DECLINES_ON_PAGE) {
    const { url } = await openCheckout(client, cart ? { cart } : {});
    for (let tries = Math.min(remaining, MAX_DECLINES_ON_PAGE); tries > 0; tries -= 1)
      await provider.pay(url, DECLINED_CARD);
    await provider.deliverEvents();
  }
}

async function readPageStatus(url: string) {
  return (await provider.stripe.checkout.sessions.retrieve(parseSessionId(url))).status;
}

// @asvs 2.4.1
test('too many declined cards block a network’s payment pages for an hour, but not other networks', async () => {
  const tester = newNetwork();
  await declineCards(tester, MAX_DECLINES - 1);
  expect(await requestStatus(tester)).toBe(200);
  clock.advance(10 * MINUTE);
  await declineCards(tester, 1);
  const { response } = await openCheckout(tester);
  expect(response.statusCode).toBe(429);
  expect(response.headers['retry-after']).toBe(String((HOUR - 10 * MINUTE) / 1000));
  expect(response.json()).toMatchObject({
    code: 'cards-declined',
    detail:
      'Many cards from your network were declined, so we can’t accept cards from it for now. Please try again in 50 minutes, or send a check. Your cart is saved.',
  });
  expect(await requestStatus(newNetwork())).toBe(200);
  clock.advance(HOUR);
  expect(await requestStatus(tester)).toBe(200);
});

test('a page closes after ten declined cards, or at the first one once its network is blocked', async () => {
  const tester = newNetwork();
  const [declinedPage, openPage] = [await openCheckout(tester), await openCheckout(tester)];
  for (let tries = 0; tries < MAX_DECLINES_ON_PAGE; tries += 1) await provider.pay(declinedPage.url, DECLINED_CARD);
  await provider.deliverEvents();
  expect(await readPageStatus(declinedPage.url)).toBe('open');
  await provider.pay(declinedPage.url, DECLINED_CARD);
  await provider.deliverEvents();
  expect(await readPageStatus(declinedPage.url)).toBe('expired');
  await declineCards(tester, MAX_DECLINES - MAX_DECLINES_ON_PAGE - 1);
  expect(await requestStatus(tester)).toBe(429);
  expect(await readPageStatus(openPage.url)).toBe('open');
  await provider.pay(openPage.url, DECLINED_CARD);
  await provider.deliverEvents();
  expect(await readPageStatus(openPage.url)).toBe('expired');
});

test('paid gifts offset declined cards, so a school with both isn’t blocked', async () => {
  const school = newNetwork();
  await declineCards(school, MAX_DECLINES - 1);
  for (let donor = 0; donor < 3; donor += 1) {
    const { url } = await openCheckout(school);
    await provider.pay(url);
    await provider.deliverEvents();
  }
  await declineCards(school, 3);
  expect(await requestStatus(school)).toBe(200);
  await declineCards(school, 1);
  expect(await requestStatus(school)).toBe(429);
});

test('a decline reported an hour late doesn’t count', async () => {
  const lateNetwork = newNetwork();
  for (const { url } of [
    await openCheckout(lateNetwork),
    await openCheckout(lateNetwork),
    await openCheckout(lateNetwork),
  ]) {
    for (let tries = 0; tries < MAX_DECLINES_ON_PAGE; tries += 1) await provider.pay(url, DECLINED_CARD);
  }
  clock.advance(HOUR);
  await provider.deliverEvents();
  expect(await requestStatus(lateNetwork)).toBe(200);
});

test('people who would otherwise be blocked can pass a Turnstile challenge', async () => {
  const tester = newNetwork();
  await declineCards(tester, MAX_DECLINES);
  const requestCheckout = async (challengeToken = '') =>
    (await openCheckout(tester, { app: challengingApp, challengeToken })).response;
  const response = await requestCheckout();
  expect(response.statusCode).toBe(403);
  expect(response.json()).toMatchObject({
    code: 'challenge-needed',
    details: { siteKey: '1x00', origin: 'https://challenges.example' },
  });
  expect((await requestCheckout('a program')).json()).toMatchObject({ code: 'challenge-needed' });
  expect((await requestCheckout('a person')).statusCode).toBe(200);
  expect(response.headers['content-security-policy']).toContain("script-src 'self' https://challenges.example;");
  expect(response.headers['content-security-policy']).toContain("frame-src 'self' https://challenges.example;");
});

test('during a large attack, networks are blocked sooner, and Turnstile challenges everyone', async () => {
  // The counts of earlier tests have expired.
  clock.advance(HOUR);
  const [tester, honestNetwork] = [newNetwork(), newNetwork()];
  await declineCards(tester, findMaxRequests('declined-card-in-attack', 'client'));
  expect(await requestStatus(tester)).toBe(200);
  // Declines from networks with one declined card each; the last is for a recurring gift.
  const otherNetworks = Array.from(
    { length: findMaxRequests('declined-cards', 'resource') - findMaxRequests('declined-card-in-attack', 'client') },
    (_, index) => `page-${index}`,
  );
  for (const page of otherNetworks.slice(1)) await countDecline(deps, page, undefined);
  expect(await requestStatus(tester)).toBe(200);
  await declineCards(newNetwork(), 1, [donationItem(10, 'month')]);
  expect(await requestStatus(tester)).toBe(429);
  expect(await requestStatus(honestNetwork)).toBe(200);
  expect((await openCheckout(honestNetwork, { app: challengingApp })).response.statusCode).toBe(403);
  expect(
    (await openCheckout(honestNetwork, { app: challengingApp, challengeToken: 'a person' })).response.statusCode,
  ).toBe(200);
  clock.advance(HOUR);
  expect((await openCheckout(honestNetwork, { app: challengingApp })).response.statusCode).toBe(200);
});

test('each admin gets at most one email with instructions every six hours', async () => {
  clock.advance(6 * HOUR);
  const admin = await signIn(deps, { admin: true });
  const otherAdmin = await signIn(deps, { admin: true });
  const alarmCount = jobs.findPayloads(sendCardAlarmEmail).length;
  const testers = [newNetwork(), newNetwork()];
  for (const tester of testers) await declineCards(tester, MAX_DECLINES + 1);
  const alarms = jobs.findPayloads(sendCardAlarmEmail).slice(alarmCount);
  expect(alarms.map(({ userId, scope }) => `${userId} ${scope}`).toSorted()).toEqual(
    [admin, otherAdmin].map(({ userId }) => `${userId} network`).toSorted(),
  );
  const sentEmails: Email[] = [];
  const mailer = { send: async (email: Email) => void sentEmails.push(email) };
  const emailDeps = { db, parent: PARENT, publicUrl: () => 'https://fund.example', challenge: undefined, mailer };
  for (const alarm of alarms) await sendCardAlarmEmail.run(emailDeps, alarm);
  expect(sentEmails.map(({ to }) => to).toSorted()).toEqual([admin.email, otherAdmin.email].toSorted());
  expect(sentEmails[0]?.text).toContain('more than 20 cards were declined');
  expect(sentEmails[0]?.text).toContain('Visitors from that network can’t open payment pages for up to an hour');
});

// This test comes last because it moves the provider's clock.
test('renewals and returned debits don’t count', async () => {
  const [gift, debit] = [
    await openCheckout(newNetwork(), { cart: [donationItem(10, 'month')] }),
    await openCheckout(newNetwork()),
  ];
  await provider.pay(gift.url, '4000000000000341');
  await provider.payByDebit(debit.url);
  await provider.deliverEvents();
  await declineCards(newNetwork(), 1);
  const initialDeclines = await countDeclines();
  await provider.resolveDebits('fail');
  await provider.submitDashboardForm('clock', { months: '1' });
  await provider.deliverEvents();
  expect(initialDeclines).toBeGreaterThan(0);
  expect(await countDeclines()).toBe(initialDeclines);
});

async function countDeclines(): Promise<number | undefined> {
  const row = await db.kysely
    .selectFrom('rate_limits')
    .select('count')
    .where('subject', '=', hashSubject('declined-cards', 'any', 'resource', 'all'))
    .executeTakeFirst();
  return row?.count;
}
