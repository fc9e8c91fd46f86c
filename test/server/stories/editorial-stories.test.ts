// @spec 2.editor decisions.5
import { expect, test } from 'vitest';
import type { CallName } from '#contract/calls.ts';
import type { EditorialStory } from '#contract/schemas/editorial-stories.ts';
import { RUNS_ALL } from '#scripts/test/tier.ts';
import { orgStats } from '#server/features/ledger/org-stats.ts';
import { removePicture } from '#server/gateways/pictures/remove-picture.job.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { editorialForm } from '#test/support/builders/editorial-form.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { photoColumn } from '#test/support/builders/photo.ts';
import { addStory } from '#test/support/builders/story.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { listenLocally } from '#test/support/card-provider.ts';
import { testClock } from '#test/support/clock.ts';
import { testDatabase } from '#test/support/database.ts';
import { jobRecorder } from '#test/support/job-recorder.ts';
import { METADATA_MARKS, phonePhoto, plainPhoto } from '#test/support/photos.ts';
import { sendForm } from '#test/support/send-form.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await testDatabase();
const clock = testClock();
const jobs = jobRecorder();
const deps = await testDeps(db, { jobs, now: clock.now });
const app = await buildTestApp(deps);
const base = await listenLocally(app);
const photo = await plainPhoto(96, 64).jpeg().toBuffer();

type Kind = 'awardee' | 'installer';
const KINDS = ['awardee', 'installer'] as const;
const NAMES = {
  awardee: {
    list: 'readAwardeesToEdit',
    one: 'readAwardeeToEdit',
    create: 'createAwardee',
    edit: 'editAwardee',
    status: 'setAwardeeStatus',
    remove: 'deleteAwardee',
    shown: 'readAwardees',
  },
  installer: {
    list: 'readInstallersToEdit',
    one: 'readInstallerToEdit',
    create: 'createInstaller',
    edit: 'editInstaller',
    status: 'setInstallerStatus',
    remove: 'deleteInstaller',
    shown: 'readInstallers',
  },
} as const satisfies Record<Kind, Record<string, CallName>>;

async function fund() {
  const orgid = await addOrg(db);
  return { orgid, edith: await signIn(deps, { name: 'Edith', editorOf: [orgid] }) };
}

const paramsOf = (kind: Kind, orgid: string, id: string) => ({ orgid, [`${kind}id`]: id }) as never;
const create = (kind: Kind, as: SignedInPerson, orgid: string, form: FormData) =>
  sendForm(base, NAMES[kind].create, { params: { orgid }, as, form });
const edit = (kind: Kind, as: SignedInPerson, orgid: string, id: string, form: FormData) =>
  sendForm(base, NAMES[kind].edit, { params: paramsOf(kind, orgid, id), as, form });
const setStatus = (kind: Kind, as: SignedInPerson, orgid: string, id: string, status: string) =>
  call(app, NAMES[kind].status, { params: paramsOf(kind, orgid, id), as, body: { status } });
const shownIds = async (kind: Kind, orgid: string) =>
  (await call(app, NAMES[kind].shown, { params: { orgid } })).json<{ id: string }[]>().map(({ id }) => id);
const listStories = async (kind: Kind, as: SignedInPerson, orgid: string, query: Record<string, string> = {}) =>
  (await call(app, NAMES[kind].list, { params: { orgid }, as, query })).json<EditorialStory[]>();
const grants = async (orgid: string) => (await orgStats(db, orgid)).grants;
const CONSENTED = { consent: 'true' } as const;
const ready = (kind: Kind, fields: Record<string, string> = {}) =>
  editorialForm({ ...(kind === 'awardee' ? CONSENTED : {}), ...fields }, photo);

test.each(KINDS)('an %s starts as a hidden draft and needs no photo', async (kind) => {
  const { orgid, edith } = await fund();
  const { status, body } = await create(kind, edith, orgid, editorialForm({ name: '  Anna Awarded ' }));
  expect(status).toBe(200);
  expect(body).toMatchObject({ name: 'Anna Awarded', status: 'draft', photo: null });
  expect(await shownIds(kind, orgid)).toEqual([]);
  const { json } = await call(app, NAMES[kind].one, { params: paramsOf(kind, orgid, body.id), as: edith });
  expect(json()).toEqual(body);
});

test.each(KINDS)('adding an %s again after a lost response changes it instead of adding another', async (kind) => {
  const { orgid, edith } = await fund();
  const requestid = crypto.randomUUID();
  const first = await create(kind, edith, orgid, editorialForm({ requestid, name: 'Anna' }, photo));
  const retry = await create(kind, edith, orgid, editorialForm({ requestid, name: 'Anna Awarded' }, photo));
  expect(retry.body).toMatchObject({ id: first.body.id, name: 'Anna Awarded' });
  expect(await listStories(kind, edith, orgid)).toEqual([retry.body]);
  const other = await fund();
  const elsewhere = await create(kind, other.edith, other.orgid, editorialForm({ requestid }));
  expect([elsewhere.status, elsewhere.body.code]).toEqual([404, `${kind}-not-found`]);
});

