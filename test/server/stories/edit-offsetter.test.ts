// @spec 1.owners 2.offsetter-screen 5.edit-offsetter 6.admin 7.edit-offsetter 7.delete-offsetter 8.strings
import { expect, test } from 'vitest';
import type { CallParams } from '#contract/calls.ts';
import { RUNS_ALL } from '#scripts/test/test-selection.ts';
import { presentPicture } from '#server/entities/present-profile.ts';
import { sendStoryEmail } from '#server/features/stories/send-story-email.job.ts';
import { removePicture } from '#server/gateways/pictures/remove-picture.job.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { createOffsetterForm } from '#test/support/builders/offsetter-form.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { STORY } from '#test/support/builders/profile-form.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { listenLocally } from '#test/support/card-provider.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createFailingDatabase } from '#test/support/failing-database.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { createPhonePhoto, createPlainPhoto, METADATA_MARKERS } from '#test/support/photos.ts';
import { sendForm } from '#test/support/send-form.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const jobs = createJobRecorder();
const deps = await createTestDeps(db, { jobs });
const app = await buildTestApp(deps);
const base = await listenLocally(app);
const photo = await createPlainPhoto(96, 64).jpeg().toBuffer();
const admin = await signIn(deps, { admin: true });

type OffsetterParams = CallParams<'editOffsetter'>;

/** Adds a user with a published offsetter that has a photo. */
async function addOwner(overrides: Parameters<typeof addOffsetter>[2] = {}, existingOrgId = '') {
  const user = await signIn(deps);
  const picture = await deps.pictures.store(photo);
  const orgId = existingOrgId || (await addOrg(db));
  const ownColumns = { user_id: user.userId, photo: JSON.stringify(picture), ...overrides };
  return { owner: user, params: { orgid: orgId, offsetterid: await addOffsetter(db, orgId, ownColumns) } };
}

const sendEdit = (as: SignedInPerson | undefined, params: OffsetterParams, form = createOffsetterForm()) =>
  sendForm(base, 'editOffsetter', { params, as, form });
const readRow = ({ offsetterid }: OffsetterParams) =>
  db.kysely.selectFrom('offsetters').selectAll().where('id', '=', offsetterid).executeTakeFirst();

/** Runs the jobs that remove pictures. @returns the keys of the removed pictures */
async function removePictures(keys: readonly string[]): Promise<string[]> {
  const removeJobs = jobs.findPayloads(removePicture).filter(({ key }) => keys.includes(key));
  for (const job of removeJobs) await deps.pictures.remove(job.key);
  return removeJobs.map(({ key }) => key);
}

test('an owner can show and hide the pounds, and a form that omits the choice leaves it unchanged', async () => {
  const { owner, params } = await addOwner();
  for (const choice of ['showsPounds', 'showsHomes'] as const) {
    for (const [value, expected] of [
      ['true', true],
      [undefined, true],
      ['false', false],
    ] as const) {
      const { body } = await sendEdit(
        owner,
        params,
        createOffsetterForm(value === undefined ? {} : { [choice]: value }),
      );
      expect(body[choice]).toBe(expected);
    }
  }
});

test('showing the pounds or the homes changes the story’s date', async () => {
  const { owner, params } = await addOwner();
  await sendEdit(owner, params);
  for (const choice of ['showsPounds', 'showsHomes']) {
    await db.kysely.updateTable('offsetters').set({ changed_at: null }).where('id', '=', params.offsetterid).execute();
    await sendEdit(owner, params, createOffsetterForm({ [choice]: 'true' }));
    expect((await readRow(params))?.changed_at).toBeInstanceOf(Date);
  }
});

test('an author whose draft is published by an edit gets one email', async () => {
  const { owner, params } = await addOwner({ status: 'draft', shown_as: 'none' });
  const storyJobs = () =>
    jobs.findPayloads(sendStoryEmail).filter(({ offsetterId }) => offsetterId === params.offsetterid);
  await sendEdit(owner, params, createOffsetterForm({ shownAs: 'none' }));
  expect(storyJobs()).toEqual([]);
  for (const shownAs of ['full', 'first', 'none', 'full'])
    await sendEdit(owner, params, createOffsetterForm({ shownAs }));
  expect(storyJobs()).toHaveLength(1);
});

