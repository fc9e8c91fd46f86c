// @spec 2.org-settings 5.org 6.admin 7.edit-org decisions.3 decisions.8
import { expect, test } from 'vitest';
import type { ResponseBody } from '#contract/schemas.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestClock, MINUTE } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const clock = createTestClock();
const deps = await createTestDeps(db, { now: clock.now });
const app = await buildTestApp(deps);
const admin = await signIn(deps, { admin: true });

const editOrg = (as: SignedInPerson, orgId: string, body: object) =>
  call(app, 'editOrg', { params: { orgid: orgId }, as, body });
const readOrg = async (orgId: string) =>
  (await call(app, 'readOrg', { params: { orgid: orgId } })).json<ResponseBody<'readOrg'>>();

async function createOrgWithEditor(overrides: Parameters<typeof addOrg>[1] = {}) {
  const orgId = await addOrg(db, overrides);
  return { orgId, edith: await signIn(deps, { name: 'Edith', editorOf: [orgId] }) };
}

test('an editor changes only the fields sent, and the public sees the change immediately', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const initialOrg = await readOrg(orgId);
  const response = await editOrg(edith, orgId, { name: ' Hill Fund ', tag: ' Warm\nhomes ', takesApplications: false });
  expect(response.statusCode).toBe(200);
  const savedOrg = await readOrg(orgId);
  expect(savedOrg).toEqual({
    ...initialOrg,
    name: 'Hill Fund',
    tag: 'Warm homes',
    takesApplications: false,
    version: initialOrg.version + 1,
  });
  expect(response.json()).toEqual(savedOrg);
  expect((await call(app, 'readCell', { params: { orgid: orgId, page: 'home', name: 'tag' } })).json()).toMatchObject({
    markdown: 'Warm homes',
  });
});

test('a setting that another editor has changed since is not overwritten', async () => {
  const { orgId, edith } = await createOrgWithEditor({ tag: 'Tag' });
  const otto = await signIn(deps, { name: 'Otto Other', editorOf: [orgId] });
  await editOrg(otto, orgId, { tag: 'Theirs', statsDelta: { grants: 2 } });
  await editOrg(edith, orgId, { name: 'Hill Fund' });
  const edit = { tag: 'Mine', baseSettings: { tag: 'Tag' } };
  const response = await editOrg(edith, orgId, edit);
  expect(response.json()).toMatchObject({
    status: 409,
    code: 'settings-changed',
    details: { savedBy: 'Otto Other', isSavedByCaller: 0 },
  });
  expect((await editOrg(otto, orgId, edit)).json()).toMatchObject({ details: { isSavedByCaller: 1 } });
  const statsEdit = { statsDelta: { grants: 5, co2: 1 }, baseSettings: { statsDelta: { grants: 0, co2: 0 } } };
  expect(readOutcome(await editOrg(edith, orgId, statsEdit))).toEqual([409, 'settings-changed']);
  expect(await readOrg(orgId)).toMatchObject({ tag: 'Theirs', statsDelta: { grants: 2, co2: 0 } });
  const savedResponse = await editOrg(edith, orgId, {
    tag: 'Mine',
    place: 'Ithaca',
    baseSettings: { tag: 'Theirs', place: '' },
  });
  expect(savedResponse.json()).toMatchObject({ tag: 'Mine', place: 'Ithaca', name: 'Hill Fund' });
});

test('saving values that someone else has already saved is not a conflict', async () => {
  const { orgId, edith } = await createOrgWithEditor({ tag: 'Tag' });
  await editOrg(edith, orgId, { tag: 'Same' });
  expect((await editOrg(edith, orgId, { tag: 'Same', baseSettings: { tag: 'Tag' } })).statusCode).toBe(200);
});

test('only editors see and change story review', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const readSettings = () => call(app, 'readOrgSettings', { params: { orgid: orgId }, as: edith });
  expect((await readSettings()).json()).toMatchObject({ reviewStories: false });
  const response = await editOrg(edith, orgId, { reviewStories: true });
  expect(response.json()).not.toHaveProperty('reviewStories');
  expect((await readSettings()).json()).toMatchObject({ reviewStories: true });
});

test('an editor can send §7’s full payload with an unchanged slug and a timestamp that is ignored', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  clock.advance(MINUTE);
  const stats = { co2: 0, gas: 0, funds: 0, grants: 0 };
  const payload = { slug: orgId, name: 'Fund', tag: 'Tag', stats, statsDelta: stats, noAwardees: false };
  const response = await editOrg(edith, orgId, { ...payload, statsUpdatedTimestamp: '1999-01-01T00:00:00Z' });
  expect(response.json()).toMatchObject({ name: 'Fund', statsUpdatedTimestamp: clock.now().toISOString() });
});

test('a new name can’t contain an address', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const response = await editOrg(edith, orgId, { name: 'See https://evil.example' });
  expect(readOutcome(response)).toEqual([422, 'text-with-address']);
});

