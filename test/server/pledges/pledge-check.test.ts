// @spec 1.visitors decisions.3
import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { orgStats } from '#server/features/ledger/org-stats.ts';
import { sweepPledges } from '#server/features/pledges/record-pledge.ts';
import { sendPledgeEmail } from '#server/features/pledges/send-pledge-email.job.ts';
import { countOpenPledges } from '#server/features/treasury/overview.store.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { DAY } from '#test/support/clock.ts';
import { testDatabase } from '#test/support/database.ts';
import { jobRecorder } from '#test/support/job-recorder.ts';

const db = await testDatabase();
const jobs = jobRecorder();
const deps = { ...(await testDeps(db)), jobs };
const app = await buildTestApp(deps);
const orgId = await addOrg(db);

function pledge(body: object, orgid = orgId) {
  const url = callPath('pledgeCheck', { orgid });
  return app.inject({ method: 'POST', url, headers: { 'x-requested-with': 'test' }, payload: body });
}

const promise = { name: 'Dora Donor', email: 'dora@example.org', amount: 250 };

test('pledging a check stores it without changing the totals', async () => {
  const response = await pledge(promise);
  expect(response.json()).toEqual({ id: expect.any(String), amount: 250 });
  const row = await db.kysely
    .selectFrom('pledges')
    .selectAll()
    .where('id', '=', response.json().id)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ org_id: orgId, status: 'pledged', amount_cents: 25_000, email: 'dora@example.org' });
  expect(await orgStats(db, orgId)).toMatchObject({ funds: 0 });
});

test.each([
  ['es', 'es'],
  ['en', null],
  [undefined, null],
])('a pledge stores the page’s language (%s)', async (language, storedLanguage) => {
  const url = callPath('pledgeCheck', { orgid: orgId });
  const headers = { 'x-requested-with': 'test', ...(language === undefined ? {} : { 'accept-language': language }) };
  const response = await app.inject({
    method: 'POST',
    url,
    headers,
    payload: { ...promise, email: 'lupe@example.org' },
  });
  const row = db.kysely.selectFrom('pledges').select('language').where('id', '=', response.json().id);
  expect(await row.executeTakeFirstOrThrow()).toEqual({ language: storedLanguage });
});

/** Emails sent while `pledging` runs. */
async function mailsOf(pledging: () => Promise<unknown>): Promise<Mail[]> {
  const jobCount = jobs.dataOf(sendPledgeEmail).length;
  await pledging();
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void sent.push(mail), close: async () => {} };
  for (const data of jobs.dataOf(sendPledgeEmail).slice(jobCount)) await sendPledgeEmail.run({ ...deps, mailer }, data);
  return sent;
}

test('a pledging donor is emailed the payee, address, memo, and amount', async () => {
  const orgid = await addOrg(db, { name: 'Ithaca Climate Fund' });
  const [mail] = await mailsOf(() => pledge({ ...promise, email: 'mailed@example.org', amount: 1250 }, orgid));
  expect(mail).toMatchObject({ to: 'mailed@example.org' });
  for (const line of [
    'Amount: $1,250.00',
    `Make it out to: ${deps.parent.name}`,
    'Memo line: Ithaca Climate Fund',
    `Mail it to: ${deps.parent.address}`,
    'Dear Dora Donor,',
  ])
    expect(mail?.text).toContain(line);
});

test('the pledge email is in the page’s language', async () => {
  const url = callPath('pledgeCheck', { orgid: orgId });
  const headers = { 'x-requested-with': 'test', 'accept-language': 'es' };
  const payload = { ...promise, email: 'lucia@example.org' };
  const [mail] = await mailsOf(() => app.inject({ method: 'POST', url, headers, payload }));
  expect(mail?.text).toContain('Hola, Dora Donor:');
  expect(mail?.text).toContain(`A nombre de: ${deps.parent.name}\n`);
});

