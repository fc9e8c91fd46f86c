// @spec 2.editor decisions.4
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Activity } from '#contract/schemas/activity.ts';
import type { ResponseBody } from '#contract/schemas.ts';
import { ACTIVITY_NAMES, ACTIVITY_SUBJECTS, activitySentence, getSubjectKinds } from '#domain/activity.ts';
import { addDays, dayOf } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import type { GrantField } from '#domain/grant.ts';
import { ROLES, type Role, roleCan, VISITOR } from '#domain/permissions.ts';
import { runAsAuthor } from '#server/db/author.ts';
import { newId } from '#server/db/new-id.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { OFFSETTER_COLUMNS } from '#server/entities/profile-fields.ts';
import { recordExport, sweepActivity } from '#server/features/activity/record-activity.ts';
import { sweepSessions } from '#server/features/sessions/session-lifecycle.ts';
import { logOutUser } from '#server/features/users/admins.ts';
import { deleteUser } from '#server/features/users/delete-user.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addGrant, createGrantBody } from '#test/support/builders/grant.ts';
import { addInvitation } from '#test/support/builders/invitation.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { addOffsetter, addStory } from '#test/support/builders/story.ts';
import { addTribute } from '#test/support/builders/tribute.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestClock, DAY } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const deps = await createTestDeps(db);
const app = await buildTestApp(deps);

async function createFund() {
  const orgId = await addOrg(db);
  const edith = await signIn(deps);
  await addEditor(db, orgId, edith.userId);
  return { orgId, edith };
}

async function readActivity(orgId: string, as: SignedInPerson): Promise<Activity[]> {
  return (await call(app, 'readActivity', { params: { orgid: orgId }, query: { max: '50' }, as })).json<Activity[]>();
}

// @asvs 16.2.1
test('an entry records who made a change, when, from where, and the old value', async () => {
  const { orgId, edith } = await createFund();
  const response = await call(app, 'editOrg', { params: { orgid: orgId }, body: { name: 'New name' }, as: edith });
  expect(response.statusCode).toBe(200);
  const [latest] = await readActivity(orgId, edith);
  expect(latest).toMatchObject({
    name: 'settings.changed',
    actorKind: 'person',
    ipAddress: '127.0.0.1',
    changes: [{ label: 'Name', after: 'New name' }],
  });
  expect(latest?.changes[0]?.before).not.toBe('');
});

test('changing several settings at once adds one activity entry', async () => {
  const { orgId, edith } = await createFund();
  const earlierEntries = await readActivity(orgId, edith);
  const body = { name: 'New name', takesApplications: false };
  expect((await call(app, 'editOrg', { params: { orgid: orgId }, body, as: edith })).statusCode).toBe(200);
  const entries = await readActivity(orgId, edith);
  expect(entries).toHaveLength(earlierEntries.length + 1);
  expect(entries[0]?.name).toBe('settings.changed');
  expect(entries[0]?.changes).toHaveLength(2);
  expect(entries[0]?.objectName).toBe('Name, Takes applications');
});

test('an entry about a cell uses the editors’ title, and only a real reset counts as one', async () => {
  const { orgId, edith } = await createFund();
  const intro = { orgid: orgId, page: 'offsetters', name: 'intro' };
  for (const [name, markdown] of Object.entries({ intro: 'Neighbors who give.', 'intro.es': 'Vecinos que donan.' })) {
    const params = { ...intro, name };
    const { markdown: basedOn } = (await call(app, 'readCell', { params })).json<ResponseBody<'readCell'>>();
    expect((await call(app, 'saveCell', { params, body: { markdown, basedOn }, as: edith })).statusCode).toBe(200);
  }
  const resetChange = { label: 'Reset to default', before: '', after: 'yes' };
  const textChange = (after: string) => ({ label: 'Text', before: '', after });
  const readTextChanges = async () =>
    (await readActivity(orgId, edith)).filter(({ name }) => name === 'text.added').map(({ changes }) => changes);
  const initialChanges = [
    [textChange('Introduction of Offsetters in Spanish')],
    [textChange('Introduction of Offsetters')],
  ];
  expect((await readActivity(orgId, edith))[0]?.objectName).toBe('Offsetters: Introduction in Spanish');
  expect(await readTextChanges()).toEqual(initialChanges);
  const textEntries = db.kysely
    .selectFrom('activities')
    .select('id')
    .where('org_id', '=', orgId)
    .where('kind', '=', 'text');
  expect(await textEntries.execute()).toHaveLength(initialChanges.length);
  expect((await call(app, 'resetCell', { params: intro, as: edith })).statusCode).toBe(200);
  expect(await readTextChanges()).toEqual([[textChange('Introduction of Offsetters'), resetChange], ...initialChanges]);
});

