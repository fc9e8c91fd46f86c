// @spec 2.editor decisions.5
import { expect, test } from 'vitest';
import type { CallName } from '#contract/calls.ts';
import type { EditorialStory } from '#contract/schemas/editorial-stories.ts';
import { RUNS_ALL } from '#scripts/test/test-selection.ts';
import { readOrgStats } from '#server/features/ledger/org-stats.ts';
import { removePicture } from '#server/gateways/pictures/remove-picture.job.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { createEditorialForm } from '#test/support/builders/editorial-form.ts';
import { addGrant } from '#test/support/builders/grant.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createPhotoColumn } from '#test/support/builders/photo.ts';
import { addStory } from '#test/support/builders/story.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { listenLocally } from '#test/support/card-provider.ts';
import { createTestClock } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { createPhonePhoto, createPlainPhoto, METADATA_MARKERS } from '#test/support/photos.ts';
import { sendForm } from '#test/support/send-form.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const clock = createTestClock();
const jobs = createJobRecorder();
const deps = await createTestDeps(db, { jobs, now: clock.now });
const app = await buildTestApp(deps);
const base = await listenLocally(app);
const photo = await createPlainPhoto(96, 64).jpeg().toBuffer();

type Kind = 'awardee' | 'installer';
const KINDS = ['awardee', 'installer'] as const;
const CALL_NAMES = {
  awardee: {
    list: 'readAwardeesToEdit',
    read: 'readAwardeeToEdit',
    create: 'createAwardee',
    edit: 'editAwardee',
    setStatus: 'setAwardeeStatus',
    remove: 'deleteAwardee',
    readPublic: 'readAwardees',
  },
  installer: {
    list: 'readInstallersToEdit',
    read: 'readInstallerToEdit',
    create: 'createInstaller',
    edit: 'editInstaller',
    setStatus: 'setInstallerStatus',
    remove: 'deleteInstaller',
    readPublic: 'readInstallers',
  },
} as const satisfies Record<Kind, Record<string, CallName>>;

async function createFund() {
  const orgId = await addOrg(db);
  return { orgid: orgId, edith: await signIn(deps, { name: 'Edith', editorOf: [orgId] }) };
}

const storyParams = (kind: Kind, orgId: string, id: string) => ({ orgid: orgId, [`${kind}id`]: id }) as never;
const create = (kind: Kind, as: SignedInPerson, orgId: string, form: FormData) =>
  sendForm(base, CALL_NAMES[kind].create, { params: { orgid: orgId }, as, form });
const edit = (kind: Kind, as: SignedInPerson, orgId: string, id: string, form: FormData) =>
  sendForm(base, CALL_NAMES[kind].edit, { params: storyParams(kind, orgId, id), as, form });
const setStatus = (kind: Kind, as: SignedInPerson, orgId: string, id: string, status: string) =>
  call(app, CALL_NAMES[kind].setStatus, { params: storyParams(kind, orgId, id), as, body: { status } });
const readPublicIds = async (kind: Kind, orgId: string) =>
  (await call(app, CALL_NAMES[kind].readPublic, { params: { orgid: orgId } }))
    .json<{ id: string }[]>()
    .map(({ id }) => id);
const listStories = async (kind: Kind, as: SignedInPerson, orgId: string, query: Record<string, string> = {}) =>
  (await call(app, CALL_NAMES[kind].list, { params: { orgid: orgId }, as, query })).json<EditorialStory[]>();
const countGrants = async (orgId: string) => (await readOrgStats(db, orgId)).grants;
const CONSENT = { consent: 'true' } as const;
const completeForm = (kind: Kind, fields: Record<string, string> = {}) =>
  createEditorialForm({ ...(kind === 'awardee' ? CONSENT : {}), ...fields }, photo);

test.each(KINDS)('an %s starts as a hidden draft and needs no photo', async (kind) => {
  const { orgid: orgId, edith } = await createFund();
  const { status, body } = await create(kind, edith, orgId, createEditorialForm({ name: '  Anna Awarded ' }));
  expect(status).toBe(200);
  expect(body).toMatchObject({ name: 'Anna Awarded', status: 'draft', photo: null });
  expect(await readPublicIds(kind, orgId)).toEqual([]);
  const { json } = await call(app, CALL_NAMES[kind].read, { params: storyParams(kind, orgId, body.id), as: edith });
  expect(json()).toEqual(body);
});

