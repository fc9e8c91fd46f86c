// @spec 2.editor decisions.4
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Activity } from '#contract/schemas/activity.ts';
import type { ResponseBody } from '#contract/schemas.ts';
import { ACTIVITY_NAMES, activitySentence } from '#domain/activity.ts';
import { Failure } from '#domain/failures.ts';
import type { GrantField } from '#domain/grant.ts';
import { ROLES, type Role, roleCan, VISITOR } from '#domain/permissions.ts';
import { actAs } from '#server/db/author.ts';
import { newId } from '#server/db/new-id.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { OFFSETTER_COLUMNS } from '#server/entities/profile-fields.ts';
import { recordExport, sweepActivity } from '#server/features/activity/record-activity.ts';
import { sweepSessions } from '#server/features/sessions/session-lifecycle.ts';
import { logOut } from '#server/features/users/admins.ts';
import { deleteUser } from '#server/features/users/delete-user.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addGrant, grantBody } from '#test/support/builders/grant.ts';
import { addInvitation } from '#test/support/builders/invitation.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { addOffsetter, addStory } from '#test/support/builders/story.ts';
import { addTribute } from '#test/support/builders/tribute.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { DAY, testClock } from '#test/support/clock.ts';
import { testDatabase } from '#test/support/database.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await testDatabase();
const deps = await testDeps(db);
const app = await buildTestApp(deps);

async function fund() {
  const orgid = await addOrg(db);
  const edith = await signIn(deps);
  await addEditor(db, orgid, edith.userId);
  return { orgid, edith };
}

async function activityOf(orgid: string, as: SignedInPerson): Promise<Activity[]> {
  return (await call(app, 'readActivity', { params: { orgid }, query: { max: '50' }, as })).json<Activity[]>();
}

// @asvs 16.2.1
test('an entry records who made a change, when, from where, and the old value', async () => {
  const { orgid, edith } = await fund();
  const response = await call(app, 'editOrg', { params: { orgid }, body: { name: 'New name' }, as: edith });
  expect(response.statusCode).toBe(200);
  const [latest] = await activityOf(orgid, edith);
  expect(latest).toMatchObject({
    name: 'settings.changed',
    by: 'person',
    client: '127.0.0.1',
    changes: [{ label: 'Name', after: 'New name' }],
  });
  expect(latest?.changes[0]?.before).not.toBe('');
});

test('a text entry uses the editors’ title, and only a real reset counts as one', async () => {
  const { orgid, edith } = await fund();
  const intro = { orgid, page: 'offsetters', name: 'intro' };
  for (const [name, markdown] of Object.entries({ intro: 'Neighbors who give.', 'intro.es': 'Vecinos que donan.' })) {
    const params = { ...intro, name };
    const { markdown: basedOn } = (await call(app, 'readCell', { params })).json<ResponseBody<'readCell'>>();
    expect((await call(app, 'saveCell', { params, body: { markdown, basedOn }, as: edith })).statusCode).toBe(200);
  }
  const back = { label: 'Reset to default', before: '', after: 'yes' };
  const text = (after: string) => ({ label: 'Text', before: '', after });
  const changesOfSave = async () =>
    (await activityOf(orgid, edith)).filter(({ name }) => name === 'text.added').map(({ changes }) => changes);
  const first = [[text('Introduction of Offsetters in Spanish')], [text('Introduction of Offsetters')]];
  expect(await changesOfSave()).toEqual(first);
  expect((await call(app, 'resetCell', { params: intro, as: edith })).statusCode).toBe(200);
  expect(await changesOfSave()).toEqual([[text('Introduction of Offsetters'), back], ...first]);
});

test('an accepted invitation names who accepted it', async () => {
  const { orgid, edith } = await fund();
  const nora = await signIn(deps, { name: 'Nora' });
  await actAs({ userId: undefined, ipAddress: '127.0.0.1' }, () =>
    inTransaction(db, (tx) =>
      tx.insertInto('org_editors').values({ org_id: orgid, user_id: nora.userId, display_name: 'Nora' }).execute(),
    ),
  );
  const [accepted] = await activityOf(orgid, edith);
  expect(accepted).toMatchObject({ name: 'role.added', by: 'person', byName: 'Nora', about: 'Nora' });
});