test('the entry for an accepted invitation names the person who accepted it', async () => {
  const { orgId, edith } = await createFund();
  const nora = await signIn(deps, { name: 'Nora' });
  await runAsAuthor({ userId: undefined, ipAddress: '127.0.0.1' }, () =>
    inTransaction(db, (tx) =>
      tx.insertInto('org_editors').values({ org_id: orgId, user_id: nora.userId, display_name: 'Nora' }).execute(),
    ),
  );
  const [acceptance] = await readActivity(orgId, edith);
  expect(acceptance).toMatchObject({
    name: 'role.added',
    actorKind: 'person',
    actorName: 'Nora',
    affectedPerson: 'Nora',
  });
});

test('the entry for an accepted invitation names the user instead of a visitor, the email address, and the role', async () => {
  const { orgId, edith } = await createFund();
  await addInvitation(db, orgId, { email: 'nora.new@example.org' });
  const nora = await signIn(deps, { name: 'Nora' });
  await runAsAuthor({ userId: undefined, ipAddress: '127.0.0.1' }, () =>
    inTransaction(db, async (tx) => {
      await tx.deleteFrom('invitations').where('org_id', '=', orgId).execute();
      await tx
        .insertInto('org_editors')
        .values({ org_id: orgId, user_id: nora.userId, display_name: 'Nora' })
        .execute();
    }),
  );
  expect((await readActivity(orgId, edith)).find(({ name }) => name.startsWith('invitation.'))).toMatchObject({
    name: 'invitation.done',
    actorName: 'Nora',
    objectName: 'nora.new@example.org, Editor',
  });
});

test('a deleted story’s entry still names it', async () => {
  const { orgId, edith } = await createFund();
  const id = await addStory(db, 'awardees', orgId, { name: 'The Okafor family' });
  await db.kysely.deleteFrom('awardees').where('id', '=', id).execute();
  const [entry] = await readActivity(orgId, edith);
  expect(entry).toMatchObject({ name: 'awardee.removed', objectName: 'The Okafor family', affectedPerson: null });
});

test('a changed tag has one entry, with the old and the new tag', async () => {
  const { orgId, edith } = await createFund();
  const edit = { params: { orgid: orgId }, body: { tag: 'Warm homes' }, as: edith };
  expect((await call(app, 'editOrg', edit)).statusCode).toBe(200);
  const entries = await readActivity(orgId, edith);
  expect(entries.filter(({ name }) => name === 'text.added')).toEqual([]);
  expect(entries[0]).toMatchObject({ name: 'settings.changed', objectName: 'Tagline' });
});

test('dates use the organization’s time zone and the page’s language', async () => {
  const { orgId, edith } = await createFund();
  await db.kysely.updateTable('orgs').set({ time_zone: 'Pacific/Honolulu' }).where('id', '=', orgId).execute();
  await addStory(db, 'installers', orgId, { consented_at: new Date('2026-01-02T05:00:00Z') });
  const [latest] = await readActivity(orgId, edith);
  expect(latest?.changes).toContainEqual({ label: 'Consent given', before: '', after: 'January 1, 2026' });
  const request = { params: { orgid: orgId }, query: { max: '1' }, as: edith, language: 'es' };
  const [spanish] = (await call(app, 'readActivity', request)).json<Activity[]>();
  expect(spanish?.changes).toContainEqual({ label: 'Consentimiento dado', before: '', after: '1 de enero de 2026' });
});