test.each(KINDS)('a complete %s is published at once with a sanitized photo', async (kind) => {
  const { orgid, edith } = await fund();
  const fields = { ...(kind === 'awardee' ? CONSENTED : {}), status: 'published' };
  const { body } = await create(kind, edith, orgid, editorialForm(fields, await phonePhoto(800)));
  expect(body.status).toBe('published');
  expect(await shownIds(kind, orgid)).toEqual([body.id]);
  const served = await app.inject(body.photo.url);
  for (const mark of METADATA_MARKS) expect(served.rawPayload.includes(mark)).toBe(false);
});

test.each(KINDS)('an %s without a photo isn’t published, by form or by click', async (kind) => {
  const { orgid, edith } = await fund();
  const fields = kind === 'awardee' ? CONSENTED : {};
  const response = await create(kind, edith, orgid, editorialForm({ ...fields, status: 'published' }));
  expect(response).toMatchObject({ status: 422, body: { code: 'story-without-photo', field: 'file' } });
  expect(await listStories(kind, edith, orgid)).toEqual([]);
  const { body } = await create(kind, edith, orgid, editorialForm(fields));
  expect(outcomeOf(await setStatus(kind, edith, orgid, body.id, 'published'))).toEqual([422, 'story-without-photo']);
  expect(await shownIds(kind, orgid)).toEqual([]);
});

test('no awardee is published without consent, by form or by click', async () => {
  const { orgid, edith } = await fund();
  const response = await create('awardee', edith, orgid, editorialForm({ status: 'published' }, photo));
  expect(response).toMatchObject({ status: 422, body: { code: 'no-consent', field: 'consent' } });
  const { body } = await create('awardee', edith, orgid, editorialForm({ consent: 'false' }, photo));
  expect(body.consent).toEqual({ given: false, at: null, by: null });
  expect(outcomeOf(await setStatus('awardee', edith, orgid, body.id, 'published'))).toEqual([422, 'no-consent']);
  const secondEdit = await edit('awardee', edith, orgid, body.id, editorialForm({ status: 'published' }));
  expect(secondEdit).toMatchObject({ status: 422, body: { code: 'no-consent' } });
  expect(await shownIds('awardee', orgid)).toEqual([]);
});

test.each(KINDS)('of two simultaneous edits of an %s, the later one is rejected with the newer text', async (kind) => {
  const { orgid, edith } = await fund();
  const { body } = await create(kind, edith, orgid, ready(kind, { name: 'Anna Awarded' }));
  const { name, story }: EditorialStory = body;
  const baseVersion = { basedOnName: name, basedOnStory: story };
  const otherStory = `${story} Somebody else adds to it.`;
  const first = await edit(kind, edith, orgid, body.id, editorialForm({ ...baseVersion, name, story: otherStory }));
  expect(first).toMatchObject({ status: 200, body: { story: otherStory } });
  const ownEdit = { name, story: `${story} I add to it.` };
  const lateEdit = await edit(kind, edith, orgid, body.id, editorialForm({ ...baseVersion, ...ownEdit }));
  expect(lateEdit).toMatchObject({
    status: 409,
    body: { code: 'story-changed', details: { name, story: otherStory } },
  });
  const [kept] = await listStories(kind, edith, orgid);
  expect(kept?.story).toBe(otherStory);
  // Replaces the newer story that the editor has seen. Sending the same change again isn't a conflict.
  const overwrite = { ...ownEdit, basedOnName: name, basedOnStory: otherStory };
  expect((await edit(kind, edith, orgid, body.id, editorialForm(overwrite))).status).toBe(200);
  expect((await edit(kind, edith, orgid, body.id, editorialForm({ ...baseVersion, ...ownEdit }))).status).toBe(200);
  const renamedEdit = { ...ownEdit, basedOnName: 'Another name', basedOnStory: ownEdit.story, name: 'A third name' };
  expect((await edit(kind, edith, orgid, body.id, editorialForm(renamedEdit))).status).toBe(409);
});

test.each(KINDS)('line breaks in an %s’s story are kept, regardless of the form’s encoding', async (kind) => {
  const { orgid, edith } = await fund();
  const story = 'We were cold in every room.\n\nWe are warm now.';
  const { body } = await create(kind, edith, orgid, editorialForm({ story }));
  expect(body.story).toBe(story);
});