test('dates use the organization’s time zone and the page’s language', async () => {
  const { orgid, edith } = await fund();
  await db.kysely.updateTable('orgs').set({ time_zone: 'Pacific/Honolulu' }).where('id', '=', orgid).execute();
  await addStory(db, 'installers', orgid, { consented_at: new Date('2026-01-02T05:00:00Z') });
  const [latest] = await activityOf(orgid, edith);
  expect(latest?.changes).toContainEqual({ label: 'Consent given', before: '', after: 'January 1, 2026' });
  const request = { params: { orgid }, query: { max: '1' }, as: edith, language: 'es' };
  const [spanish] = (await call(app, 'readActivity', request)).json<Activity[]>();
  expect(spanish?.changes).toContainEqual({ label: 'Consentimiento dado', before: '', after: '1 de enero de 2026' });
});

test('a grant, check, or correction entry names its subject and shows values in words', async () => {
  const { orgid, edith } = await fund();
  await addGrant(db, orgid, { awardeeId: await addStory(db, 'awardees', orgid, { name: 'The Okafor family' }) });
  const pledgeid = await addPledge(db, orgid, { name: 'Dora Donor' });
  const withdrawn = { params: { orgid, pledgeid }, body: { withdrawn: true }, as: edith };
  expect((await call(app, 'withdrawPledge', withdrawn)).statusCode).toBe(200);
  const statsDelta = { co2: 0.5, gas: -1200, funds: 0, grants: 0 };
  expect((await call(app, 'editOrg', { params: { orgid }, body: { statsDelta }, as: edith })).statusCode).toBe(200);
  const [correction, check, , grant] = await activityOf(orgid, edith);
  expect(correction?.changes).toEqual([
    { label: 'Carbon correction', before: '0 lb', after: '0.5000 lb' },
    { label: 'Gas correction', before: '0 gallons', after: '-1,200 gallons' },
  ]);
  expect(check).toMatchObject({ name: 'check.changed', about: 'Dora Donor' });
  expect(check?.changes).toEqual([{ label: 'Status', before: 'pledged', after: 'canceled' }]);
  expect(grant).toMatchObject({ name: 'grant.added', about: 'The Okafor family' });
  expect(grant?.changes.map(({ label, after }) => `${label}: ${after}`)).toEqual([
    'Amount: $1,500.00',
    'Other public funding: $0.00',
    'Expected savings per year: 1,404 lb',
    'Years: 20',
    'How savings were estimated: a standard value for every home',
    'Applied on: February 1, 2026',
  ]);
  const request = { params: { orgid }, query: { max: '2' }, as: edith, language: 'es' };
  const [, spanish] = (await call(app, 'readActivity', request)).json<Activity[]>();
  expect(spanish?.changes).toEqual([{ label: 'Estado', before: 'prometido', after: 'cancelado' }]);
});

test('what a household agreed to show is recorded, and so is each change of it', async () => {
  const { orgid, edith } = await fund();
  const body = grantBody(await addStory(db, 'awardees', orgid));
  const params = { orgid, grantid: newId() };
  const publish = async (shown: GrantField[]) => {
    const response = await call(app, 'saveGrant', { params, body: { ...body, shown }, as: edith });
    expect(response.statusCode).toBe(200);
  };
  await publish(['amount', 'dates']);
  await publish(['amount']);
  await publish([]);
  const label = 'Agreed to show';
  const entries = await activityOf(orgid, edith);
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
  const unchangeable = ['id', 'created_at'];
  expect(recordedColumns).toEqual(
    expect.arrayContaining(OFFSETTER_COLUMNS.filter((column) => !unchangeable.includes(column))),
  );
});

test('editors alone see whose a refund or recurring gift is, until it’s erased', async () => {
  const { orgid, edith } = await fund();
  const { checkoutId, ledgerEntryId } = await addGift(db, orgid);
  const refund = { id: `re_${ledgerEntryId}`, entry_id: ledgerEntryId, kind: 'refund', status: 'pending' } as const;
  const row = { ...refund, amount_cents: 500, reason: null, occurred_at: new Date() };
  await actAs({ userId: edith.userId, ipAddress: '127.0.0.1' }, () =>
    inTransaction(db, (tx) => tx.insertInto('payment_returns').values(row).execute()),
  );
  const returnEntry = async () => (await activityOf(orgid, edith)).find(({ name }) => name === 'return.added');
  expect(await returnEntry()).toMatchObject({ about: 'Paula Payer', byName: 'Uma User' });
  const ownActivity = await call(app, 'readOwnActivity', {
    params: { userid: edith.userId },
    query: { max: '50' },
    as: edith,
  });
  const admin = await signIn(deps, { admin: true });
  const allActivity = await call(app, 'readAllActivity', { params: {}, query: { max: '50' }, as: admin });
  for (const { body } of [ownActivity, allActivity]) expect(body).not.toContain('Paula Payer');
  await db.kysely.updateTable('checkouts').set({ display_name: null }).where('id', '=', checkoutId).execute();
  expect(await returnEntry()).toMatchObject({ about: null });
});

