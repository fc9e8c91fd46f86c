// @spec 2.editor decisions.3 decisions.4
import { randomUUID } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { CheckoutRecord, CheckRecord } from '#contract/schemas/checkout-records.ts';
import type { Donor, DonorGift, DonorRecord, DonorSums } from '#contract/schemas/donors.ts';
import type { Giving } from '#contract/schemas/users.ts';
import { buildFact } from '#domain/facts.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { sendGiftsClaimEmail } from '#server/features/donors/claim-gifts.ts';
import { exportDonors } from '#server/features/donors/donor-files.ts';
import { sendCorrectedAddressEmail } from '#server/features/donors/send-corrected-address-email.job.ts';
import { setPaymentMode } from '#server/features/ledger/payment-mode.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import type { Email, Mailer } from '#server/gateways/email/mailer.ts';
import { buildTestApp, createTestDeps, PARENT } from '#test/support/build-app.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addRecurringGift } from '#test/support/builders/recurring-gift.ts';
import { addUser } from '#test/support/builders/user.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const jobs = createJobRecorder();
const deps = await createTestDeps(db, { jobs, now: () => new Date('2026-06-10T12:00:00Z') });
const app = await buildTestApp(deps);

let orgid: string;
let tess: SignedInPerson;
beforeEach(async () => {
  orgid = await addOrg(db);
  tess = await signIn(deps, { editorOf: [orgid], role: 'money', name: 'Tess Treasurer' });
});

const listDonors = async (query: Record<string, string> = {}) =>
  (await call(app, 'readDonors', { params: { orgid }, as: tess, query })).json<Donor[]>();
const readDonor = async (donorid: string) =>
  (await call(app, 'readDonor', { params: { orgid, donorid }, as: tess })).json<DonorRecord>();
const readDonorGifts = async (donorid: string) =>
  (await call(app, 'readDonorGifts', { params: { orgid, donorid }, as: tess })).json<DonorGift[]>();
const addDonorGift = (overrides: Partial<Insertable<Tables['checkouts']>>) => addGift(db, orgid, overrides);

/** Records a received check. @returns the pledge */
async function addReceivedCheck(body: {
  name: string;
  email?: string;
  postalAddress?: string;
  amount: number;
  on?: string;
}) {
  const { on = '2026-05-02', ...facts } = body;
  const response = await call(app, 'recordPledge', {
    params: { orgid, pledgeid: randomUUID() },
    as: tess,
    body: { ...facts, received: { receivedOn: on } },
  });
  return response.json<{ id: string; entryid: string }>();
}

async function refund({ checkoutId, ledgerEntryId }: { checkoutId: string; ledgerEntryId: string }, amount: number) {
  const id = `re_${randomUUID()}`;
  const occurredAt = new Date('2026-04-01T12:00:00Z');
  await inTransaction(db, async (tx) => {
    await tx
      .insertInto('payment_returns')
      .values({
        id,
        entry_id: ledgerEntryId,
        kind: 'refund',
        amount_cents: amount,
        returned_cents: amount,
        status: 'succeeded',
        occurred_at: occurredAt,
      })
      .execute();
    await tx.updateTable('payments').set({ returned_cents: amount }).where('entry_id', '=', ledgerEntryId).execute();
    await postEntry(tx, {
      orgId: orgid,
      kind: 'refund',
      fact: buildFact('refund', id),
      checkoutId,
      amount: -amount,
      carbon: 0,
      currency: 'usd',
      occurredAt,
    });
  });
}

