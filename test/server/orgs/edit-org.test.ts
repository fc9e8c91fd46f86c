// @spec 2.org-settings 5.org 6.admin 7.edit-org decisions.3 decisions.8
import { expect, test } from 'vitest';
import type { ResponseBody } from '#contract/schemas.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { MINUTE, testClock } from '#test/support/clock.ts';
import { testDatabase } from '#test/support/database.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await testDatabase();
const clock = testClock();
const deps = await testDeps(db, { now: clock.now });
const app = await buildTestApp(deps);
const admin = await signIn(deps, { admin: true });

const edit = (as: SignedInPerson, orgid: string, body: object) => call(app, 'editOrg', { params: { orgid }, as, body });
const read = async (orgid: string) =>
  (await call(app, 'readOrg', { params: { orgid } })).json<ResponseBody<'readOrg'>>();

async function orgWithEditor(overrides: Parameters<typeof addOrg>[1] = {}) {
  const orgid = await addOrg(db, overrides);
  return { orgid, edith: await signIn(deps, { name: 'Edith', editorOf: [orgid] }) };
}

test('an editor changes only the fields sent, and the public sees the change immediately', async () => {
  const { orgid, edith } = await orgWithEditor();
  const initialOrg = await read(orgid);
  const response = await edit(edith, orgid, { name: ' Hill Fund ', tag: ' Warm\nhomes ', takesApplications: false });
  expect(response.statusCode).toBe(200);
  const savedOrg = await read(orgid);
  expect(savedOrg).toEqual({
    ...initialOrg,
    name: 'Hill Fund',
    tag: 'Warm homes',
    takesApplications: false,
    version: initialOrg.version + 1,
  });
  expect(response.json()).toEqual(savedOrg);
  expect((await call(app, 'readCell', { params: { orgid, page: 'home', name: 'tag' } })).json()).toMatchObject({
    markdown: 'Warm homes',
  });
});

test('only editors see and change story review', async () => {
  const { orgid, edith } = await orgWithEditor();
  const settings = () => call(app, 'readOrgSettings', { params: { orgid }, as: edith });
  expect((await settings()).json()).toMatchObject({ reviewStories: false });
  const response = await edit(edith, orgid, { reviewStories: true });
  expect(response.json()).not.toHaveProperty('reviewStories');
  expect((await settings()).json()).toMatchObject({ reviewStories: true });
});

test('an editor can send §7’s full payload with the unchanged slug and an ignored time', async () => {
  const { orgid, edith } = await orgWithEditor();
  clock.pass(MINUTE);
  const stats = { co2: 0, gas: 0, funds: 0, grants: 0 };
  const payload = { slug: orgid, name: 'Fund', tag: 'Tag', stats, statsDelta: stats, noAwardees: false };
  const response = await edit(edith, orgid, { ...payload, statsUpdatedTimestamp: '1999-01-01T00:00:00Z' });
  expect(response.json()).toMatchObject({ name: 'Fund', statsUpdatedTimestamp: clock.now().toISOString() });
});

test('a new name can’t contain an address', async () => {
  const { orgid, edith } = await orgWithEditor();
  const response = await edit(edith, orgid, { name: 'See https://evil.example' });
  expect(outcomeOf(response)).toEqual([422, 'text-with-address']);
});

test('the typical grant is in dollars and cents and can be removed', async () => {
  const orgid = await addOrg(db);
  const edith = await signIn(deps, { editorOf: [orgid] });
  expect(await read(orgid)).toMatchObject({ typicalGrant: null });
  expect((await edit(edith, orgid, { typicalGrant: 4500.5 })).json()).toMatchObject({ typicalGrant: 4500.5 });
  for (const typicalGrant of [0, -1, 0.5, 1.005, 2e9, '4500']) {
    expect((await edit(edith, orgid, { typicalGrant } as never)).json()).toMatchObject({ field: 'typicalGrant' });
  }
  expect((await edit(edith, orgid, { typicalGrant: null })).json()).toMatchObject({ typicalGrant: null });
});

test('the place is one line, can be removed, and can’t contain an address', async () => {
  const { orgid, edith } = await orgWithEditor();
  expect(await read(orgid)).toMatchObject({ place: '' });
  expect((await edit(edith, orgid, { place: ' Ithaca, New York ' })).json()).toMatchObject({
    place: 'Ithaca, New York',
  });
  expect((await edit(edith, orgid, { place: '' })).json()).toMatchObject({ place: '' });
  const errorOf = async (place: string) => (await edit(edith, orgid, { place })).json();
  expect(await errorOf('x'.repeat(61))).toMatchObject({ code: 'place-too-long', field: 'place' });
  expect(await errorOf('See https://evil.example')).toMatchObject({ code: 'text-with-address', field: 'place' });
  expect(await errorOf('Ithaca\nNew York')).toMatchObject({ code: 'text-unprintable', field: 'place' });
  expect(await read(orgid)).toMatchObject({ place: '' });
});

test('saving the place finds its city, where trips start', async () => {
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
  const { orgid, edith } = await orgWithEditor();
  const editedOrg = async (body: object) =>
    (await call(appWithCities, 'editOrg', { params: { orgid }, as: edith, body })).json<ResponseBody<'editOrg'>>();
  const homeCity = { lat: 42.44, lon: -76.5, address: { city: 'Ithaca', country_code: 'us' } };
  expect(await editedOrg({ place: 'Ithaca, New York' })).toMatchObject({ homeCity });
  expect(await editedOrg({ name: 'Hill Fund' })).toMatchObject({ homeCity });
  expect((await editedOrg({ place: 'Nowhere at all' })).homeCity).toBeNull();
});