test('a download is recorded only if it’s sent', async () => {
  const me = await signIn(deps);
  const actor = (await deps.identity.actorOf(me.token)) ?? VISITOR;
  const recordedClients = () =>
    db.kysely.selectFrom('activities').select('kind').where('actor_id', '=', me.userId).where('kind', '=', 'export');
  const failure = new Failure('user-not-found');
  expect(await recordExport(db, { actor, request: { ip: '203.0.113.7' } }, failure)).toBe(failure);
  expect(await recordedClients().execute()).toEqual([]);
  await call(app, 'downloadUser', { params: { userid: me.userId }, as: me });
  expect(await recordedClients().execute()).toHaveLength(1);
});

test('facts learned from the provider during a read aren’t attributed to the reader', async () => {
  const { orgid, edith } = await fund();
  const acting: (string | null)[] = [];
  const read = async () => {
    const { rows } = await inTransaction(db, (tx) =>
      sql<{ who: string | null }>`select current_setting('fund.actor', true) as who`.execute(tx),
    );
    acting.push(...rows.map(({ who }) => who || null));
    return 'unknown' as const;
  };
  const close = async () => 'closed' as const;
  const appWithProvider = await buildTestApp({ ...deps, payments: { ...deps.payments, read, close } });
  const params = { orgid, checkoutid: await addCheckout(db, orgid, { provider_session_id: 'cs_1' }) };
  await call(appWithProvider, 'readCheckout', { params, as: edith });
  await call(appWithProvider, 'deleteCheckout', { params, as: edith });
  expect(acting).toEqual([null, expect.stringContaining(edith.userId)]);
});

// @asvs 16.4.2
test('no one, not even the program, can change the audit trail', async () => {
  await fund();
  for (const statement of ['delete from activities', "update activities set kind = 'role'", 'truncate activities'])
    await expect(sql.raw(statement).execute(db.kysely)).rejects.toThrow('The activity log is append-only.');
});

test('a lost role stays recorded after both accounts are deleted, without their addresses', async () => {
  const { orgid, edith } = await fund();
  const [otherUser, reader] = [await signIn(deps), await signIn(deps)];
  await addEditor(db, orgid, reader.userId);
  await call(app, 'addEditor', { params: { orgid }, body: { email: otherUser.email }, as: edith });
  // Stepping down takes effect immediately.
  await call(app, 'removeEditor', { params: { orgid, userid: otherUser.userId }, as: otherUser });
  for (const person of [otherUser, edith]) expect(await deleteUser(deps, person.userId)).toBeUndefined();
  const roles = (await activityOf(orgid, reader)).filter(({ name, by }) => name.startsWith('role.') && by === 'former');
  expect(roles.map(({ name }) => name)).toEqual(expect.arrayContaining(['role.added', 'role.removed']));
  for (const { client, about } of roles) expect([client, about]).toEqual([null, null]);
});

test('a role change names both roles', async () => {
  const { orgid, edith } = await fund();
  const nora = await signIn(deps, { name: 'Nora', editorOf: [orgid], role: 'texts' });
  const olga = await signIn(deps, { name: 'Olga', editorOf: [orgid] });
  const change = (userid: string, role: Role) =>
    call(app, 'changeEditor', { params: { orgid, userid }, body: { role }, as: edith });
  await change(nora.userId, 'money');
  const [changed] = await activityOf(orgid, edith);
  expect(changed).toMatchObject({
    name: 'role.changed',
    by: 'person',
    about: 'Nora',
    changes: [{ label: 'Role', before: 'Page editor', after: 'Treasurer' }],
  });
  await change(olga.userId, 'reader');
  const [demoted] = await activityOf(orgid, edith);
  expect(demoted).toMatchObject({ name: 'role.changed', about: 'Olga', byName: 'Uma User' });
  expect(demoted?.changes).toEqual([{ label: 'Role', before: 'Editor', after: 'Viewer' }]);
});