test('gifts with the same account, email, or name and postal address belong to one donor', async () => {
  const email = `ada-${randomUUID()}@example.org`;
  const userId = await addUser(db, { email, display_name: 'Ada' });
  await addDonorGift({ user_id: userId, email: 'another@example.org', display_name: 'Ada A.' });
  await addDonorGift({ email: email.toUpperCase(), display_name: 'Ada Account' });
  await addReceivedCheck({ name: 'Ada Account', email, amount: 100 });
  await addDonorGift({ email: 'bo@example.org', display_name: 'Bo' });
  await addDonorGift({ email: 'BO@example.org ', display_name: 'Bo Bergman' });
  await addReceivedCheck({ name: 'Cy Check', postalAddress: '1 Elm St\nIthaca', amount: 20 });
  await addReceivedCheck({ name: 'cy check', postalAddress: '1  elm st Ithaca', amount: 35 });
  await addReceivedCheck({ name: 'Cy Check', postalAddress: '2 Oak St', amount: 40 });
  const donors = await listDonors({ sort: 'lifetime' });
  expect(donors).toMatchObject([
    { name: 'Ada Account', email, hasAccount: true, gifts: 3, lifetime: 150 },
    { name: 'cy check', email: null, hasAccount: false, gifts: 2, lifetime: 55 },
    { name: 'Bo Bergman', email: 'bo@example.org', hasAccount: false, gifts: 2, lifetime: 50 },
    { name: 'Cy Check', email: null, hasAccount: false, gifts: 1, lifetime: 40 },
  ]);
});

test('an account gets the earlier gifts from its address once the address is verified', async () => {
  const address = `una-${randomUUID()}@example.org`;
  const userId = await addUser(db, { email: address, email_verified: false });
  await addDonorGift({ email: address });
  await addDonorGift({ user_id: userId, email: 'at-work@example.org' });
  expect((await listDonors()).map(({ hasAccount }) => hasAccount)).toEqual([false, false]);
  await db.kysely.updateTable('users').set({ email_verified: true }).where('id', '=', userId).execute();
  await addDonorGift({ user_id: userId, email: 'at-work@example.org' });
  expect(await listDonors({ sort: 'lifetime' })).toMatchObject([
    { hasAccount: true, email: address, gifts: 2, lifetime: 50 },
    { hasAccount: false, email: 'at-work@example.org', gifts: 1 },
  ]);
});

test('the list shows first and last gift and totals for this year and lifetime, excluding returned money', async () => {
  const refundedGift = await addDonorGift({ email: 'dee@example.org', display_name: 'Dee' });
  await refund(refundedGift, 1000);
  await addReceivedCheck({ name: 'Dee', email: 'dee@example.org', amount: 60, on: '2025-12-30' });
  const bouncedCheck = await addReceivedCheck({ name: 'Dee', email: 'dee@example.org', amount: 500, on: '2026-06-01' });
  expect(await listDonors()).toMatchObject([{ gifts: 3, lifetime: 575, lastGiftOn: '2026-06-01' }]);
  const body = { entryid: bouncedCheck.entryid, cause: 'bounced', reason: 'No funds' };
  await call(app, 'reversePledge', { params: { orgid, pledgeid: bouncedCheck.id }, as: tess, body });
  const [dee] = await listDonors();
  expect(dee).toMatchObject({
    gifts: 2,
    firstGiftOn: '2025-12-30',
    lastGiftOn: '2026-03-14',
    thisYear: 15,
    lifetime: 75,
  });
  const record = await readDonor(dee?.id ?? '');
  expect(record.years).toEqual([
    { year: '2026', gifts: 1, amount: 25, returned: 10, pendingReturn: 0 },
    { year: '2025', gifts: 1, amount: 60, returned: 0, pendingReturn: 0 },
  ]);
  expect(await readDonorGifts(dee?.id ?? '')).toMatchObject([
    { kind: 'check', amount: 500, returned: 500 },
    { kind: 'payment', amount: 25, returned: 10, checkoutid: refundedGift.checkoutId },
    { kind: 'check', amount: 60, returned: 0, checkoutid: null },
  ]);
});