test.each(KINDS)('adding an %s again after a lost response changes it instead of adding another', async (kind) => {
  const { orgid: orgId, edith } = await createFund();
  const requestId = crypto.randomUUID();
  const firstResponse = await create(
    kind,
    edith,
    orgId,
    createEditorialForm({ requestid: requestId, name: 'Anna' }, photo),
  );
  const retry = await create(
    kind,
    edith,
    orgId,
    createEditorialForm({ requestid: requestId, name: 'Anna Awarded' }, photo),
  );
  expect(retry.body).toMatchObject({ id: firstResponse.body.id, name: 'Anna Awarded' });
  expect(await listStories(kind, edith, orgId)).toEqual([retry.body]);
  const otherFund = await createFund();
  const otherResponse = await create(
    kind,
    otherFund.edith,
    otherFund.orgid,
    createEditorialForm({ requestid: requestId }),
  );
  expect([otherResponse.status, otherResponse.body.code]).toEqual([404, `${kind}-not-found`]);
});

test.each(KINDS)('a complete %s is published immediately with a sanitized photo', async (kind) => {
  const { orgid: orgId, edith } = await createFund();
  const fields = { ...(kind === 'awardee' ? CONSENT : {}), status: 'published' };
  const { body } = await create(kind, edith, orgId, createEditorialForm(fields, await createPhonePhoto(800)));
  expect(body.status).toBe('published');
  expect(await readPublicIds(kind, orgId)).toEqual([body.id]);
  const photoResponse = await app.inject(body.photo.url);
  for (const mark of METADATA_MARKERS) expect(photoResponse.rawPayload.includes(mark)).toBe(false);
});

test.each(KINDS)('an %s without a photo can’t be published from the form or the Publish button', async (kind) => {
  const { orgid: orgId, edith } = await createFund();
  const fields = kind === 'awardee' ? CONSENT : {};
  const response = await create(kind, edith, orgId, createEditorialForm({ ...fields, status: 'published' }));
  expect(response).toMatchObject({ status: 422, body: { code: 'story-without-photo', field: 'file' } });
  expect(await listStories(kind, edith, orgId)).toEqual([]);
  const { body } = await create(kind, edith, orgId, createEditorialForm(fields));
  expect(readOutcome(await setStatus(kind, edith, orgId, body.id, 'published'))).toEqual([422, 'story-without-photo']);
  expect(await readPublicIds(kind, orgId)).toEqual([]);
});

test('an awardee can’t be published without consent from the form or the Publish button', async () => {
  const { orgid: orgId, edith } = await createFund();
  const response = await create('awardee', edith, orgId, createEditorialForm({ status: 'published' }, photo));
  expect(response).toMatchObject({ status: 422, body: { code: 'no-consent', field: 'consent' } });
  const { body } = await create('awardee', edith, orgId, createEditorialForm({ consent: 'false' }, photo));
  expect(body.consent).toEqual({ isGiven: false, changedTimestamp: null, recordedBy: null });
  expect(readOutcome(await setStatus('awardee', edith, orgId, body.id, 'published'))).toEqual([422, 'no-consent']);
  const secondEdit = await edit('awardee', edith, orgId, body.id, createEditorialForm({ status: 'published' }));
  expect(secondEdit).toMatchObject({ status: 422, body: { code: 'no-consent' } });
  expect(await readPublicIds('awardee', orgId)).toEqual([]);
});