test('no email is sent for a suspicious, received, or canceled pledge', async () => {
  const orgid = await addOrg(db);
  const large = { ...promise, email: 'largest@example.org', amount: 25_001 };
  expect(await mailsOf(() => pledge(large, orgid))).toEqual([]);
  const change = (status: 'received' | 'withdrawn') => async () => {
    const { id } = (await pledge({ ...promise, email: `${status}@example.org` }, orgid)).json();
    await db.kysely.updateTable('pledges').set({ status }).where('id', '=', id).execute();
  };
  expect(await mailsOf(change('received'))).toEqual([]);
  expect(await mailsOf(change('withdrawn'))).toEqual([]);
});

test('the name on a pledge adds no link to its email', async () => {
  const lure = { ...promise, email: 'lured@example.org', name: 'Win a prize at https://evil.example' };
  const mails = await mailsOf(() => pledge(lure));
  expect(mails.map(({ text }) => text).join()).not.toMatch(/evil|prize/);
});

test.each([
  [{ name: '' }, 422, 'no-name', 'name'],
  [{ name: 'D' }, 422, 'name-too-short', 'name'],
  [{ name: 'Do\0ra' }, 400, 'invalid-input', 'name'],
  [{ email: 'dora' }, 422, 'invalid-email', 'email'],
  [{ email: '' }, 422, 'no-email', 'email'],
  [{ amount: 0 }, 400, 'invalid-input', 'amount'],
  [{ amount: 12.5 }, 400, 'invalid-input', 'amount'],
  [{ amount: 1_000_000 }, 400, 'invalid-input', 'amount'],
  [{ amount: undefined }, 400, 'invalid-input', 'amount'],
])('a pledge with %j is rejected with an error for its field', async (change, status, code, field) => {
  expect((await pledge({ ...promise, ...change })).json()).toMatchObject({ status, code, field });
});

// @asvs 15.3.3
test('a pledge with an unknown field or organization is rejected', async () => {
  expect((await pledge({ ...promise, received: true })).statusCode).toBe(400);
  expect((await pledge(promise, 'nowhere')).json()).toMatchObject({ status: 404, code: 'org-not-found' });
});

// @asvs 2.3.2
test('suspicious pledges are listed apart, and the overview’s sum leaves them out', async () => {
  await db.kysely.deleteFrom('rate_limits').execute();
  const orgid = await addOrg(db);
  for (let time = 0; time < 20; time += 1) await pledge({ ...promise, amount: 999_999 }, orgid);
  await db.kysely.deleteFrom('rate_limits').execute();
  const many = { ...promise, email: 'many@example.org', amount: 100 };
  for (let time = 0; time < 5; time += 1) await pledge(many, orgid);
  await pledge({ ...promise, email: 'large@example.org', amount: 25_000 }, orgid);
  expect(await countOpenPledges(db.kysely, orgid)).toEqual({ pledges: 4, cents: 2_530_000, suspicious: 12 });
});

test('after 30 pledges a day from one client, further pledges are marked suspicious', async () => {
  await db.kysely.deleteFrom('rate_limits').execute();
  const orgid = await addOrg(db);
  for (let time = 0; time < 40; time += 1) await pledge({ ...promise, email: `dora-${time}@example.org` }, orgid);
  expect(await countOpenPledges(db.kysely, orgid)).toMatchObject({ pledges: 30, suspicious: 10 });
});

test('a suspicious pledge is deleted after 90 days unless kept; all others stay', async () => {
  await db.kysely.deleteFrom('rate_limits').execute();
  const [orgid, now] = [await addOrg(db), new Date()];
  const longAgo = new Date(now.getTime() - 91 * DAY);
  const facts = { name: 'Dora', email: 'dora@example.org', amount_cents: 100, suspicious: true, created_at: longAgo };
  const rows = [
    { id: 'old' },
    { id: 'kept', suspicious: false },
    { id: 'received', status: 'received' as const },
    { id: 'new', created_at: now },
  ];
  for (const row of rows) await addPledge(db, orgid, { ...facts, ...row, id: `${orgid}-${row.id}` });
  await sweepPledges({ db, now: () => now });
  const remaining = await db.kysely.selectFrom('pledges').select('id').where('org_id', '=', orgid).execute();
  expect(remaining.map(({ id }) => id).toSorted()).toEqual(['kept', 'new', 'received'].map((id) => `${orgid}-${id}`));
});