test('the list can be searched, sorted, and paged', async () => {
  for (const [name, amount] of [
    ['Zoe Zed', 10],
    ['Abe Allen', 30],
    ['Mo Miller', 20],
  ] as const)
    await addReceivedCheck({ name, email: `${name.split(' ')[0]}@example.org`, amount, on: `2026-05-0${amount / 10}` });
  const listNames = async (query: Record<string, string>) => (await listDonors(query)).map(({ name }) => name);
  expect(await listNames({ sort: 'name' })).toEqual(['Abe Allen', 'Mo Miller', 'Zoe Zed']);
  expect(await listNames({ sort: 'lifetime' })).toEqual(['Abe Allen', 'Mo Miller', 'Zoe Zed']);
  expect(await listNames({})).toEqual(['Abe Allen', 'Mo Miller', 'Zoe Zed']);
  expect(await listNames({ query: 'mill' })).toEqual(['Mo Miller']);
  expect(await listNames({ query: 'zoe@example.org' })).toEqual(['Zoe Zed']);
  for (const sort of ['name', 'lifetime', 'last-gift']) {
    const first = await call(app, 'readDonors', { params: { orgid }, as: tess, query: { sort, max: '2' } });
    const cursorRef = String(first.headers['x-next-cursor']);
    expect(await listNames({ sort, max: '2', cursorRef })).toEqual(['Zoe Zed']);
  }
  const unknownCursorResponse = await call(app, 'readDonors', {
    params: { orgid },
    as: tess,
    query: { cursorRef: 'nobody' },
  });
  expect(readOutcome(unknownCursorResponse)).toEqual([400, 'unknown-cursor']);
  const sums = await call(app, 'sumDonors', { params: { orgid }, as: tess, query: { query: 'mo' } });
  expect(sums.json<DonorSums>()).toEqual({ donors: 1, hasMore: false, lifetime: 20 });
});

test('another organization can’t see the donor, whose totals exclude gifts to other organizations', async () => {
  await addDonorGift({ email: 'eve@example.org' });
  const [eve] = await listDonors();
  const otherOrg = await addOrg(db);
  await addGift(db, otherOrg, { email: 'eve@example.org' });
  const otherTreasurer = await signIn(deps, { editorOf: [otherOrg], role: 'money' });
  const donorid = eve?.id ?? '';
  const params = { orgid: otherOrg, donorid };
  expect(readOutcome(await call(app, 'readDonor', { params, as: otherTreasurer }))).toEqual([404, 'donor-not-found']);
  const statement = await call(app, 'downloadDonorStatement', {
    params: { ...params, year: '2026' },
    as: otherTreasurer,
  });
  expect(readOutcome(statement)).toEqual([404, 'donor-not-found']);
  expect(await readDonor(donorid)).toMatchObject({ gifts: 1, years: [{ amount: 25 }] });
});