test.each(KINDS)('the later of two simultaneous edits of an %s is rejected with the newer text', async (kind) => {
  const { orgid: orgId, edith } = await createFund();
  const { body } = await create(kind, edith, orgId, completeForm(kind, { name: 'Anna Awarded' }));
  const { name, story }: EditorialStory = body;
  const baseVersion = { basedOnName: name, basedOnStory: story };
  const otherStory = `${story} Somebody else adds to it.`;
  const firstEdit = await edit(
    kind,
    edith,
    orgId,
    body.id,
    createEditorialForm({ ...baseVersion, name, story: otherStory }),
  );
  expect(firstEdit).toMatchObject({ status: 200, body: { story: otherStory } });
  const ownEdit = { name, story: `${story} I add to it.` };
  const lateEdit = await edit(kind, edith, orgId, body.id, createEditorialForm({ ...baseVersion, ...ownEdit }));
  expect(lateEdit).toMatchObject({
    status: 409,
    body: { code: 'story-changed', details: { name, story: otherStory, isSavedByCaller: 1 } },
  });
  const emil = await signIn(deps, { name: 'Emil', editorOf: [orgId] });
  expect(await edit(kind, emil, orgId, body.id, createEditorialForm({ ...baseVersion, ...ownEdit }))).toMatchObject({
    body: { details: { isSavedByCaller: 0 } },
  });
  const [currentStory] = await listStories(kind, edith, orgId);
  expect(currentStory?.story).toBe(otherStory);
  // Replaces the newer story that the editor has seen. Sending the same change again isn't a conflict.
  const overwrite = { ...ownEdit, basedOnName: name, basedOnStory: otherStory };
  expect((await edit(kind, edith, orgId, body.id, createEditorialForm(overwrite))).status).toBe(200);
  expect((await edit(kind, edith, orgId, body.id, createEditorialForm({ ...baseVersion, ...ownEdit }))).status).toBe(
    200,
  );
  const renamedEdit = { ...ownEdit, basedOnName: 'Another name', basedOnStory: ownEdit.story, name: 'A third name' };
  expect((await edit(kind, edith, orgId, body.id, createEditorialForm(renamedEdit))).status).toBe(409);
});

test.each(KINDS)('line breaks in an %s’s story are preserved, regardless of the form’s encoding', async (kind) => {
  const { orgid: orgId, edith } = await createFund();
  const story = 'We were cold in every room.\n\nWe are warm now.';
  const { body } = await create(kind, edith, orgId, createEditorialForm({ story }));
  expect(body.story).toBe(story);
});

test('a photo in a rejected form is discarded', async () => {
  const { orgid: orgId, edith } = await createFund();
  const discardedKeys: string[] = [];
  const depsWithDiscardSpy = {
    ...deps,
    pictures: { ...deps.pictures, discard: async (key: string) => void discardedKeys.push(key) },
  };
  const appWithSpy = await buildTestApp(depsWithDiscardSpy);
  const form = createEditorialForm({ status: 'published' }, photo);
  await sendForm(await listenLocally(appWithSpy), 'createAwardee', { params: { orgid: orgId }, as: edith, form });
  expect(discardedKeys).toHaveLength(1);
});

test('consent keeps its recorder and time until it’s revoked; revoking it hides the story', async () => {
  const { orgid: orgId, edith } = await createFund();
  const emil = await signIn(deps, { name: 'Emil', editorOf: [orgId] });
  const consentedAt = clock.now().toISOString();
  const { body } = await create('awardee', edith, orgId, completeForm('awardee', { status: 'published' }));
  expect(body.consent).toEqual({ isGiven: true, changedTimestamp: consentedAt, recordedBy: 'Edith' });
  clock.advance(60_000);
  const response = await edit('awardee', emil, orgId, body.id, createEditorialForm({ ...CONSENT, name: 'Anna A.' }));
  expect(response.body).toMatchObject({
    status: 'published',
    consent: { isGiven: true, changedTimestamp: consentedAt, recordedBy: 'Edith' },
  });
  expect((await edit('awardee', emil, orgId, body.id, createEditorialForm())).body.consent.isGiven).toBe(true);
  const revokeResponse = await edit('awardee', emil, orgId, body.id, createEditorialForm({ consent: 'false' }));
  expect(revokeResponse.body).toMatchObject({
    status: 'hidden',
    consent: { isGiven: false, changedTimestamp: clock.now().toISOString(), recordedBy: 'Emil' },
  });
  expect(await readPublicIds('awardee', orgId)).toEqual([]);
  expect(readOutcome(await setStatus('awardee', emil, orgId, body.id, 'published'))).toEqual([422, 'no-consent']);
});