test('reading donor details in bulk is recorded once a day and limited', async () => {
  const clock = testClock();
  const { orgid, edith } = await fund();
  const clocked = await testDeps(db, { now: clock.now });
  const readers = await buildTestApp(clocked);
  let reader = await signIn(clocked, { editorOf: [orgid], role: 'reader' });
  for (let count = 0; count < 50; count += 1) await addCheckout(db, orgid);
  await addPledge(db, orgid);
  const read = async () =>
    outcomeOf(await call(readers, 'searchCheckouts', { params: { orgid }, body: { max: 50 }, as: reader }));
  const bulkReads = async () => (await activityOf(orgid, edith)).filter(({ name }) => name === 'donors.done');
  for (let page = 0; page < 10; page += 1) expect(await read()).toEqual([200]);
  expect(await bulkReads()).toEqual([]);
  const checks = { params: { orgid }, body: { kind: 'check' }, as: reader } as const;
  expect(outcomeOf(await call(readers, 'searchCheckouts', checks))).toEqual([200]);
  expect(await bulkReads()).toMatchObject([{ byName: 'Uma User', client: '127.0.0.1' }]);
  await db.kysely.updateTable('rate_limits').set({ count: 10_000 }).where('count', '>', 500).execute();
  expect(await read()).toEqual([429, 'too-many-requests']);
  clock.pass(DAY);
  reader = await signIn(clocked, { userId: reader.userId });
  for (let page = 0; page < 11; page += 1) expect(await read()).toEqual([200]);
  expect(await bulkReads()).toHaveLength(2);
});

test('a narrower role sees only entries its pages show, without network addresses', async () => {
  const { orgid, edith } = await fund();
  await addInvitation(db, orgid);
  await call(app, 'editOrg', { params: { orgid }, body: { name: 'Secret plan' }, as: edith });
  const story = { orgid, offsetterid: await addOffsetter(db, orgid, { status: 'draft' }) };
  await call(app, 'setOffsetterStatus', { params: story, body: { status: 'hidden' }, as: edith });
  const pledgeid = await addPledge(db, orgid);
  const withdrawn = { params: { orgid, pledgeid }, body: { withdrawn: true }, as: edith };
  expect((await call(app, 'withdrawPledge', withdrawn)).statusCode).toBe(200);
  expect((await activityOf(orgid, edith))[0]).toMatchObject({ name: 'check.changed', client: '127.0.0.1' });
  for (const role of ROLES.filter((each) => each !== 'editor' && roleCan(each, 'activity.read'))) {
    const readerActivity = await activityOf(orgid, await signIn(deps, { editorOf: [orgid], role }));
    expect(new Set(readerActivity.map(({ name }) => name))).toEqual(new Set(['check.added', 'check.changed']));
    expect(readerActivity[0]).toMatchObject({ name: 'check.changed', byName: 'Uma User', client: null });
  }
});

// @asvs 16.3.1
test('users read their own activity with failed logins, and admins read all', async () => {
  const { edith } = await fund();
  const body = { email: edith.email, password: 'not the password' };
  await call(app, 'signInByPassword', { params: {}, body });
  const params = { userid: edith.userId };
  const ownActivity = (await call(app, 'readOwnActivity', { params, as: edith })).json<Activity[]>();
  expect(ownActivity[0]).toMatchObject({ name: 'login-failed.done', by: 'visitor' });
  const admin = await signIn(deps, { admin: true });
  const allActivity = (await call(app, 'readAllActivity', { params: {}, as: admin })).json<Activity[]>();
  expect(allActivity[0]).toMatchObject({ name: 'login.added', byName: expect.any(String) });
  expect(allActivity).toContainEqual(expect.objectContaining({ name: 'login-failed.done', client: '127.0.0.1' }));
});

test('users see their own actions and actions on their account, and nothing else', async () => {
  const { orgid, edith } = await fund();
  const owner = await signIn(deps, { name: 'Olga Owner' });
  const ownOf = async (me: SignedInPerson) => {
    const response = await call(app, 'readOwnActivity', {
      params: { userid: me.userId },
      query: { max: '50' },
      as: me,
    });
    return { items: response.json<Activity[]>(), body: response.body };
  };
  const offsetterid = await addOffsetter(db, orgid, { user_id: owner.userId, name: 'Olga Owner' });
  const params = { orgid, offsetterid };
  expect((await call(app, 'setOffsetterStatus', { params, body: { status: 'hidden' }, as: edith })).statusCode).toBe(
    200,
  );
  const add = { params: { orgid }, body: { email: owner.email, role: 'money' }, as: edith };
  expect((await call(app, 'addEditor', add as never)).statusCode).toBe(200);
  const owners = await ownOf(owner);
  expect(owners.items).toContainEqual(
    expect.objectContaining({
      name: 'offsetter.changed',
      by: 'person',
      byName: null,
      client: null,
      changes: expect.arrayContaining([expect.objectContaining({ label: 'Status', after: 'hidden' })]),
    }),
  );
  expect(owners.items).toContainEqual(expect.objectContaining({ name: 'role.added', by: 'person', byName: null }));
  expect(owners.body).not.toContain(edith.email);
  const ediths = await ownOf(edith);
  expect(ediths.items).toContainEqual(
    expect.objectContaining({ name: 'offsetter.changed', by: 'you', client: '127.0.0.1', changes: [], about: null }),
  );
  expect(ediths.body).not.toContain(owner.email);
  expect(ediths.body).not.toContain('Olga');
});