test('merged donors count as one until they are separated', async () => {
  await addDonorGift({ email: 'flo@example.org', display_name: 'Flo Full' });
  await addDonorGift({ email: 'flo@work.example.org', display_name: 'Flo F.' });
  await addReceivedCheck({ name: 'F. Full', amount: 40 });
  const donors = await listDonors({ sort: 'name' });
  const findId = (name: string) => donors.find((donor) => donor.name === name)?.id ?? '';
  const [home, work, paper] = [findId('Flo Full'), findId('Flo F.'), findId('F. Full')];
  const merge = (donorid: string, otherid: string, reason = 'The same person') =>
    call(app, 'mergeDonor', { params: { orgid, donorid }, as: tess, body: { otherid, reason } });
  expect(readOutcome(await merge(work, paper))).toEqual([200]);
  expect(readOutcome(await merge(home, work))).toEqual([200]);
  expect(readOutcome(await merge(home, work))).toEqual([409, 'donor-merged']);
  expect(readOutcome(await merge(home, home))).toEqual([409, 'donor-merged']);
  expect(readOutcome(await merge(home, home, ' '))).toEqual([422, 'no-reason']);
  expect(await listDonors()).toMatchObject([{ id: home, name: 'Flo Full', gifts: 3, lifetime: 90 }]);
  // A merged donor's address and id both return the combined donor.
  expect(await listDonors({ query: 'flo@work.example.org' })).toMatchObject([{ id: home }]);
  expect(await readDonor(paper)).toMatchObject({
    id: home,
    mergedDonors: [
      { id: work, email: 'flo@work.example.org' },
      { id: paper, email: null },
    ],
  });
  expect(await readDonorGifts(paper)).toHaveLength(3);
  await addDonorGift({ email: 'flo@work.example.org' });
  expect(await listDonors()).toMatchObject([{ gifts: 4, lifetime: 115 }]);

  const separateRequest = { params: { orgid, donorid: work }, as: tess, body: { reason: 'Her mother' } };
  expect(readOutcome(await call(app, 'separateDonor', separateRequest))).toEqual([200]);
  expect(await listDonors({ sort: 'lifetime' })).toMatchObject([
    { id: home, gifts: 2, lifetime: 65 },
    { id: work, gifts: 2, lifetime: 50 },
  ]);
  const { corrections } = await readDonor(work);
  expect(corrections.map(({ actorName, changes }) => [actorName, changes.map(({ after }) => after)])).toEqual([
    ['Tess Treasurer', ['', 'Her mother']],
    ['Tess Treasurer', ['yes', 'The same person']],
  ]);
});