test('a photo in a rejected form isn’t kept', async () => {
  const { orgid, edith } = await fund();
  const removed: string[] = [];
  const watching = { ...deps, pictures: { ...deps.pictures, discard: async (key: string) => void removed.push(key) } };
  const otherApp = await buildTestApp(watching);
  const form = editorialForm({ status: 'published' }, photo);
  await sendForm(await listenLocally(otherApp), 'createAwardee', { params: { orgid }, as: edith, form });
  expect(removed).toHaveLength(1);
});

test('a consent keeps who and when until it’s revoked, which hides the story', async () => {
  const { orgid, edith } = await fund();
  const emil = await signIn(deps, { name: 'Emil', editorOf: [orgid] });
  const consentedAt = clock.now().toISOString();
  const { body } = await create('awardee', edith, orgid, ready('awardee', { status: 'published' }));
  expect(body.consent).toEqual({ given: true, at: consentedAt, by: 'Edith' });
  clock.pass(60_000);
  const response = await edit('awardee', emil, orgid, body.id, editorialForm({ ...CONSENTED, name: 'Anna A.' }));
  expect(response.body).toMatchObject({ status: 'published', consent: { given: true, at: consentedAt, by: 'Edith' } });
  expect((await edit('awardee', emil, orgid, body.id, editorialForm())).body.consent.given).toBe(true);
  const revoked = await edit('awardee', emil, orgid, body.id, editorialForm({ consent: 'false' }));
  expect(revoked.body).toMatchObject({
    status: 'hidden',
    consent: { given: false, at: clock.now().toISOString(), by: 'Emil' },
  });
  expect(await shownIds('awardee', orgid)).toEqual([]);
  expect(outcomeOf(await setStatus('awardee', emil, orgid, body.id, 'published'))).toEqual([422, 'no-consent']);
});

test('each published awardee counts as a grant, and hidden, draft, and deleted ones don’t', async () => {
  const { orgid, edith } = await fund();
  const { body } = await create('awardee', edith, orgid, ready('awardee', { status: 'published' }));
  await create('awardee', edith, orgid, ready('awardee'));
  expect(await grants(orgid)).toBe(1);
  await setStatus('awardee', edith, orgid, body.id, 'hidden');
  expect(await grants(orgid)).toBe(0);
  await setStatus('awardee', edith, orgid, body.id, 'published');
  expect(await grants(orgid)).toBe(1);
  await edit('awardee', edith, orgid, body.id, editorialForm({ consent: 'false' }));
  expect(await grants(orgid)).toBe(0);
  await edit('awardee', edith, orgid, body.id, editorialForm({ ...CONSENTED, status: 'published' }));
  expect(await grants(orgid)).toBe(1);
  await call(app, 'deleteAwardee', { params: { orgid, awardeeid: body.id }, as: edith });
  expect(await grants(orgid)).toBe(0);
  expect((await call(app, 'readOrg', { params: { orgid } })).json().stats.grants).toBe(0);
});

test.each(KINDS)('publishing an %s raises its organization’s version at once', async (kind) => {
  const { orgid, edith } = await fund();
  const version = async () =>
    db.kysely.selectFrom('org_versions').select('version').where('org_id', '=', orgid).executeTakeFirst();
  const { body } = await create(kind, edith, orgid, ready(kind));
  const initialVersion = await version();
  await setStatus(kind, edith, orgid, body.id, 'published');
  expect(await version()).not.toEqual(initialVersion);
});

test.each(KINDS)('a new photo of an %s replaces the old one and its files, and deleting removes them', async (kind) => {
  const { orgid, edith } = await fund();
  const { body } = await create(kind, edith, orgid, ready(kind));
  const second = (await edit(kind, edith, orgid, body.id, editorialForm({}, await phonePhoto(800)))).body;
  expect(second.photo.url).not.toBe(body.photo.url);
  await call(app, NAMES[kind].remove, { params: paramsOf(kind, orgid, body.id), as: edith });
  const keyOf = (url: string) => url.split('/')[2] ?? '';
  const keys = [keyOf(body.photo.url), keyOf(second.photo.url)];
  const removeJobs = jobs.dataOf(removePicture).filter(({ key }) => keys.includes(key));
  expect(removeJobs.map(({ key }) => key)).toEqual(keys);
  for (const job of removeJobs) await deps.pictures.remove(job.key);
  expect((await app.inject(second.photo.url)).statusCode).toBe(404);
  const secondRemoval = await call(app, NAMES[kind].remove, { params: paramsOf(kind, orgid, body.id), as: edith });
  expect(outcomeOf(secondRemoval)).toEqual([404, `${kind}-not-found`]);
});