test('a grant, check, or correction entry names its subject and shows values in words', async () => {
  const { orgId, edith } = await createFund();
  await addGrant(db, orgId, { awardeeId: await addStory(db, 'awardees', orgId, { name: 'The Okafor family' }) });
  const pledgeId = await addPledge(db, orgId, { name: 'Dora Donor' });
  const withdrawal = { params: { orgid: orgId, pledgeid: pledgeId }, body: { withdrawn: true }, as: edith };
  expect((await call(app, 'withdrawPledge', withdrawal)).statusCode).toBe(200);
  const statsDelta = { co2: 0.5, gas: -1200, funds: 0, grants: 0 };
  expect((await call(app, 'editOrg', { params: { orgid: orgId }, body: { statsDelta }, as: edith })).statusCode).toBe(
    200,
  );
  const [correction, check, , grant] = await readActivity(orgId, edith);
  expect(correction?.changes).toEqual([
    { label: 'Carbon correction', before: '0 lb', after: '0.5000 lb' },
    { label: 'Gas correction', before: '0 gallons', after: '-1,200 gallons' },
  ]);
  expect(check).toMatchObject({ name: 'check.changed', affectedPerson: 'Dora Donor' });
  expect(check?.changes).toEqual([{ label: 'Status', before: 'pledged', after: 'canceled' }]);
  expect(grant).toMatchObject({ name: 'grant.added', affectedPerson: 'The Okafor family' });
  expect(grant?.changes.map(({ label, after }) => `${label}: ${after}`)).toEqual([
    'Amount: $1,500.00',
    'Other public funding: $0.00',
    'Expected savings per year: 1,404 lb',
    'Years: 20',
    'How savings were estimated: a standard value for every home',
    'Applied on: February 1, 2026',
  ]);
  const request = { params: { orgid: orgId }, query: { max: '2' }, as: edith, language: 'es' };
  const [, spanish] = (await call(app, 'readActivity', request)).json<Activity[]>();
  expect(spanish?.changes).toEqual([{ label: 'Estado', before: 'prometido', after: 'cancelado' }]);
});

test('recording a check that already arrived adds one activity entry', async () => {
  const { orgId, edith } = await createFund();
  const received = { receivedOn: '2026-03-02', checkNumber: '1021' };
  const body = { name: 'Dora Donor', email: '', amount: 40, received };
  const request = { params: { orgid: orgId, pledgeid: newId() }, body, as: edith };
  expect(readOutcome(await call(app, 'recordPledge', request))).toEqual([200]);
  const entries = (await readActivity(orgId, edith)).filter(({ name }) => name.startsWith('check.'));
  expect(entries).toMatchObject([{ name: 'check.added', affectedPerson: 'Dora Donor' }]);
  expect(entries[0]?.changes).toContainEqual({ label: 'Check number', before: '', after: '1021' });
});

test('activity can be filtered by person, subject, and day, and by organization for admins', async () => {
  const { orgId, edith } = await createFund();
  const nora = await signIn(deps, { name: 'Nora Nimble', editorOf: [orgId] });
  const changeName = (name: string, as: SignedInPerson) =>
    call(app, 'editOrg', { params: { orgid: orgId }, body: { name }, as });
  await changeName('First name', edith);
  await changeName('Second name', nora);
  const intro = { orgid: orgId, page: 'offsetters', name: 'intro' };
  const { markdown: basedOn } = (await call(app, 'readCell', { params: intro })).json<ResponseBody<'readCell'>>();
  await call(app, 'saveCell', { params: intro, body: { markdown: 'Neighbors.', basedOn }, as: nora });
  const readFilteredValues = async (query: Readonly<Record<string, string>>) => {
    const response = await call(app, 'readActivity', { params: { orgid: orgId }, query, as: edith });
    return response.json<Activity[]>().flatMap(({ changes }) => changes.map(({ after }) => after));
  };
  expect(await readFilteredValues({ subject: 'settings', person: 'nimble' })).toEqual(['Second name']);
  expect(await readFilteredValues({ subject: 'pages' })).toEqual(['Introduction of Offsetters']);
  expect(await readFilteredValues({ subject: 'settings', person: nora.email.toUpperCase() })).toEqual(['Second name']);
  // Part of an email address matches nothing.
  expect(await readFilteredValues({ person: nora.email.slice(0, 8) })).toEqual([]);
  const [latest] = await readActivity(orgId, edith);
  const today = dayOf(new Date(latest?.timestamp ?? ''), 'America/New_York');
  expect(await readFilteredValues({ subject: 'settings', from: today, to: today })).toContain('Second name');
  expect(await readFilteredValues({ to: addDays(today, -1) })).toEqual([]);
  expect(await readFilteredValues({ from: addDays(today, 1) })).toEqual([]);

  const admin = await signIn(deps, { admin: true });
  const query = { orgid: orgId, subject: 'settings', timeZone: 'America/New_York', from: today, max: '50' };
  const response = await call(app, 'readAllActivity', { params: {}, query, as: admin });
  const allActivity = response.json<Activity[]>();
  expect(new Set(allActivity.map(({ orgName }) => orgName))).toEqual(new Set(['Second name']));
  expect(
    readOutcome(await call(app, 'readAllActivity', { params: {}, query: { timeZone: 'Mars' }, as: admin })),
  ).toEqual([400, 'invalid-input']);
});