test('a place is saved although the search for its city fails', async () => {
  const places = { ...deps.places, search: () => Promise.reject(new Error('The list can’t be read.')) };
  const failing = await buildTestApp({ ...deps, places });
  const { orgid, edith } = await orgWithEditor();
  const response = await call(failing, 'editOrg', { params: { orgid }, as: edith, body: { place: 'Ithaca' } });
  expect(response.json()).toMatchObject({ place: 'Ithaca', homeCity: null });
});

test('the correction is stored exactly, may be negative, and is added on display', async () => {
  const { orgid, edith } = await orgWithEditor();
  const statsDelta = { co2: -12.3456, gas: 0.0001, funds: -0.1, grants: -2 };
  expect((await edit(edith, orgid, { statsDelta })).json()).toMatchObject({ statsDelta });
  expect((await edit(edith, orgid, { statsDelta: { funds: 3 } })).json()).toMatchObject({
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
  const { orgid, edith } = await orgWithEditor();
  const initialOrg = await read(orgid);
  expect((await edit(edith, orgid, { noAwardees: true, ...body })).json()).toMatchObject({ code, field });
  expect(await read(orgid)).toEqual(initialOrg);
});

// @asvs 8.2.3
test('only an admin can change the slug, and an admin can’t change anything else', async () => {
  const { orgid, edith } = await orgWithEditor();
  expect(outcomeOf(await edit(edith, orgid, { slug: 'hill-fund', name: 'Hill Fund' }))).toEqual([403, 'only-admins']);
  expect(await read(orgid)).toMatchObject({ slug: orgid, name: 'Ithaca Climate Fund' });
  expect(outcomeOf(await edit(admin, orgid, { slug: 'hill-fund', name: 'Hill Fund' }))).toEqual([403, 'forbidden']);
  expect((await edit(admin, orgid, { slug: 'hill-fund' })).json()).toMatchObject({ slug: 'hill-fund' });
  const matches = (await call(app, 'readOrgs', { params: {}, query: { slug: 'hill-fund' } })).json();
  expect(matches).toMatchObject([{ id: orgid }]);
  const adminEditor = await signIn(deps, { admin: true, editorOf: [orgid] });
  expect((await edit(adminEditor, orgid, { slug: 'valley-fund', name: 'Valley Fund' })).json()).toMatchObject({
    slug: 'valley-fund',
    name: 'Valley Fund',
  });
});

test('a former slug redirects to its last organization until another takes it', async () => {
  const [first, second] = [await addOrg(db, { slug: 'creek' }), await addOrg(db, { slug: 'river' })];
  const idOf = async (slug: string) => {
    const [found] = (await call(app, 'readOrgs', { params: {}, query: { slug } })).json();
    return found?.id;
  };
  await edit(admin, first, { slug: 'brook' });
  await edit(admin, first, { slug: 'stream' });
  expect(await Promise.all(['creek', 'brook', 'stream'].map(idOf))).toEqual([first, first, first]);
  expect((await edit(admin, second, { slug: 'creek' })).statusCode).toBe(200);
  expect(await Promise.all(['creek', 'brook', 'river'].map(idOf))).toEqual([second, first, second]);
  await edit(admin, second, { slug: 'river' });
  expect(await Promise.all(['creek', 'river'].map(idOf))).toEqual([second, second]);
  await edit(admin, first, { slug: 'creek' });
  expect(await idOf('creek')).toBe(first);
});

test.each([
  ['', 'no-slug'],
  ['ab', 'slug-invalid'],
  ['a b', 'slug-invalid'],
  ['users', 'slug-reserved'],
  ['somebody-elses', 'slug-taken'],
])('the slug %j is rejected as %s', async (slug, code) => {
  const orgid = await addOrg(db);
  if (code === 'slug-taken') await addOrg(db, { slug });
  expect((await edit(admin, orgid, { slug })).json()).toMatchObject({ code, field: 'slug' });
  expect(await read(orgid)).toMatchObject({ slug: orgid });
});

test('an unknown organization is not found', async () => {
  expect(outcomeOf(await edit(admin, 'nowhere', { slug: 'some-where' }))).toEqual([404, 'org-not-found']);
  expect(outcomeOf(await edit(admin, 'nowhere', {}))).toEqual([404, 'org-not-found']);
});

test('only a change to the second-step requirement needs a recent confirmation', async () => {
  const { orgid } = await orgWithEditor();
  const adminEditor = await signIn(deps, { admin: true, editorOf: [orgid] });
  const prove = (at: Date) =>
    db.kysely.updateTable('sessions').set({ authenticated_at: at }).where('id', '=', adminEditor.sessionId).execute();
  await prove(new Date(clock.now().getTime() - 61 * MINUTE));
  const settings = { slug: 'another-slug', stats: { co2: 1 }, statsDelta: { funds: 1 }, timeZone: 'America/Chicago' };
  expect(outcomeOf(await edit(adminEditor, orgid, { ...settings, editorsNeedSecondFactor: false }))).toEqual([200]);
  expect(outcomeOf(await edit(adminEditor, orgid, { editorsNeedSecondFactor: true }))).toEqual([401, 'proof-required']);
  await prove(clock.now());
  expect(outcomeOf(await edit(adminEditor, orgid, { editorsNeedSecondFactor: true }))).not.toEqual([
    401,
    'proof-required',
  ]);
});