test('an owner changes name, story, and visibility; the photo stays', async () => {
  const { owner, params } = await addOwner();
  const initialRow = await readRow(params);
  const { status, body } = await sendEdit(
    owner,
    params,
    createOffsetterForm({ name: '  Dora Day ', shownAs: 'first' }),
  );
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: params.offsetterid,
    name: 'Dora Day',
    shownAs: 'first',
    status: 'published',
    mine: true,
  });
  expect(await readRow(params)).toMatchObject({
    name: 'Dora Day',
    photo: initialRow?.photo,
    created_at: initialRow?.created_at,
  });
  expect((await call(app, 'readOffsetter', { params })).json()).toMatchObject({ name: 'Dora' });
});

test("a new photo is re-encoded, and the previous one's files are deleted", async () => {
  const { owner, params } = await addOwner();
  const oldKey = (await readRow(params))?.photo?.key ?? '';
  const { status, body } = await sendEdit(owner, params, createOffsetterForm({}, await createPhonePhoto(800)));
  expect(status).toBe(200);
  expect(body.photo.height).toBeGreaterThan(body.photo.width);
  const photoResponse = await app.inject(body.photo.url);
  for (const mark of METADATA_MARKERS) expect(photoResponse.rawPayload.includes(mark)).toBe(false);
  const newKey = (await readRow(params))?.photo?.key ?? '';
  expect(await removePictures([oldKey, newKey])).toEqual([oldKey]);
  expect(await deps.pictures.open(oldKey, 96)).toBeUndefined();
  expect((await app.inject(body.photo.url)).statusCode).toBe(200);
});

test('an admin can edit a story, which stays with its owner', async () => {
  const { owner, params } = await addOwner();
  const { status, body } = await sendEdit(admin, params, createOffsetterForm({ name: 'Corrected Name' }));
  expect([status, body.mine]).toEqual([200, false]);
  expect(await readRow(params)).toMatchObject({ name: 'Corrected Name', user_id: owner.userId });
});

// @asvs 8.2.2
test('edits by anyone but the story’s owner are rejected and change nothing', async () => {
  const { params } = await addOwner();
  const initialRow = await readRow(params);
  const strangers = [undefined, await signIn(deps), await signIn(deps, { editorOf: [params.orgid] })];
  for (const as of strangers) {
    const response = await sendEdit(as, params, createOffsetterForm({ name: 'Taken Over' }, photo));
    expect([response.status, response.body.code]).toEqual(as ? [403, 'forbidden'] : [401, 'login-required']);
  }
  expect(await readRow(params)).toEqual(initialRow);
});

test('an owner edits only through the offsetter’s own organization', async () => {
  const { owner, params } = await addOwner();
  const response = await sendEdit(owner, { ...params, orgid: await addOrg(db) });
  expect([response.status, response.body.code]).toEqual([403, 'forbidden']);
});

const repeatLetter = (length: number) => 'a'.repeat(length);

test.each([
  ['name', '', 'no-name'],
  ['name', ' Do ', 'name-too-short'],
  ['name', repeatLetter(101), 'name-too-long'],
  ['story', '', 'no-story'],
  ['story', repeatLetter(25), 'story-too-short'],
  ['story', repeatLetter(10_001), 'story-too-long'],
  ['shownAs', 'always', 'invalid-input'],
  ['name', undefined, 'no-name'],
  ['story', undefined, 'no-story'],
  ['email', 'other@example.org', 'invalid-input'],
  ['userId', 'somebody', 'invalid-input'],
])('the %s %j is rejected as %s, and nothing changes', async (field, value, code) => {
  const { owner, params } = await addOwner();
  const initialRow = await readRow(params);
  const { status, body } = await sendEdit(owner, params, createOffsetterForm({ [field]: value }));
  expect(body).toMatchObject({ code });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(await readRow(params)).toEqual(initialRow);
});