test('every kind of activity belongs to one filter', () => {
  const kinds = new Set(ACTIVITY_NAMES.flatMap((name) => (name === 'unknown' ? [] : [name.split('.')[0] ?? ''])));
  const filteredKinds = ACTIVITY_SUBJECTS.flatMap(getSubjectKinds);
  expect(filteredKinds.toSorted()).toEqual([...kinds].toSorted());
});

test('fields that a household agreed to show are recorded, including each change', async () => {
  const { orgId, edith } = await createFund();
  const body = createGrantBody(await addStory(db, 'awardees', orgId));
  const params = { orgid: orgId, grantid: newId() };
  const publish = async (publicFields: GrantField[]) => {
    const response = await call(app, 'saveGrant', { params, body: { ...body, publicFields }, as: edith });
    expect(response.statusCode).toBe(200);
  };
  await publish(['amount', 'dates']);
  await publish(['amount']);
  await publish([]);
  const label = 'Agreed to show';
  const entries = await readActivity(orgId, edith);
  expect(entries.slice(0, 3).map(({ changes }) => changes.filter((change) => change.label === label))).toEqual([
    [{ label, before: 'amount', after: '' }],
    [{ label, before: 'amount, dates', after: 'amount' }],
    [{ label, before: '', after: 'amount, dates' }],
  ]);
});

test('every part of a story that its owner can change is recorded', async () => {
  const { rows } = await sql<{ columns: string }>`
    select encode(tgargs, 'escape') as columns from pg_trigger
    where tgrelid = 'offsetters'::regclass and tgname like 'offsetters\_record\_%'`.execute(db.kysely);
  const recordedColumns = rows.flatMap(({ columns }) => columns.split('\\000').slice(3));
  // The owner doesn't choose the language. It is the language of the page where the story was edited.
  const notChosen = ['id', 'created_at', 'language'];
  expect(recordedColumns).toEqual(
    expect.arrayContaining(OFFSETTER_COLUMNS.filter((column) => !notChosen.includes(column))),
  );
});

test('only editors see the donor of a refund or recurring gift, until the donor is erased', async () => {
  const { orgId, edith } = await createFund();
  const { checkoutId, ledgerEntryId } = await addGift(db, orgId);
  const refund = { id: `re_${ledgerEntryId}`, entry_id: ledgerEntryId, kind: 'refund', status: 'pending' } as const;
  const row = { ...refund, amount_cents: 500, reason: null, occurred_at: new Date() };
  await runAsAuthor({ userId: edith.userId, ipAddress: '127.0.0.1' }, () =>
    inTransaction(db, (tx) => tx.insertInto('payment_returns').values(row).execute()),
  );
  const readReturnEntry = async () => (await readActivity(orgId, edith)).find(({ name }) => name === 'return.added');
  expect(await readReturnEntry()).toMatchObject({ affectedPerson: 'Paula Payer', actorName: 'Uma User' });
  const ownActivity = await call(app, 'readOwnActivity', {
    params: { userid: edith.userId },
    query: { max: '50' },
    as: edith,
  });
  const admin = await signIn(deps, { admin: true });
  const allActivity = await call(app, 'readAllActivity', { params: {}, query: { max: '50' }, as: admin });
  for (const { body } of [ownActivity, allActivity]) expect(body).not.toContain('Paula Payer');
  await db.kysely.updateTable('checkouts').set({ display_name: null }).where('id', '=', checkoutId).execute();
  expect(await readReturnEntry()).toMatchObject({ affectedPerson: null });
});

test('a download is recorded only if it’s sent', async () => {
  const me = await signIn(deps);
  const actor = (await deps.identity.findActor(me.token)) ?? VISITOR;
  const selectExportEntries = () =>
    db.kysely.selectFrom('activities').select('kind').where('actor_id', '=', me.userId).where('kind', '=', 'export');
  const failure = new Failure('user-not-found');
  expect(await recordExport(db, { actor, request: { ip: '203.0.113.7' } }, failure)).toBe(failure);
  expect(await selectExportEntries().execute()).toEqual([]);
  await call(app, 'downloadUser', { params: { userid: me.userId }, as: me });
  expect(await selectExportEntries().execute()).toHaveLength(1);
});

test('changes synced from the provider aren’t attributed to the user whose request triggered the sync', async () => {
  const { orgId, edith } = await createFund();
  const actorIds: (string | null)[] = [];
  const readSession = async () => {
    const { rows } = await inTransaction(db, (tx) =>
      sql<{ who: string | null }>`select current_setting('fund.actor', true) as who`.execute(tx),
    );
    actorIds.push(...rows.map(({ who }) => who || null));
    return 'unknown' as const;
  };
  const closeSession = async () => 'closed' as const;
  const appWithProvider = await buildTestApp({ ...deps, payments: { ...deps.payments, readSession, closeSession } });
  const params = { orgid: orgId, checkoutid: await addCheckout(db, orgId, { provider_session_id: 'cs_1' }) };
  await call(appWithProvider, 'readCheckout', { params, as: edith });
  await call(appWithProvider, 'deleteCheckout', { params, as: edith });
  expect(actorIds).toEqual([null, expect.stringContaining(edith.userId)]);
});