test('the typical grant is in dollars and cents and can be removed', async () => {
  const orgId = await addOrg(db);
  const edith = await signIn(deps, { editorOf: [orgId] });
  expect(await readOrg(orgId)).toMatchObject({ typicalGrant: null });
  expect((await editOrg(edith, orgId, { typicalGrant: 4500.5 })).json()).toMatchObject({ typicalGrant: 4500.5 });
  for (const typicalGrant of [0, -1, 0.5, 1.005, 2e9, '4500']) {
    expect((await editOrg(edith, orgId, { typicalGrant } as never)).json()).toMatchObject({ field: 'typicalGrant' });
  }
  expect((await editOrg(edith, orgId, { typicalGrant: null })).json()).toMatchObject({ typicalGrant: null });
});

test('the place is one line, can be removed, and can’t contain an address', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  expect(await readOrg(orgId)).toMatchObject({ place: '' });
  expect((await editOrg(edith, orgId, { place: ' Ithaca, New York ' })).json()).toMatchObject({
    place: 'Ithaca, New York',
  });
  expect((await editOrg(edith, orgId, { place: '' })).json()).toMatchObject({ place: '' });
  const readError = async (place: string) => (await editOrg(edith, orgId, { place })).json();
  expect(await readError('x'.repeat(61))).toMatchObject({ code: 'place-too-long', field: 'place' });
  expect(await readError('See https://evil.example')).toMatchObject({ code: 'text-with-address', field: 'place' });
  expect(await readError('Ithaca\nNew York')).toMatchObject({ code: 'text-unprintable', field: 'place' });
  expect(await readOrg(orgId)).toMatchObject({ place: '' });
});

test('saving the place looks up its city, the starting point for trips', async () => {
  const ithaca = {
    lat: 42.44,
    lon: -76.5,
    displayName: 'Ithaca, NY',
    city: 'Ithaca',
    country: 'US',
    countryCode: 'US',
  };
  const places = { ...deps.places, search: async (text: string) => (text.startsWith('Ithaca') ? [ithaca] : []) };
  const appWithCities = await buildTestApp({ ...deps, places });
  const { orgId, edith } = await createOrgWithEditor();
  const saveOrg = async (body: object) =>
    (await call(appWithCities, 'editOrg', { params: { orgid: orgId }, as: edith, body })).json<
      ResponseBody<'editOrg'>
    >();
  const homeCity = { lat: 42.44, lon: -76.5, address: { city: 'Ithaca', country_code: 'us' } };
  expect(await saveOrg({ place: 'Ithaca, New York' })).toMatchObject({ homeCity });
  expect(await saveOrg({ name: 'Hill Fund' })).toMatchObject({ homeCity });
  expect((await saveOrg({ place: 'Nowhere at all' })).homeCity).toBeNull();
});

test('a place is saved even if the search for its city fails', async () => {
  const places = { ...deps.places, search: () => Promise.reject(new Error('The list can’t be read.')) };
  const failingApp = await buildTestApp({ ...deps, places });
  const { orgId, edith } = await createOrgWithEditor();
  const response = await call(failingApp, 'editOrg', {
    params: { orgid: orgId },
    as: edith,
    body: { place: 'Ithaca' },
  });
  expect(response.json()).toMatchObject({ place: 'Ithaca', homeCity: null });
});

test('the correction is stored exactly, may be negative, and is added on display', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  const statsDelta = { co2: -12.3456, gas: 0.0001, funds: -0.1, grants: -2 };
  expect((await editOrg(edith, orgId, { statsDelta })).json()).toMatchObject({ statsDelta });
  expect((await editOrg(edith, orgId, { statsDelta: { funds: 3 } })).json()).toMatchObject({
    statsDelta: { ...statsDelta, funds: 3 },
  });
});

test.each([
  [{ name: 'ab' }, 'name-too-short', 'name'],
  [{ tag: '' }, 'no-tag', 'tag'],
  [{ tag: 'a\u0000b' }, 'invalid-input', 'tag'],
  [{ stats: { co2: -1 } }, 'invalid-input', 'stats.co2'],
  [{ stats: { co2: 0.00001 } }, 'invalid-input', 'stats.co2'],
  [{ stats: { funds: 0.001 } }, 'invalid-input', 'stats.funds'],
  [{ stats: { grants: 1.5 } }, 'invalid-input', 'stats.grants'],
  [{ stats: { co2: 1e300 } }, 'invalid-input', 'stats.co2'],
  [{ stats: { likes: 3 } }, 'invalid-input', 'stats.likes'],
  [{ statsDelta: { gas: '3' } }, 'invalid-input', 'statsDelta.gas'],
  [{ photoURL: 'x' }, 'invalid-input', 'photoURL'],
])('%j changes nothing: %s', async (body, code, field) => {
  const { orgId, edith } = await createOrgWithEditor();
  const initialOrg = await readOrg(orgId);
  expect((await editOrg(edith, orgId, { noAwardees: true, ...body })).json()).toMatchObject({ code, field });
  expect(await readOrg(orgId)).toEqual(initialOrg);
});