test('ended sessions are recorded with who ended them, except expired ones and deleted accounts', async () => {
  const [me, leaving, away] = [await signIn(deps), await signIn(deps), await signIn(deps)];
  const endings = async (userId: string) => {
    const rows = db.kysely.selectFrom('activities').select(['kind', 'verb', 'by_program', 'actor_id', 'ip_address']);
    return rows.where('affected_user_id', '=', userId).where('verb', '=', 'removed').execute();
  };
  const logoutEntry = {
    kind: 'login',
    verb: 'removed',
    by_program: false,
    actor_id: me.userId,
    ip_address: '127.0.0.1',
  };
  const newLogin = () => signIn(deps, { userId: me.userId });
  const otherLogin = await newLogin();
  await call(app, 'endSession', { params: { sessionid: otherLogin.sessionId }, as: me });
  expect(await endings(me.userId)).toEqual([logoutEntry]);
  await call(app, 'signOut', { params: {}, as: await newLogin() });
  expect(await endings(me.userId)).toEqual([logoutEntry, logoutEntry]);
  await newLogin();
  await call(app, 'signOutEverywhere', { params: {}, as: me });
  expect(await endings(me.userId)).toEqual([logoutEntry, logoutEntry, logoutEntry, logoutEntry]);
  await newLogin();
  await logOut(db, me.email);
  const byCommand = { ...logoutEntry, by_program: true, actor_id: null, ip_address: null };
  expect((await endings(me.userId)).at(-1)).toEqual(byCommand);
  const ran = { expires_at: new Date(Date.now() - 60_000) };
  await db.kysely.updateTable('sessions').set(ran).where('id', '=', away.sessionId).execute();
  await sweepSessions({ db, now: () => new Date() });
  expect(await endings(away.userId)).toEqual([]);
  expect(await deleteUser(deps, leaving.userId)).toBeUndefined();
  const rows = db.kysely
    .selectFrom('activities')
    .select('id')
    .where('kind', '=', 'login')
    .where('verb', '=', 'removed');
  expect(await rows.where('affected_user_id', 'like', 'former-%').execute()).toEqual([]);
});

test('a receipt or card emailed to another address is recorded until that address is erased', async () => {
  const { orgid, edith } = await fund();
  const { checkoutId, ledgerEntryId } = await addGift(db, orgid, { email: 'dora@example.org' });
  await addTribute(db, {
    checkout_id: checkoutId,
    org_id: orgid,
    kind: 'honor',
    name: 'Ada',
    card_email: 'grace@example.org',
    card_name: 'Grace',
    card_message: 'Hello',
    card_signature: 'Dora',
    card_status: 'sent',
    card_status_at: new Date('2026-03-14'),
  });
  const reader = await signIn(deps, { editorOf: [orgid], role: 'reader' });
  const body = { email: 'right@example.org' };
  await call(app, 'sendReceiptTo', { params: { orgid, entryid: ledgerEntryId }, body, as: edith });
  await call(app, 'sendCardTo', { params: { orgid, checkoutid: checkoutId }, body, as: edith });
  const emailEntries = async (as: SignedInPerson) =>
    (await activityOf(orgid, as)).filter(({ name }) => name === 'receipt.changed' || name === 'card.changed');
  const from = (before = '') => [{ label: 'Email', before, after: 'right@example.org' }];
  const people = [
    { name: 'card.changed', by: 'person', byName: 'Uma User', changes: from('grace@example.org') },
    { name: 'receipt.changed', by: 'person', byName: 'Uma User', changes: from() },
  ];
  expect(await emailEntries(edith)).toMatchObject(people);
  expect(await emailEntries(reader)).toMatchObject(people);
  const params = { params: { userid: edith.userId }, query: { max: '50' }, as: edith };
  const ownActivity = (await call(app, 'readOwnActivity', params)).json<Activity[]>();
  expect(ownActivity.find(({ name }) => name === 'card.changed')).toMatchObject({ by: 'you', changes: [] });
  const recordedChanges = async () => (await emailEntries(edith)).flatMap(({ changes }) => changes);
  const userOfRight = await signIn(deps, { email: 'right@example.org' });
  expect(await deleteUser(deps, userOfRight.userId)).toBeUndefined();
  expect(await recordedChanges()).toEqual([]);
});