test.each(KINDS)('the list of %ss is newest first, by status and name, in pages', async (kind) => {
  const { orgid, edith } = await fund();
  const add = (name: string, status: 'draft' | 'published' | 'hidden', minutes: number) =>
    addStory(db, `${kind}s`, orgid, { name, status, created_at: new Date(Date.UTC(2026, 2, 14, 9, minutes)) });
  const first = await add('100% Insulated', 'draft', 1);
  const second = await add('Bea Boiler', 'published', 2);
  const third = await add('Carl Caulk', 'hidden', 3);
  const ids = async (query: Record<string, string>) =>
    (await listStories(kind, edith, orgid, query)).map(({ id }) => id);
  expect(await ids({})).toEqual([third, second, first]);
  expect(await ids({ status: 'published' })).toEqual([second]);
  expect(await ids({ query: 'caul' })).toEqual([third]);
  expect(await ids({ query: '%' })).toEqual([first]);
  const part = await call(app, NAMES[kind].list, { params: { orgid }, as: edith, query: { max: '2' } });
  expect(part.headers['x-next-cursor']).toBe(second);
  expect(await ids({ max: '2', cursorRef: second })).toEqual([first]);
});

test.each(KINDS)('another organization’s %s is not found and unchanged', async (kind) => {
  const { orgid, edith } = await fund();
  const id = await addStory(db, `${kind}s`, (await fund()).orgid, { photo: photoColumn() });
  const missing = [404, `${kind}-not-found`];
  expect(outcomeOf(await setStatus(kind, edith, orgid, id, 'hidden'))).toEqual(missing);
  expect(await edit(kind, edith, orgid, id, editorialForm())).toMatchObject({ status: 404 });
  expect(outcomeOf(await call(app, NAMES[kind].remove, { params: paramsOf(kind, orgid, id), as: edith }))).toEqual(
    missing,
  );
  const row = await db.kysely.selectFrom(`${kind}s`).select('status').where('id', '=', id).executeTakeFirst();
  expect(row).toEqual({ status: 'published' });
});

const text = (length: number) => 'a'.repeat(length);

test.each([
  ['name', '', 'no-name'],
  ['name', ' An ', 'name-too-short'],
  ['name', text(101), 'name-too-long'],
  ['story', '', 'no-story'],
  ['story', text(25), 'story-too-short'],
  ['story', text(10_001), 'story-too-long'],
  ['name', 'An\u0000na', 'invalid-input'],
  ['status', 'shown', 'invalid-input'],
  ['consent', 'perhaps', 'invalid-input'],
  ['consented_at', '2026-01-01', 'invalid-input'],
])('the %s %j is rejected as %s, and nothing is stored', async (field, value, code) => {
  const { orgid, edith } = await fund();
  const { status, body } = await create('awardee', edith, orgid, editorialForm({ [field]: value }));
  expect(body).toMatchObject({ code });
  expect(status).toBeLessThan(500);
  expect(await listStories('awardee', edith, orgid)).toEqual([]);
});

test('an installer has no consent to record', async () => {
  const { orgid, edith } = await fund();
  const response = await create('installer', edith, orgid, editorialForm({ ...CONSENTED }));
  expect(response.body).toMatchObject({ code: 'invalid-input' });
  const { body } = await create('installer', edith, orgid, editorialForm());
  expect(body.consent).toBeNull();
});

const LARGE_PHOTO: [string, Buffer, number, string] = [
  'a photo of 25 MB',
  Buffer.alloc(25 * 1_048_576),
  413,
  'photo-too-large',
];

test.each<[string, Buffer, number, string]>([
  ['an empty photo', Buffer.alloc(0), 422, 'no-img'],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 415, 'photo-format'],
  ...(RUNS_ALL ? [LARGE_PHOTO] : []),
])('%s is rejected with an error for its field', async (_what, bytes, status, code) => {
  const { orgid, edith } = await fund();
  const response = await create('awardee', edith, orgid, editorialForm({}, bytes));
  expect(response).toMatchObject({ status, body: { code, field: 'file' } });
});

test('simultaneous revoking and publishing leaves nothing shown without consent', async () => {
  const { orgid, edith } = await fund();
  for (let round = 0; round < 5; round += 1) {
    const { body } = await create('awardee', edith, orgid, ready('awardee'));
    await Promise.all([
      edit('awardee', edith, orgid, body.id, editorialForm({ consent: 'false' })),
      setStatus('awardee', edith, orgid, body.id, 'published'),
    ]);
  }
  expect(await shownIds('awardee', orgid)).toEqual([]);
});

test("after the recording editor's account is deleted, the consent record stays without the name", async () => {
  const { orgid, edith } = await fund();
  const emil = await signIn(deps, { name: 'Emil', editorOf: [orgid] });
  const { body } = await create('awardee', emil, orgid, ready('awardee', { status: 'published' }));
  await db.kysely.deleteFrom('users').where('id', '=', emil.userId).execute();
  const [kept] = await listStories('awardee', edith, orgid);
  expect(kept).toMatchObject({ id: body.id, status: 'published', consent: { given: true, by: null } });
});