// @asvs 16.4.2
test('no one, not even the program, can change the audit trail', async () => {
  await createFund();
  for (const statement of ['delete from activities', "update activities set kind = 'role'", 'truncate activities'])
    await expect(sql.raw(statement).execute(db.kysely)).rejects.toThrow('The activity log is append-only.');
});

test('a removed role stays recorded after both accounts are deleted, without their addresses', async () => {
  const { orgId, edith } = await createFund();
  const [otherUser, reader] = [await signIn(deps), await signIn(deps)];
  await addEditor(db, orgId, reader.userId);
  await call(app, 'addEditor', { params: { orgid: orgId }, body: { email: otherUser.email }, as: edith });
  // Stepping down takes effect immediately.
  await call(app, 'removeEditor', { params: { orgid: orgId, userid: otherUser.userId }, as: otherUser });
  for (const person of [otherUser, edith]) expect(await deleteUser(deps, person.userId)).toBeUndefined();
  const roleEntries = (await readActivity(orgId, reader)).filter(
    ({ name, actorKind }) => name.startsWith('role.') && actorKind === 'former',
  );
  expect(roleEntries.map(({ name }) => name)).toEqual(expect.arrayContaining(['role.added', 'role.removed']));
  for (const { ipAddress, affectedPerson } of roleEntries) expect([ipAddress, affectedPerson]).toEqual([null, null]);
});

test('a role change names both roles', async () => {
  const { orgId, edith } = await createFund();
  const nora = await signIn(deps, { name: 'Nora', editorOf: [orgId], role: 'texts' });
  const olga = await signIn(deps, { name: 'Olga', editorOf: [orgId] });
  const changeRole = (userId: string, role: Role) =>
    call(app, 'changeEditor', { params: { orgid: orgId, userid: userId }, body: { role }, as: edith });
  await changeRole(nora.userId, 'money');
  const [roleChange] = await readActivity(orgId, edith);
  expect(roleChange).toMatchObject({
    name: 'role.changed',
    actorKind: 'person',
    affectedPerson: 'Nora',
    changes: [{ label: 'Role', before: 'Page editor', after: 'Treasurer' }],
  });
  await changeRole(olga.userId, 'reader');
  const [demotion] = await readActivity(orgId, edith);
  expect(demotion).toMatchObject({ name: 'role.changed', affectedPerson: 'Olga', actorName: 'Uma User' });
  expect(demotion?.changes).toEqual([{ label: 'Role', before: 'Editor', after: 'Viewer' }]);
});

test('reading donor details in bulk is recorded once a day and limited', async () => {
  const clock = createTestClock();
  const { orgId, edith } = await createFund();
  const depsWithClock = await createTestDeps(db, { now: clock.now });
  const readerApp = await buildTestApp(depsWithClock);
  let reader = await signIn(depsWithClock, { editorOf: [orgId], role: 'reader' });
  for (let count = 0; count < 50; count += 1) await addCheckout(db, orgId);
  await addPledge(db, orgId);
  const readCheckouts = async () =>
    readOutcome(await call(readerApp, 'searchCheckouts', { params: { orgid: orgId }, body: { max: 50 }, as: reader }));
  const readBulkEntries = async () => (await readActivity(orgId, edith)).filter(({ name }) => name === 'donors.done');
  for (let page = 0; page < 10; page += 1) expect(await readCheckouts()).toEqual([200]);
  expect(await readBulkEntries()).toEqual([]);
  const checkSearch = { params: { orgid: orgId }, body: { kind: 'check' }, as: reader } as const;
  expect(readOutcome(await call(readerApp, 'searchCheckouts', checkSearch))).toEqual([200]);
  expect(await readBulkEntries()).toMatchObject([{ actorName: 'Uma User', ipAddress: '127.0.0.1' }]);
  await db.kysely.updateTable('rate_limits').set({ count: 10_000 }).where('count', '>', 500).execute();
  expect(await readCheckouts()).toEqual([429, 'too-many-requests']);
  clock.advance(DAY);
  reader = await signIn(depsWithClock, { userId: reader.userId });
  for (let page = 0; page < 11; page += 1) expect(await readCheckouts()).toEqual([200]);
  expect(await readBulkEntries()).toHaveLength(2);
});