test.each(['name', 'story'])('a hidden donor may send an empty %s, but not omit it', async (field) => {
  const { owner, params } = await addOwner({ shown_as: 'none' });
  expect((await sendEdit(owner, params, createOffsetterForm({ [field]: undefined }))).body).toMatchObject({
    code: `no-${field}`,
    field,
  });
  expect((await sendEdit(owner, params, createOffsetterForm({ [field]: '' }))).status).toBe(200);
});

test('accepts a 3-character name and a 26-character story', async () => {
  const { owner, params } = await addOwner();
  expect((await sendEdit(owner, params, createOffsetterForm({ name: 'Dor', story: repeatLetter(26) }))).status).toBe(
    200,
  );
});

const LARGE_PHOTO: [string, Buffer, number, string] = [
  'a 25 MB photo',
  Buffer.alloc(25 * 1_048_576),
  413,
  'photo-too-large',
];

test.each<[string, Buffer, number, string]>([
  ['an empty photo', Buffer.alloc(0), 422, 'no-img'],
  ['a text file named .jpg', Buffer.from('This is text, not a photo.'), 415, 'photo-format'],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 415, 'photo-format'],
  ...(RUNS_ALL ? [LARGE_PHOTO] : []),
])('rejects %s, reports the field, and keeps the old photo', async (_what, bytes, status, code) => {
  const { owner, params } = await addOwner();
  const initialRow = await readRow(params);
  expect(await sendEdit(owner, params, createOffsetterForm({}, bytes))).toMatchObject({
    status,
    body: { code, field: 'file' },
  });
  expect(await readRow(params)).toEqual(initialRow);
  expect(await removePictures([initialRow?.photo?.key ?? ''])).toEqual([]);
});

test('a donor who becomes visible must choose a photo', async () => {
  const { owner, params } = await addOwner({ shown_as: 'none', status: 'draft', name: '', story: '', photo: null });
  expect((await sendEdit(owner, params, createOffsetterForm({ name: '', story: '' }))).status).toBe(200);
  const response = await sendEdit(owner, params, createOffsetterForm({ shownAs: 'full' }));
  expect(response).toMatchObject({ status: 422, body: { code: 'no-img', field: 'file' } });
  const { body } = await sendEdit(owner, params, createOffsetterForm({ shownAs: 'full' }, photo));
  expect(body).toMatchObject({ status: 'published', name: 'Dora Donor' });
  expect(readOutcome(await call(app, 'readOffsetter', { params }))).toEqual([200]);
});

test('with story review on, an owner’s edit is reviewed again, and an admin’s isn’t', async () => {
  const reviewingOrgId = await addOrg(db, { review_stories: true });
  const { owner, params } = await addOwner({}, reviewingOrgId);
  expect((await sendEdit(admin, params, createOffsetterForm({ story: `${STORY} Corrected.` }))).body.status).toBe(
    'published',
  );
  expect(
    (await sendEdit(owner, params, createOffsetterForm({ story: `${STORY} Corrected.`, shownAs: 'first' }))).body
      .status,
  ).toBe('published');
  expect((await sendEdit(owner, params, createOffsetterForm({ story: `${STORY} Buy my pills!` }))).body.status).toBe(
    'draft',
  );
  expect(readOutcome(await call(app, 'readOffsetter', { params }))).toEqual([404, 'offsetter-not-found']);
});

test.each([
  ['name', () => createOffsetterForm({ name: 'Dora Donor and Sons' })],
  ['story', () => createOffsetterForm({ story: `${STORY} And more.` })],
  ['photo', () => createOffsetterForm({}, photo)],
])('with story review on, an owner’s new %s is reviewed', async (_text, form) => {
  const { owner, params } = await addOwner({}, await addOrg(db, { review_stories: true }));
  expect((await sendEdit(owner, params, form())).body.status).toBe('draft');
});

test('a hidden story stays hidden after any edit', async () => {
  const { owner, params } = await addOwner({ status: 'hidden' });
  expect((await sendEdit(owner, params, createOffsetterForm({ name: 'New Name' }, photo))).body.status).toBe('hidden');
});