test('each published awardee counts as a grant, and hidden, draft, and deleted ones don’t', async () => {
  const { orgid: orgId, edith } = await createFund();
  const { body } = await create('awardee', edith, orgId, completeForm('awardee', { status: 'published' }));
  await create('awardee', edith, orgId, completeForm('awardee'));
  expect(await countGrants(orgId)).toBe(1);
  await setStatus('awardee', edith, orgId, body.id, 'hidden');
  expect(await countGrants(orgId)).toBe(0);
  await setStatus('awardee', edith, orgId, body.id, 'published');
  expect(await countGrants(orgId)).toBe(1);
  await edit('awardee', edith, orgId, body.id, createEditorialForm({ consent: 'false' }));
  expect(await countGrants(orgId)).toBe(0);
  await edit('awardee', edith, orgId, body.id, createEditorialForm({ ...CONSENT, status: 'published' }));
  expect(await countGrants(orgId)).toBe(1);
  await call(app, 'deleteAwardee', { params: { orgid: orgId, awardeeid: body.id }, as: edith });
  expect(await countGrants(orgId)).toBe(0);
  expect((await call(app, 'readOrg', { params: { orgid: orgId } })).json().stats.grants).toBe(0);
});

test.each(KINDS)('publishing an %s immediately changes the organization’s version', async (kind) => {
  const { orgid: orgId, edith } = await createFund();
  const readVersion = async () =>
    db.kysely.selectFrom('org_versions').select('version').where('org_id', '=', orgId).executeTakeFirst();
  const { body } = await create(kind, edith, orgId, completeForm(kind));
  const initialVersion = await readVersion();
  await setStatus(kind, edith, orgId, body.id, 'published');
  expect(await readVersion()).not.toEqual(initialVersion);
});

test.each(KINDS)('a new photo of an %s replaces the old one and its files, and deleting removes them', async (kind) => {
  const { orgid: orgId, edith } = await createFund();
  const { body } = await create(kind, edith, orgId, completeForm(kind));
  const editedStory = (await edit(kind, edith, orgId, body.id, createEditorialForm({}, await createPhonePhoto(800))))
    .body;
  expect(editedStory.photo.url).not.toBe(body.photo.url);
  await call(app, CALL_NAMES[kind].remove, { params: storyParams(kind, orgId, body.id), as: edith });
  const keyOf = (url: string) => url.split('/')[2] ?? '';
  const keys = [keyOf(body.photo.url), keyOf(editedStory.photo.url)];
  const removeJobs = jobs.findPayloads(removePicture).filter(({ key }) => keys.includes(key));
  expect(removeJobs.map(({ key }) => key)).toEqual(keys);
  for (const job of removeJobs) await deps.pictures.remove(job.key);
  expect((await app.inject(editedStory.photo.url)).statusCode).toBe(404);
  const secondRemoval = await call(app, CALL_NAMES[kind].remove, {
    params: storyParams(kind, orgId, body.id),
    as: edith,
  });
  expect(readOutcome(secondRemoval)).toEqual([404, `${kind}-not-found`]);
});

test.each(KINDS)('the list of %ss is newest first, paginated, and filterable by status and name', async (kind) => {
  const { orgid: orgId, edith } = await createFund();
  const add = (name: string, status: 'draft' | 'published' | 'hidden', minutes: number) =>
    addStory(db, `${kind}s`, orgId, { name, status, created_at: new Date(Date.UTC(2026, 2, 14, 9, minutes)) });
  const first = await add('100% Insulated', 'draft', 1);
  const second = await add('Bea Boiler', 'published', 2);
  const third = await add('Carl Caulk', 'hidden', 3);
  const listIds = async (query: Record<string, string>) =>
    (await listStories(kind, edith, orgId, query)).map(({ id }) => id);
  expect(await listIds({})).toEqual([third, second, first]);
  expect(await listIds({ status: 'published' })).toEqual([second]);
  expect(await listIds({ query: 'caul' })).toEqual([third]);
  expect(await listIds({ query: '%' })).toEqual([first]);
  const firstPage = await call(app, CALL_NAMES[kind].list, {
    params: { orgid: orgId },
    as: edith,
    query: { max: '2' },
  });
  expect(firstPage.headers['x-next-cursor']).toBe(second);
  expect(await listIds({ max: '2', cursorRef: second })).toEqual([first]);
});

test.each(KINDS)('another organization’s %s can’t be found or changed', async (kind) => {
  const { orgid: orgId, edith } = await createFund();
  const id = await addStory(db, `${kind}s`, (await createFund()).orgid, { photo: createPhotoColumn() });
  const notFound = [404, `${kind}-not-found`];
  expect(readOutcome(await setStatus(kind, edith, orgId, id, 'hidden'))).toEqual(notFound);
  expect(await edit(kind, edith, orgId, id, createEditorialForm())).toMatchObject({ status: 404 });
  expect(
    readOutcome(await call(app, CALL_NAMES[kind].remove, { params: storyParams(kind, orgId, id), as: edith })),
  ).toEqual(notFound);
  const row = await db.kysely.selectFrom(`${kind}s`).select('status').where('id', '=', id).executeTakeFirst();
  expect(row).toEqual({ status: 'published' });
});