// @asvs 8.2.3
test('only an admin can change the slug, and an admin can’t change anything else', async () => {
  const { orgId, edith } = await createOrgWithEditor();
  expect(readOutcome(await editOrg(edith, orgId, { slug: 'hill-fund', name: 'Hill Fund' }))).toEqual([
    403,
    'only-admins',
  ]);
  expect(await readOrg(orgId)).toMatchObject({ slug: orgId, name: 'Ithaca Climate Fund' });
  expect(readOutcome(await editOrg(admin, orgId, { slug: 'hill-fund', name: 'Hill Fund' }))).toEqual([
    403,
    'forbidden',
  ]);
  expect((await editOrg(admin, orgId, { slug: 'hill-fund' })).json()).toMatchObject({ slug: 'hill-fund' });
  const matches = (await call(app, 'readOrgs', { params: {}, query: { slug: 'hill-fund' } })).json();
  expect(matches).toMatchObject([{ id: orgId }]);
  const adminEditor = await signIn(deps, { admin: true, editorOf: [orgId] });
  expect((await editOrg(adminEditor, orgId, { slug: 'valley-fund', name: 'Valley Fund' })).json()).toMatchObject({
    slug: 'valley-fund',
    name: 'Valley Fund',
  });
});

test('a former slug redirects to its last organization until another takes it', async () => {
  const [firstOrgId, secondOrgId] = [await addOrg(db, { slug: 'creek' }), await addOrg(db, { slug: 'river' })];
  const findOrgId = async (slug: string) => {
    const [matchingOrg] = (await call(app, 'readOrgs', { params: {}, query: { slug } })).json();
    return matchingOrg?.id;
  };
  await editOrg(admin, firstOrgId, { slug: 'brook' });
  await editOrg(admin, firstOrgId, { slug: 'stream' });
  expect(await Promise.all(['creek', 'brook', 'stream'].map(findOrgId))).toEqual([firstOrgId, firstOrgId, firstOrgId]);
  expect((await editOrg(admin, secondOrgId, { slug: 'creek' })).statusCode).toBe(200);
  expect(await Promise.all(['creek', 'brook', 'river'].map(findOrgId))).toEqual([secondOrgId, firstOrgId, secondOrgId]);
  await editOrg(admin, secondOrgId, { slug: 'river' });
  expect(await Promise.all(['creek', 'river'].map(findOrgId))).toEqual([secondOrgId, secondOrgId]);
  await editOrg(admin, firstOrgId, { slug: 'creek' });
  expect(await findOrgId('creek')).toBe(firstOrgId);
});

test.each([
  ['', 'no-slug'],
  ['ab', 'slug-invalid'],
  ['a b', 'slug-invalid'],
  ['users', 'slug-reserved'],
  ['somebody-elses', 'slug-taken'],
])('the slug %j is rejected as %s', async (slug, code) => {
  const orgId = await addOrg(db);
  if (code === 'slug-taken') await addOrg(db, { slug });
  expect((await editOrg(admin, orgId, { slug })).json()).toMatchObject({ code, field: 'slug' });
  expect(await readOrg(orgId)).toMatchObject({ slug: orgId });
});

test('an unknown organization is not found', async () => {
  expect(readOutcome(await editOrg(admin, 'nowhere', { slug: 'some-where' }))).toEqual([404, 'org-not-found']);
  expect(readOutcome(await editOrg(admin, 'nowhere', {}))).toEqual([404, 'org-not-found']);
});

test('only a change to the second-step requirement needs a recent confirmation', async () => {
  const { orgId } = await createOrgWithEditor();
  const adminEditor = await signIn(deps, { admin: true, editorOf: [orgId] });
  const setConfirmedAt = (at: Date) =>
    db.kysely.updateTable('sessions').set({ authenticated_at: at }).where('id', '=', adminEditor.sessionId).execute();
  await setConfirmedAt(new Date(clock.now().getTime() - 61 * MINUTE));
  const settings = { slug: 'another-slug', stats: { co2: 1 }, statsDelta: { funds: 1 }, timeZone: 'America/Chicago' };
  expect(readOutcome(await editOrg(adminEditor, orgId, { ...settings, editorsNeedSecondFactor: false }))).toEqual([
    200,
  ]);
  expect(readOutcome(await editOrg(adminEditor, orgId, { editorsNeedSecondFactor: true }))).toEqual([
    401,
    'confirmation-required',
  ]);
  await setConfirmedAt(clock.now());
  expect(readOutcome(await editOrg(adminEditor, orgId, { editorsNeedSecondFactor: true }))).not.toEqual([
    401,
    'confirmation-required',
  ]);
});