test('a narrower role sees only entries for its own pages, without network addresses', async () => {
  const { orgId, edith } = await createFund();
  await addInvitation(db, orgId);
  await call(app, 'editOrg', { params: { orgid: orgId }, body: { name: 'Secret plan' }, as: edith });
  const story = { orgid: orgId, offsetterid: await addOffsetter(db, orgId, { status: 'draft' }) };
  await call(app, 'setOffsetterStatus', { params: story, body: { status: 'hidden' }, as: edith });
  const pledgeId = await addPledge(db, orgId);
  const withdrawal = { params: { orgid: orgId, pledgeid: pledgeId }, body: { withdrawn: true }, as: edith };
  expect((await call(app, 'withdrawPledge', withdrawal)).statusCode).toBe(200);
  expect((await readActivity(orgId, edith))[0]).toMatchObject({ name: 'check.changed', ipAddress: '127.0.0.1' });
  for (const role of ROLES.filter((candidate) => candidate !== 'editor' && roleCan(candidate, 'activity.read'))) {
    const readerActivity = await readActivity(orgId, await signIn(deps, { editorOf: [orgId], role }));
    expect(new Set(readerActivity.map(({ name }) => name))).toEqual(new Set(['check.added', 'check.changed']));
    expect(readerActivity[0]).toMatchObject({ name: 'check.changed', actorName: 'Uma User', ipAddress: null });
  }
});

// @asvs 16.3.1
test('users read their own activity with failed logins, and admins read all', async () => {
  const { edith } = await createFund();
  const body = { email: edith.email, password: 'not the password' };
  await call(app, 'signInWithPassword', { params: {}, body });
  const params = { userid: edith.userId };
  const ownActivity = (await call(app, 'readOwnActivity', { params, as: edith })).json<Activity[]>();
  expect(ownActivity[0]).toMatchObject({ name: 'login-failed.done', actorKind: 'visitor' });
  const admin = await signIn(deps, { admin: true });
  const allActivity = (await call(app, 'readAllActivity', { params: {}, as: admin })).json<Activity[]>();
  expect(allActivity[0]).toMatchObject({ name: 'login.added', actorName: expect.any(String) });
  expect(allActivity).toContainEqual(expect.objectContaining({ name: 'login-failed.done', ipAddress: '127.0.0.1' }));
});

test('users see their own actions and actions on their account, and nothing else', async () => {
  const { orgId, edith } = await createFund();
  const owner = await signIn(deps, { name: 'Olga Owner' });
  const readOwnActivity = async (me: SignedInPerson) => {
    const response = await call(app, 'readOwnActivity', {
      params: { userid: me.userId },
      query: { max: '50' },
      as: me,
    });
    return { items: response.json<Activity[]>(), body: response.body };
  };
  const offsetterId = await addOffsetter(db, orgId, { user_id: owner.userId, name: 'Olga Owner' });
  const params = { orgid: orgId, offsetterid: offsetterId };
  expect((await call(app, 'setOffsetterStatus', { params, body: { status: 'hidden' }, as: edith })).statusCode).toBe(
    200,
  );
  const addRequest = { params: { orgid: orgId }, body: { email: owner.email, role: 'money' }, as: edith };
  expect((await call(app, 'addEditor', addRequest as never)).statusCode).toBe(200);
  const ownerActivity = await readOwnActivity(owner);
  expect(ownerActivity.items).toContainEqual(
    expect.objectContaining({
      name: 'offsetter.changed',
      actorKind: 'person',
      actorName: null,
      ipAddress: null,
      changes: expect.arrayContaining([expect.objectContaining({ label: 'Status', after: 'hidden' })]),
    }),
  );
  expect(ownerActivity.items).toContainEqual(
    expect.objectContaining({ name: 'role.added', actorKind: 'person', actorName: null }),
  );
  expect(ownerActivity.body).not.toContain(edith.email);
  const editorActivity = await readOwnActivity(edith);
  expect(editorActivity.items).toContainEqual(
    expect.objectContaining({
      name: 'offsetter.changed',
      actorKind: 'you',
      ipAddress: '127.0.0.1',
      changes: [],
      affectedPerson: null,
    }),
  );
  expect(editorActivity.body).not.toContain(owner.email);
  expect(editorActivity.body).not.toContain('Olga');
});