test('two simultaneous new photos leave only one photo’s files', async () => {
  const { owner, params } = await addOwner();
  const oldKey = (await readRow(params))?.photo?.key ?? '';
  const responses = await Promise.all([1, 2].map(() => sendEdit(owner, params, createOffsetterForm({}, photo))));
  const keys = responses.map(({ body }) => String(body.photo.url).split('/')[2] ?? '');
  const photoKey = (await readRow(params))?.photo?.key ?? '';
  const removedKeys = await removePictures([oldKey, ...keys]);
  expect(removedKeys.toSorted()).toEqual([oldKey, ...keys.filter((candidate) => candidate !== photoKey)].toSorted());
});

test('if the edit can’t be saved, the new photo is deleted', async () => {
  const { owner, params } = await addOwner();
  const initialRow = await readRow(params);
  const discardedKeys: string[] = [];
  const failingApp = await buildTestApp({
    ...deps,
    // Deletes the offsetter just before the edit is written.
    pictures: {
      ...deps.pictures,
      store: async (bytes) => {
        await db.kysely.deleteFrom('offsetters').where('id', '=', params.offsetterid).execute();
        return deps.pictures.store(bytes);
      },
      discard: async (picture) => {
        discardedKeys.push(picture);
        await deps.pictures.discard(picture);
      },
    },
  });
  const response = await sendForm(await listenLocally(failingApp), 'editOffsetter', {
    params,
    as: owner,
    form: createOffsetterForm({}, photo),
  });
  expect([response.status, response.body.code]).toEqual([404, 'offsetter-not-found']);
  expect(discardedKeys).toHaveLength(1);
  expect(discardedKeys).not.toContain(initialRow?.photo?.key);
});

test('the new photo is kept if the database fails right after the edit is saved', async () => {
  const { owner, params } = await addOwner();
  const initialRow = await readRow(params);
  const failingApp = await buildTestApp({ ...deps, db: createFailingDatabase(db, true) });
  const form = createOffsetterForm({}, photo);
  const { status } = await sendForm(await listenLocally(failingApp), 'editOffsetter', {
    params,
    as: owner,
    form,
  });
  const newPhoto = (await readRow(params))?.photo;
  expect([status, newPhoto?.key === initialRow?.photo?.key]).toEqual([503, false]);
  expect((await app.inject(presentPicture(newPhoto ?? null)?.url ?? '')).statusCode).toBe(200);
});

test('an admin deletes an offsetter and its files; its checkout stays', async () => {
  const { params } = await addOwner();
  const oldKey = (await readRow(params))?.photo?.key ?? '';
  const remove = async (as: SignedInPerson | undefined) =>
    readOutcome(await call(app, 'deleteOffsetter', { params, as }));
  expect(await remove(admin)).toEqual([200]);
  expect(await readRow(params)).toBeUndefined();
  expect(await removePictures([oldKey])).toEqual([oldKey]);
  expect(await deps.pictures.open(oldKey, 96)).toBeUndefined();
  expect(await remove(admin)).toEqual([404, 'offsetter-not-found']);
});

test('for everyone but admins, deleting is rejected with the specified message', async () => {
  const { owner, params } = await addOwner();
  expect(readOutcome(await call(app, 'deleteOffsetter', { params }))).toEqual([401, 'login-required']);
  for (const as of [owner, await signIn(deps), await signIn(deps, { editorOf: [params.orgid] })]) {
    const response = await call(app, 'deleteOffsetter', { params, as });
    expect(readOutcome(response)).toEqual([403, 'only-admins']);
    expect(response.json().detail).toBe('Only admins can do that.');
  }
  const unverifiedAdmin = await signIn(deps, { admin: true, verified: false });
  expect(readOutcome(await call(app, 'deleteOffsetter', { params, as: unverifiedAdmin }))).toEqual([
    403,
    'email-unverified',
  ]);
  expect(await readRow(params)).toBeDefined();
});