const repeatLetter = (length: number) => 'a'.repeat(length);

test.each([
  ['name', '', 'no-name'],
  ['name', ' An ', 'name-too-short'],
  ['name', repeatLetter(101), 'name-too-long'],
  ['story', '', 'no-story'],
  ['story', repeatLetter(25), 'story-too-short'],
  ['story', repeatLetter(10_001), 'story-too-long'],
  ['name', 'An\u0000na', 'invalid-input'],
  ['status', 'shown', 'invalid-input'],
  ['consent', 'perhaps', 'invalid-input'],
  ['consented_at', '2026-01-01', 'invalid-input'],
])('the %s %j is rejected as %s, and nothing is stored', async (field, value, code) => {
  const { orgid: orgId, edith } = await createFund();
  const { status, body } = await create('awardee', edith, orgId, createEditorialForm({ [field]: value }));
  expect(body).toMatchObject({ code });
  expect(status).toBeLessThan(500);
  expect(await listStories('awardee', edith, orgId)).toEqual([]);
});

test('consent can’t be recorded for an installer', async () => {
  const { orgid: orgId, edith } = await createFund();
  const response = await create('installer', edith, orgId, createEditorialForm({ ...CONSENT }));
  expect(response.body).toMatchObject({ code: 'invalid-input' });
  const { body } = await create('installer', edith, orgId, createEditorialForm());
  expect(body.consent).toBeNull();
});

const LARGE_PHOTO: [string, Buffer, number, string] = [
  'a 25 MB photo',
  Buffer.alloc(25 * 1_048_576),
  413,
  'photo-too-large',
];

test.each<[string, Buffer, number, string]>([
  ['an empty photo', Buffer.alloc(0), 422, 'no-img'],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 415, 'photo-format'],
  ...(RUNS_ALL ? [LARGE_PHOTO] : []),
])('rejects %s and reports the field', async (_what, bytes, status, code) => {
  const { orgid: orgId, edith } = await createFund();
  const response = await create('awardee', edith, orgId, createEditorialForm({}, bytes));
  expect(response).toMatchObject({ status, body: { code, field: 'file' } });
});

test('revoking consent while publishing leaves no story public without consent', async () => {
  const { orgid: orgId, edith } = await createFund();
  for (let round = 0; round < 5; round += 1) {
    const { body } = await create('awardee', edith, orgId, completeForm('awardee'));
    await Promise.all([
      edit('awardee', edith, orgId, body.id, createEditorialForm({ consent: 'false' })),
      setStatus('awardee', edith, orgId, body.id, 'published'),
    ]);
  }
  expect(await readPublicIds('awardee', orgId)).toEqual([]);
});

test('deleting the editor who recorded consent keeps the record but removes the name', async () => {
  const { orgid: orgId, edith } = await createFund();
  const emil = await signIn(deps, { name: 'Emil', editorOf: [orgId] });
  const { body } = await create('awardee', emil, orgId, completeForm('awardee', { status: 'published' }));
  await db.kysely.deleteFrom('users').where('id', '=', emil.userId).execute();
  const [currentStory] = await listStories('awardee', edith, orgId);
  expect(currentStory).toMatchObject({
    id: body.id,
    status: 'published',
    consent: { isGiven: true, recordedBy: null },
  });
});

test('an awardee’s row has its grants with amounts and stages', async () => {
  const { orgid, edith } = await createFund();
  const home = await addStory(db, 'awardees', orgid);
  await addStory(db, 'awardees', orgid);
  const grant = await addGrant(db, orgid, { awardeeId: home, stage: 'promised', cents: 125_000 });
  const list = (await call(app, 'readAwardeesToEdit', { params: { orgid }, as: edith })).json<EditorialStory[]>();
  expect(list.map(({ id, grants }) => [id === home, grants])).toEqual(
    expect.arrayContaining([
      [true, [{ id: grant, stage: 'promised', amount: 1250 }]],
      [false, []],
    ]),
  );
});