test('ended sessions are recorded with the actor, except for expired sessions and deleted accounts', async () => {
  const [currentLogin, departingUser, expiredLogin] = [await signIn(deps), await signIn(deps), await signIn(deps)];
  const readLogoutEntries = async (userId: string) => {
    const rows = db.kysely.selectFrom('activities').select(['kind', 'verb', 'is_automated', 'actor_id', 'ip_address']);
    return rows.where('affected_user_id', '=', userId).where('verb', '=', 'removed').execute();
  };
  const logoutEntry = {
    kind: 'login',
    verb: 'removed',
    is_automated: false,
    actor_id: currentLogin.userId,
    ip_address: '127.0.0.1',
  };
  const addLogin = () => signIn(deps, { userId: currentLogin.userId });
  const otherLogin = await addLogin();
  await call(app, 'endSession', { params: { sessionid: otherLogin.sessionId }, as: currentLogin });
  expect(await readLogoutEntries(currentLogin.userId)).toEqual([logoutEntry]);
  await call(app, 'signOut', { params: {}, as: await addLogin() });
  expect(await readLogoutEntries(currentLogin.userId)).toEqual([logoutEntry, logoutEntry]);
  await addLogin();
  await call(app, 'signOutEverywhere', { params: {}, as: currentLogin });
  expect(await readLogoutEntries(currentLogin.userId)).toEqual([logoutEntry, logoutEntry, logoutEntry, logoutEntry]);
  await addLogin();
  await logOutUser(db, currentLogin.email);
  const commandEntry = { ...logoutEntry, is_automated: true, actor_id: null, ip_address: null };
  expect((await readLogoutEntries(currentLogin.userId)).at(-1)).toEqual(commandEntry);
  const expiration = { expires_at: new Date(Date.now() - 60_000) };
  await db.kysely.updateTable('sessions').set(expiration).where('id', '=', expiredLogin.sessionId).execute();
  await sweepSessions({ db, now: () => new Date() });
  expect(await readLogoutEntries(expiredLogin.userId)).toEqual([]);
  expect(await deleteUser(deps, departingUser.userId)).toBeUndefined();
  const rows = db.kysely
    .selectFrom('activities')
    .select('id')
    .where('kind', '=', 'login')
    .where('verb', '=', 'removed');
  expect(await rows.where('affected_user_id', 'like', 'former-%').execute()).toEqual([]);
});

test('a receipt or card emailed to another address is recorded until that address is erased', async () => {
  const { orgId, edith } = await createFund();
  const { checkoutId, ledgerEntryId } = await addGift(db, orgId, { email: 'dora@example.org' });
  await addTribute(db, {
    checkout_id: checkoutId,
    org_id: orgId,
    kind: 'honor',
    name: 'Ada',
    card_email: 'grace@example.org',
    card_name: 'Grace',
    card_message: 'Hello',
    card_signature: 'Dora',
    card_status: 'sent',
    card_status_at: new Date('2026-03-14'),
  });
  const reader = await signIn(deps, { editorOf: [orgId], role: 'reader' });
  const body = { email: 'right@example.org' };
  await call(app, 'sendReceiptTo', { params: { orgid: orgId, entryid: ledgerEntryId }, body, as: edith });
  await call(app, 'sendCardTo', { params: { orgid: orgId, checkoutid: checkoutId }, body, as: edith });
  const readEmailEntries = async (as: SignedInPerson) =>
    (await readActivity(orgId, as)).filter(({ name }) => name === 'receipt.changed' || name === 'card.changed');
  const emailChange = (before = '') => [{ label: 'Email', before, after: 'right@example.org' }];
  const expectedEntries = [
    { name: 'card.changed', actorKind: 'person', actorName: 'Uma User', changes: emailChange('grace@example.org') },
    { name: 'receipt.changed', actorKind: 'person', actorName: 'Uma User', changes: emailChange() },
  ];
  expect(await readEmailEntries(edith)).toMatchObject(expectedEntries);
  expect(await readEmailEntries(reader)).toMatchObject(expectedEntries);
  const ownRequest = { params: { userid: edith.userId }, query: { max: '50' }, as: edith };
  const ownActivity = (await call(app, 'readOwnActivity', ownRequest)).json<Activity[]>();
  expect(ownActivity.find(({ name }) => name === 'card.changed')).toMatchObject({ actorKind: 'you', changes: [] });
  const readRecordedChanges = async () => (await readEmailEntries(edith)).flatMap(({ changes }) => changes);
  const recipient = await signIn(deps, { email: 'right@example.org' });
  expect(await deleteUser(deps, recipient.userId)).toBeUndefined();
  expect(await readRecordedChanges()).toEqual([]);
});

