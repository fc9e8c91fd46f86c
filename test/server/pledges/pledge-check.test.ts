// @spec 1.visitors decisions.3
import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { readOrgStats } from '#server/features/ledger/org-stats.ts';
import { sweepPledges } from '#server/features/pledges/record-pledge.ts';
import { sendPledgeEmail } from '#server/features/pledges/send-pledge-email.job.ts';
import { countOpenPledges } from '#server/features/treasury/overview.store.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { DAY } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';

const db = await createTestDatabase();
const jobs = createJobRecorder();
const deps = { ...(await createTestDeps(db)), jobs };
const app = await buildTestApp(deps);
const orgId = await addOrg(db);

function sendPledge(body: object, targetOrgId = orgId) {
  const url = callPath('pledgeCheck', { orgid: targetOrgId });
  return app.inject({ method: 'POST', url, headers: { 'x-requested-with': 'test' }, payload: body });
}

const validPledge = { name: 'Dora Donor', email: 'dora@example.org', amount: 250 };

test('pledging a check stores it without changing the totals', async () => {
  const response = await sendPledge(validPledge);
  expect(response.json()).toEqual({ id: expect.any(String), amount: 250 });
  const row = await db.kysely
    .selectFrom('pledges')
    .selectAll()
    .where('id', '=', response.json().id)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ org_id: orgId, status: 'pledged', amount_cents: 25_000, email: 'dora@example.org' });
  expect(await readOrgStats(db, orgId)).toMatchObject({ funds: 0 });
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
    payload: { ...validPledge, email: 'lupe@example.org' },
  });
  const row = db.kysely.selectFrom('pledges').select('language').where('id', '=', response.json().id);
  expect(await row.executeTakeFirstOrThrow()).toEqual({ language: storedLanguage });
});

/** Emails sent while `action` runs. */
async function captureEmails(action: () => Promise<unknown>): Promise<Email[]> {
  const jobCount = jobs.findPayloads(sendPledgeEmail).length;
  await action();
  const sentEmails: Email[] = [];
  const mailer = { send: async (email: Email) => void sentEmails.push(email) };
  for (const data of jobs.findPayloads(sendPledgeEmail).slice(jobCount))
    await sendPledgeEmail.run({ ...deps, mailer }, data);
  return sentEmails;
}

test('a pledging donor is emailed the payee, address, memo, and amount', async () => {
  const newOrgId = await addOrg(db, { name: 'Ithaca Climate Fund' });
  const [email] = await captureEmails(() =>
    sendPledge({ ...validPledge, email: 'mailed@example.org', amount: 1250 }, newOrgId),
  );
  expect(email).toMatchObject({ to: 'mailed@example.org' });
  for (const line of [
    'Amount: $1,250.00',
    `Make it out to: ${deps.parent.name}`,
    'Memo line: Ithaca Climate Fund',
    `Mail it to: ${deps.parent.address}`,
    'Dear Dora Donor,',
  ])
    expect(email?.text).toContain(line);
});

test('the pledge email is in the page’s language', async () => {
  const url = callPath('pledgeCheck', { orgid: orgId });
  const headers = { 'x-requested-with': 'test', 'accept-language': 'es' };
  const payload = { ...validPledge, email: 'lucia@example.org' };
  const [email] = await captureEmails(() => app.inject({ method: 'POST', url, headers, payload }));
  expect(email?.text).toContain('Hola, Dora Donor:');
  expect(email?.text).toContain(`A nombre de: ${deps.parent.name}\n`);
});

test('no email is sent for a suspicious, received, or canceled pledge', async () => {
  const newOrgId = await addOrg(db);
  const largePledge = { ...validPledge, email: 'largest@example.org', amount: 25_001 };
  expect(await captureEmails(() => sendPledge(largePledge, newOrgId))).toEqual([]);
  const pledgeAndSetStatus = (status: 'received' | 'withdrawn') => async () => {
    const { id } = (await sendPledge({ ...validPledge, email: `${status}@example.org` }, newOrgId)).json();
    await db.kysely.updateTable('pledges').set({ status }).where('id', '=', id).execute();
  };
  expect(await captureEmails(pledgeAndSetStatus('received'))).toEqual([]);
  expect(await captureEmails(pledgeAndSetStatus('withdrawn'))).toEqual([]);
});

test('a link in a pledge’s name doesn’t appear in its email', async () => {
  const maliciousPledge = { ...validPledge, email: 'lured@example.org', name: 'Win a prize at https://evil.example' };
  const emails = await captureEmails(() => sendPledge(maliciousPledge));
  expect(emails.map(({ text }) => text).join()).not.toMatch(/evil|prize/);
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
])('rejects a pledge with %j and reports the field', async (change, status, code, field) => {
  expect((await sendPledge({ ...validPledge, ...change })).json()).toMatchObject({ status, code, field });
});

// @asvs 15.3.3
test('a pledge with an unknown field or organization is rejected', async () => {
  expect((await sendPledge({ ...validPledge, received: true })).statusCode).toBe(400);
  expect((await sendPledge(validPledge, 'nowhere')).json()).toMatchObject({ status: 404, code: 'org-not-found' });
});

// @asvs 2.3.2
test('suspicious pledges are counted separately and excluded from the overview’s sum', async () => {
  await db.kysely.deleteFrom('rate_limits').execute();
  const newOrgId = await addOrg(db);
  for (let index = 0; index < 20; index += 1) await sendPledge({ ...validPledge, amount: 999_999 }, newOrgId);
  await db.kysely.deleteFrom('rate_limits').execute();
  const repeatedPledge = { ...validPledge, email: 'many@example.org', amount: 100 };
  for (let index = 0; index < 5; index += 1) await sendPledge(repeatedPledge, newOrgId);
  await sendPledge({ ...validPledge, email: 'large@example.org', amount: 25_000 }, newOrgId);
  expect(await countOpenPledges(db.kysely, newOrgId)).toEqual({ pledges: 4, cents: 2_530_000, suspicious: 12 });
});

test('after 30 pledges a day from one client, further pledges are marked suspicious', async () => {
  await db.kysely.deleteFrom('rate_limits').execute();
  const newOrgId = await addOrg(db);
  for (let index = 0; index < 40; index += 1)
    await sendPledge({ ...validPledge, email: `dora-${index}@example.org` }, newOrgId);
  expect(await countOpenPledges(db.kysely, newOrgId)).toMatchObject({ pledges: 30, suspicious: 10 });
});

test('a suspicious pledge is deleted after 90 days unless an editor keeps it; all others stay', async () => {
  await db.kysely.deleteFrom('rate_limits').execute();
  const [newOrgId, now] = [await addOrg(db), new Date()];
  const longAgo = new Date(now.getTime() - 91 * DAY);
  const defaults = {
    name: 'Dora',
    email: 'dora@example.org',
    amount_cents: 100,
    suspicious: true,
    created_at: longAgo,
  };
  const rows = [
    { id: 'old' },
    { id: 'kept', suspicious: false },
    { id: 'received', status: 'received' as const },
    { id: 'new', created_at: now },
  ];
  for (const row of rows) await addPledge(db, newOrgId, { ...defaults, ...row, id: `${newOrgId}-${row.id}` });
  await sweepPledges({ db, now: () => now });
  const remainingPledges = await db.kysely.selectFrom('pledges').select('id').where('org_id', '=', newOrgId).execute();
  expect(remainingPledges.map(({ id }) => id).toSorted()).toEqual(
    ['kept', 'new', 'received'].map((id) => `${newOrgId}-${id}`),
  );
});