test('a gift recorded while an account takes over a merged donor’s gifts is counted', async () => {
  const address = `lea-${randomUUID()}@example.org`;
  const userId = await addUser(db);
  await addDonorGift({ user_id: userId, email: null, display_name: 'Lea Account' });
  await addDonorGift({ email: address, display_name: 'Lea Visitor' });
  const { checkoutId } = await addDonorGift({ email: 'hank@example.org', display_name: 'Hank' });
  const donors = await listDonors();
  const findId = (name: string) => donors.find((donor) => donor.name === name)?.id ?? '';
  const mergeRequest = {
    params: { orgid, donorid: findId('Hank') },
    as: tess,
    body: { otherid: findId('Lea Visitor'), reason: 'The same household' },
  };
  expect(readOutcome(await call(app, 'mergeDonor', mergeRequest))).toEqual([200]);
  const [posted, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const recording = inTransaction(db, async (tx) => {
    const entry = { orgId: orgid, checkoutId, kind: 'renewal', fact: `test:${randomUUID()}`, currency: 'usd' } as const;
    await postEntry(tx, { ...entry, amount: 700, carbon: 0, occurredAt: new Date('2026-04-14T09:30:00Z') });
    // Adds the gift to its donor's sums now instead of at the commit.
    await sql`set constraints all immediate`.execute(tx);
    posted.resolve();
    await commit.promise;
  });
  await posted.promise;
  const changing = db.kysely.updateTable('users').set({ email: address }).where('id', '=', userId).execute();
  const countLockWaits = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::int from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`.execute(db.kysely);
    return rows[0]?.count;
  };
  await expect.poll(countLockWaits).toBe(1);
  commit.resolve();
  await Promise.all([recording, changing]);
  expect(await listDonors({ sort: 'lifetime' })).toMatchObject([
    { hasAccount: true, gifts: 2, lifetime: 50 },
    { name: 'Hank', gifts: 2, lifetime: 32 },
  ]);
});

test('a corrected address gets receipts without links, and the old address is notified', async () => {
  const { ledgerEntryId } = await addDonorGift({ email: 'gus@exampel.org', display_name: 'Gus' });
  await db.kysely
    .updateTable('receipts')
    .set({ delivery: 'rejected' })
    .where('ledger_entry_id', '=', ledgerEntryId)
    .execute();
  const [gus] = await listDonors();
  const donorid = gus?.id ?? '';
  const correct = (body: object) => call(app, 'correctDonor', { params: { orgid, donorid }, as: tess, body });
  const correction = { email: 'gus@example.org', postalAddress: '3 Fir St', reason: 'He called' };
  expect(readOutcome(await correct({ ...correction, email: 'gus' }))).toEqual([422, 'invalid-email']);
  expect(readOutcome(await correct({ ...correction, reason: '' }))).toEqual([422, 'no-reason']);
  expect(readOutcome(await correct(correction))).toEqual([200]);
  expect(await readDonor(donorid)).toMatchObject({
    email: 'gus@example.org',
    giftEmail: 'gus@exampel.org',
    postalAddress: '3 Fir St',
    corrections: [
      {
        actorName: 'Tess Treasurer',
        changes: [
          { label: 'Email', before: '', after: 'gus@example.org' },
          { label: 'Postal address', before: '', after: '3 Fir St' },
          { label: 'Reason', before: '', after: 'He called' },
        ],
      },
    ],
  });
  // The receipt that bounced is sent again, and the next one goes to the corrected address.
  await addDonorGift({ email: 'gus@exampel.org' });
  const receipts = await db.kysely
    .selectFrom('receipts')
    .select(['email', 'alternate_email', 'delivery'])
    .where('org_id', '=', orgid)
    .orderBy('number')
    .execute();
  expect(receipts).toEqual([
    { email: 'gus@exampel.org', alternate_email: 'gus@example.org', delivery: 'pending' },
    { email: 'gus@exampel.org', alternate_email: 'gus@example.org', delivery: 'pending' },
  ]);
  const sentEmails: Email[] = [];
  const mailer: Mailer = {
    send: async (email) => {
      sentEmails.push(email);
    },
  };
  for (const payload of jobs.findPayloads(sendCorrectedAddressEmail))
    await sendCorrectedAddressEmail.run({ ...deps, mailer }, payload);
  expect(sentEmails).toMatchObject([{ to: 'gus@exampel.org', text: expect.stringContaining(PARENT.contactEmail) }]);
  expect(sentEmails[0]?.text).not.toContain('gus@example.org');

  expect(readOutcome(await correct({ ...correction, email: 'GUS@exampel.org', reason: 'He called' }))).toEqual([200]);
  const record = await readDonor(donorid);
  expect(record).toMatchObject({ email: 'gus@exampel.org' });
  expect(record.corrections[0]?.changes.at(-1)).toMatchObject({ after: 'He called' });
});

test('gifts belong to the corrected address once its owner confirms', async () => {
  const address = `hope-${randomUUID()}@example.org`;
  const { checkoutId, ledgerEntryId } = await addDonorGift({ email: 'hope@exampel.org', display_name: 'Hope' });
  const donorid = (await listDonors())[0]?.id ?? '';
  const body = { email: address, postalAddress: '', reason: 'Typo' };
  await call(app, 'correctDonor', { params: { orgid, donorid }, as: tess, body });
  expect(jobs.findPayloads(sendGiftsClaimEmail)).toContainEqual({ orgId: orgid, donorId: donorid, email: address });
  const hope = await signIn(deps, { email: address });
  const readGiving = async () =>
    (await call(app, 'readGiving', { params: { userid: hope.userId }, as: hope })).json<Giving>();
  const claim = { donorid, orgid, orgName: 'Ithaca Climate Fund', gifts: 1, lastGiftOn: '2026-03-14' };
  expect(await readGiving()).toMatchObject({ gifts: [], giftClaims: [claim] });
  const answerClaim = (as: SignedInPerson, mine: boolean) =>
    call(app, 'claimGifts', { params: { orgid, donorid }, as, body: { mine } });
  expect(readOutcome(await answerClaim(tess, true))).toEqual([403, 'forbidden']);

  expect(readOutcome(await answerClaim(hope, true))).toEqual([200]);
  expect(await readGiving()).toMatchObject({ gifts: [{ checkoutid: checkoutId }], giftClaims: [] });
  expect(await listDonors()).toMatchObject([{ id: donorid, email: address, hasAccount: true, gifts: 1 }]);
  const receipt = db.kysely.selectFrom('receipts').select(['email', 'alternate_email']);
  expect(await receipt.where('ledger_entry_id', '=', ledgerEntryId).executeTakeFirst()).toEqual({
    email: address,
    alternate_email: null,
  });
  expect(readOutcome(await answerClaim(hope, true))).toEqual([403, 'forbidden']);
});

test('gifts keep their original address if the owner of the corrected address declines', async () => {
  const address = `ira-${randomUUID()}@example.org`;
  await addDonorGift({ email: 'ira@example.org' });
  const donorid = (await listDonors())[0]?.id ?? '';
  const body = { email: address, postalAddress: '', reason: 'Typo' };
  await call(app, 'correctDonor', { params: { orgid, donorid }, as: tess, body });
  const stranger = await signIn(deps, { email: address });
  await call(app, 'claimGifts', { params: { orgid, donorid }, as: stranger, body: { mine: false } });
  expect(await readDonor(donorid)).toMatchObject({ email: 'ira@example.org', hasAccount: false });
  const response = await call(app, 'readGiving', { params: { userid: stranger.userId }, as: stranger });
  expect(response.json<Giving>()).toMatchObject({ gifts: [], giftClaims: [] });
});

test('a gift and its donor link to each other, for cards and checks', async () => {
  const { checkoutId } = await addDonorGift({ email: 'pia@example.org' });
  await addReceivedCheck({ name: 'Quinn', postalAddress: '6 Elm St', amount: 10 });
  const [quinn, pia] = await listDonors({ sort: 'lifetime' }).then((donors) => donors.toReversed());
  expect(await readDonorGifts(pia?.id ?? '')).toMatchObject([{ checkoutid: checkoutId, pledgeid: null }]);
  const [piaRecord, [checkGift]] = [
    await call(app, 'readCheckoutRecord', { params: { orgid, checkoutid: checkoutId }, as: tess }),
    await readDonorGifts(quinn?.id ?? ''),
  ];
  expect(piaRecord.json<CheckoutRecord>().donorid).toBe(pia?.id);
  const checkRequest = { params: { orgid, pledgeid: checkGift?.pledgeid ?? '' }, as: tess };
  expect((await call(app, 'readCheckRecord', checkRequest)).json<CheckRecord>().donorid).toBe(quinn?.id);
});

test('a spreadsheet lists all donors', async () => {
  await addDonorGift({ email: 'ida@example.org', display_name: '=Ida' });
  await addReceivedCheck({ name: 'Joe', postalAddress: '4 Ash St\nIthaca', amount: 10.5 });
  const response = await call(app, 'downloadDonors', { params: { orgid }, as: tess });
  expect(response.headers['content-disposition']).toBe('attachment; filename="donors_2026-06-10.csv"');
  const [heading, ...lines] = response.body.trimEnd().split('\r\n');
  expect(heading).toMatch(/^\ufeffName,Email,Postal address,Account,First gift/);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^'=Ida,ida@example.org,,no,2026-03-14,2026-03-14,1,25.00,0.00,25.00,/);
  expect(lines[1]).toMatch(/^Joe,,"4 Ash St\nIthaca",no,2026-05-02,2026-05-02,1,10.50,0.00,10.50,,,0,/);
});

test('a spreadsheet shows the sum of a donor’s recurring gifts per month', async () => {
  const { checkoutId } = await addDonorGift({ email: 'uma@example.org' });
  const { donor_id } = await db.kysely
    .selectFrom('checkouts')
    .select('donor_id')
    .where('id', '=', checkoutId)
    .executeTakeFirstOrThrow();
  await addRecurringGift(db, orgid, { email: 'uma@example.org', donor_id });
  const { giftkey } = await addRecurringGift(db, orgid, { email: 'uma@example.org', donor_id });
  await db.kysely
    .updateTable('subscriptions')
    .set({ amount_cents: 30_000, interval_unit: 'year' })
    .where('page_key', '=', giftkey)
    .execute();
  const { body } = await call(app, 'downloadDonors', { params: { orgid }, as: tess });
  const [heading, ...lines] = body.trimEnd().split('\r\n');
  expect(heading).toContain(',Recurring gift,Recurring amount per month,');
  expect(lines).toEqual([expect.stringContaining(',Active,35.00,')]);
});

test('the line count of a spreadsheet is correct for more than 10,000 donors', async () => {
  // Tests that recompute all donors would take seconds.
  onTestFinished(async () => void (await db.kysely.deleteFrom('donors').where('org_id', '=', orgid).execute()));
  await sql`
    insert into donors (id, org_id, gifts, amount_cents, first_gift_at, last_gift_at)
    select ${`${orgid}-`} || number, ${orgid}, 1, 2500, now(), now() from generate_series(1, 10002) number`.execute(
    db.kysely,
  );
  const { file } = await exportDonors(deps, { id: orgid, timeZone: 'America/New_York' });
  expect(file.lines).toBe(10_002);
});

test('a yearly statement can be generated for any donor, and for all donors in one file', async () => {
  await addReceivedCheck({ name: 'Kim', postalAddress: '5 Bay St\nIthaca, NY', amount: 10 });
  await addDonorGift({ email: 'lee@example.org', display_name: 'Lee' });
  const donors = await listDonors({ sort: 'name' });
  const downloadStatement = (donorid: string, year: string) =>
    call(app, 'downloadDonorStatement', { params: { orgid, donorid, year }, as: tess });
  const file = await downloadStatement(donors[0]?.id ?? '', '2026');
  expect(file.headers['content-disposition']).toBe('attachment; filename="giving-2026.pdf"');
  expect(readOutcome(await downloadStatement(donors[0]?.id ?? '', '2025'))).toEqual([404, 'receipt-not-found']);
  const downloadStatements = (year: string, query: Record<string, string> = {}) =>
    call(app, 'downloadDonorStatements', { params: { orgid }, as: tess, query: { year, ...query } });
  const countPages = ({ rawPayload }: { rawPayload: Buffer }) =>
    rawPayload.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length;
  expect(countPages(await downloadStatements('2026'))).toBe(2);
  expect(countPages(await downloadStatements('2026', { recipients: 'without-email' }))).toBe(1);
  expect(readOutcome(await downloadStatements('2025'))).toEqual([404, 'no-donors']);
});

test('donor totals count only gifts in the current payment mode', async () => {
  const { log } = createLogSpy();
  await setPaymentMode(db, false, log);
  await addDonorGift({ email: 'mia@example.org' });
  expect(await listDonors()).toHaveLength(1);
  await setPaymentMode(db, true, log);
  expect(await listDonors()).toEqual([]);
  await setPaymentMode(db, false, log);
  expect(await listDonors()).toMatchObject([{ gifts: 1, lifetime: 25 }]);
});

test('a donor whose only checkout is deleted loses name, address, and notes', async () => {
  const { checkoutId } = await addDonorGift({ email: 'nan@example.org', display_name: 'Nan' });
  const donorid = (await listDonors())[0]?.id ?? '';
  const params = { orgid, noteid: randomUUID() };
  await call(app, 'addTeamNote', { params, as: tess, body: { subjectid: donorid, text: 'Nan likes trains' } });
  await db.kysely
    .updateTable('checkouts')
    .set({ payer_erased_at: new Date(), email: null, display_name: null })
    .where('id', '=', checkoutId)
    .execute();
  expect(await readDonor(donorid)).toMatchObject({ name: null, email: null, notes: [], gifts: 1, lifetime: 25 });
});