test('receipt and yearly statement downloads are recorded', async () => {
  const { orgId, edith } = await createFund();
  const dora = await signIn(deps);
  const { ledgerEntryId } = await addGift(db, orgId, { user_id: dora.userId, email: dora.email });
  const response = await call(app, 'downloadReceipt', { params: { orgid: orgId, entryid: ledgerEntryId }, as: edith });
  expect(response.statusCode).toBe(200);
  const [latest] = await readActivity(orgId, edith);
  expect(latest).toMatchObject({ name: 'export.done', actorKind: 'person', ipAddress: '127.0.0.1' });
  expect(latest?.changes[0]?.after).toMatch(/^receipt-\d+\.pdf$/);
  const params = { userid: dora.userId };
  const { years } = (await call(app, 'readGiving', { params, as: dora })).json<ResponseBody<'readGiving'>>();
  const year = years[0]?.year ?? '';
  expect((await call(app, 'downloadStatement', { params: { ...params, year }, as: dora })).statusCode).toBe(200);
  const ownActivity = (await call(app, 'readOwnActivity', { params, as: dora })).json<Activity[]>();
  expect(ownActivity[0]).toMatchObject({
    name: 'export.done',
    actorKind: 'you',
    changes: [{ label: 'File', after: `giving-${year}.pdf` }],
  });
});

test('entries from newer versions are shown as unknown', async () => {
  const { orgId, edith } = await createFund();
  const unknownEntry = {
    kind: 'teleport',
    verb: 'done' as const,
    is_automated: false,
    actor_id: edith.userId,
    ip_address: '127.0.0.1',
  };
  const newColumn = JSON.stringify({ destination: 'Mars' });
  await db.kysely
    .insertInto('activities')
    .values({ ...unknownEntry, org_id: orgId, after: newColumn })
    .execute();
  const admin = await signIn(deps, { admin: true });
  const allActivity = (await call(app, 'readAllActivity', { params: {}, as: admin })).json<Activity[]>();
  expect(allActivity).toContainEqual(expect.objectContaining({ name: 'unknown', actorName: 'Uma User', changes: [] }));
  expect((await readActivity(orgId, edith))[0]).toMatchObject({ name: 'unknown', actorKind: 'person' });
  const ownActivity = await call(app, 'readOwnActivity', { params: { userid: edith.userId }, as: edith });
  expect(ownActivity.json<Activity[]>()[0]).toMatchObject({ name: 'unknown', actorKind: 'you' });
});

test('activity is paged in order, and an unknown cursor is rejected', async () => {
  const { orgId, edith } = await createFund();
  for (const name of ['One', 'Two', 'Three'])
    await call(app, 'editOrg', { params: { orgid: orgId }, body: { name }, as: edith });
  const readPage = async (cursorRef?: string) =>
    call(app, 'readActivity', {
      params: { orgid: orgId },
      query: { max: '2', ...(cursorRef ? { cursorRef } : {}) },
      as: edith,
    });
  const first = await readPage();
  const second = await readPage(String(first.headers['x-next-cursor']));
  const names = [...first.json<Activity[]>(), ...second.json<Activity[]>()].map(({ changes }) => changes[0]?.after);
  expect(names.slice(0, 3)).toEqual(['Three', 'Two', 'One']);
  expect((await readPage('nowhere')).json()).toMatchObject({ code: 'unknown-cursor' });
});

// @asvs 14.2.4
test('network addresses are deleted after 90 days', async () => {
  const { orgId, edith } = await createFund();
  await call(app, 'editOrg', { params: { orgid: orgId }, body: { name: 'Again' }, as: edith });
  await sweepActivity(db, new Date(Date.now() + 89 * 86_400_000));
  expect((await readActivity(orgId, edith))[0]?.ipAddress).toBe('127.0.0.1');
  await sweepActivity(db, new Date(Date.now() + 91 * 86_400_000));
  expect((await readActivity(orgId, edith))[0]).toMatchObject({ ipAddress: null, actorKind: 'person' });
});

test('every recorded change has a sentence in each language', async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct encode(tgargs, 'escape') as name from pg_trigger
    where tgname like '%\_record\_activity'`.execute(db.kysely);
  const kinds = rows.map(({ name }) => name.split('\\000')[0]);
  expect(kinds.length).toBeGreaterThan(10);
  for (const kind of kinds)
    expect(
      ACTIVITY_NAMES.some((name) => name.startsWith(`${kind}.`)),
      kind,
    ).toBe(true);
  for (const name of ACTIVITY_NAMES)
    expect(activitySentence(name, null)).not.toBe(activitySentence(name, null, { locale: 'es' }));
});