test('receipt and yearly statement downloads are recorded', async () => {
  const { orgid, edith } = await fund();
  const dora = await signIn(deps);
  const { ledgerEntryId } = await addGift(db, orgid, { user_id: dora.userId, email: dora.email });
  const response = await call(app, 'downloadReceipt', { params: { orgid, entryid: ledgerEntryId }, as: edith });
  expect(response.statusCode).toBe(200);
  const [latest] = await activityOf(orgid, edith);
  expect(latest).toMatchObject({ name: 'export.done', by: 'person', client: '127.0.0.1' });
  expect(latest?.changes[0]?.after).toMatch(/^receipt-\d+\.pdf$/);
  const params = { userid: dora.userId };
  const { years } = (await call(app, 'readGiving', { params, as: dora })).json<ResponseBody<'readGiving'>>();
  const year = years[0]?.year ?? '';
  expect((await call(app, 'downloadStatement', { params: { ...params, year }, as: dora })).statusCode).toBe(200);
  const ownActivity = (await call(app, 'readOwnActivity', { params, as: dora })).json<Activity[]>();
  expect(ownActivity[0]).toMatchObject({
    name: 'export.done',
    by: 'you',
    changes: [{ label: 'File', after: `giving-${year}.pdf` }],
  });
});

test('entries of newer versions are shown as unknown', async () => {
  const { orgid, edith } = await fund();
  const newer = {
    kind: 'teleport',
    verb: 'done' as const,
    by_program: false,
    actor_id: edith.userId,
    ip_address: '127.0.0.1',
  };
  const newColumn = JSON.stringify({ destination: 'Mars' });
  await db.kysely
    .insertInto('activities')
    .values({ ...newer, org_id: orgid, after: newColumn })
    .execute();
  const admin = await signIn(deps, { admin: true });
  const allActivity = (await call(app, 'readAllActivity', { params: {}, as: admin })).json<Activity[]>();
  expect(allActivity).toContainEqual(expect.objectContaining({ name: 'unknown', byName: 'Uma User', changes: [] }));
  expect((await activityOf(orgid, edith))[0]).toMatchObject({ name: 'unknown', by: 'person' });
  const ownActivity = await call(app, 'readOwnActivity', { params: { userid: edith.userId }, as: edith });
  expect(ownActivity.json<Activity[]>()[0]).toMatchObject({ name: 'unknown', by: 'you' });
});

test('activity pages follow each other, and a foreign cursor is rejected', async () => {
  const { orgid, edith } = await fund();
  for (const name of ['One', 'Two', 'Three'])
    await call(app, 'editOrg', { params: { orgid }, body: { name }, as: edith });
  const page = async (cursorRef?: string) =>
    call(app, 'readActivity', {
      params: { orgid },
      query: { max: '2', ...(cursorRef ? { cursorRef } : {}) },
      as: edith,
    });
  const first = await page();
  const second = await page(String(first.headers['x-next-cursor']));
  const names = [...first.json<Activity[]>(), ...second.json<Activity[]>()].map(({ changes }) => changes[0]?.after);
  expect(names.slice(0, 3)).toEqual(['Three', 'Two', 'One']);
  expect((await page('nowhere')).json()).toMatchObject({ code: 'unknown-cursor' });
});

// @asvs 14.2.4
test('network addresses are deleted after 90 days', async () => {
  const { orgid, edith } = await fund();
  await call(app, 'editOrg', { params: { orgid }, body: { name: 'Again' }, as: edith });
  await sweepActivity(db, new Date(Date.now() + 89 * 86_400_000));
  expect((await activityOf(orgid, edith))[0]?.client).toBe('127.0.0.1');
  await sweepActivity(db, new Date(Date.now() + 91 * 86_400_000));
  expect((await activityOf(orgid, edith))[0]).toMatchObject({ client: null, by: 'person' });
});

test('every recorded change has a sentence in both languages', async () => {
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
  for (const name of ACTIVITY_NAMES) expect(activitySentence(name)).not.toBe(activitySentence(name, { locale: 'es' }));
});
