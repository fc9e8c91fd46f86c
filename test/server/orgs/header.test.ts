// @spec 7.header 8.strings
import { expect, test } from 'vitest';
import type { ResponseBody } from '#contract/schemas.ts';
import { removePicture } from '#server/gateways/pictures/remove-picture.job.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { listenLocally } from '#test/support/card-provider.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { createPhonePhoto, createPlainPhoto, METADATA_MARKERS } from '#test/support/photos.ts';
import { sendForm } from '#test/support/send-form.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const jobs = createJobRecorder();
const deps = await createTestDeps(db, { jobs });
const app = await buildTestApp(deps);
const baseUrl = await listenLocally(app);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

async function createOrgWithEditor() {
  const orgId = await addOrg(db);
  return { orgId, otherEditor: await signIn(deps, { editorOf: [orgId] }) };
}

function upload(as: SignedInPerson, orgId: string, photo?: Buffer | string, type = 'image/jpeg') {
  const form = new FormData();
  const bytes = typeof photo === 'string' ? Buffer.from(photo) : photo;
  if (bytes) form.set('file', new Blob([new Uint8Array(bytes)], { type }), 'header.jpg');
  else form.set('file', new Blob([]), '');
  return sendForm(baseUrl, 'replaceHeader', { params: { orgid: orgId }, as, form });
}
const readOrg = async (orgId: string) =>
  (await call(app, 'readOrg', { params: { orgid: orgId } })).json<ResponseBody<'readOrg'>>();

test('a header photo is sanitized and shown immediately, and a new one replaces it', async () => {
  const { orgId, otherEditor } = await createOrgWithEditor();
  const { version } = await readOrg(orgId);
  const { status, body } = await upload(otherEditor, orgId, await createPhonePhoto(800));
  const orgWithPhoto = await readOrg(orgId);
  expect([status, body]).toEqual([200, { photoURL: orgWithPhoto.photoURL }]);
  expect(orgWithPhoto.version).toBeGreaterThan(version);
  const photoResponse = await app.inject(body.photoURL);
  expect(photoResponse.statusCode).toBe(200);
  for (const mark of METADATA_MARKERS) expect(photoResponse.rawPayload.includes(mark)).toBe(false);
  await upload(otherEditor, orgId, await createPlainPhoto(96, 64).png().toBuffer());
  for (const job of jobs.findPayloads(removePicture)) await deps.pictures.remove(job.key);
  expect((await app.inject(body.photoURL)).statusCode).toBe(404);
  expect((await app.inject((await readOrg(orgId)).photoURL ?? '')).statusCode).toBe(200);
});

test('the photo can be removed, even twice', async () => {
  const { orgId, otherEditor } = await createOrgWithEditor();
  const { body } = await upload(otherEditor, orgId, await createPlainPhoto(96, 64).jpeg().toBuffer());
  const removePhoto = () => call(app, 'removeHeader', { params: { orgid: orgId }, as: otherEditor });
  expect((await removePhoto()).json()).toEqual({});
  expect(await readOrg(orgId)).toMatchObject({ photo: null, photoURL: null });
  expect(readOutcome(await removePhoto())).toEqual([200]);
  const key = /media\/([^/]+)/.exec(body.photoURL)?.[1];
  expect(jobs.findPayloads(removePicture).filter((job) => job.key === key)).toHaveLength(1);
});

test.each([
  ['nothing', undefined, 'no-file'],
  ['an SVG', SVG, 'photo-format'],
  ['a page', '<!doctype html><script>alert(1)</script>', 'photo-format'],
])('%s is rejected as a header photo', async (_title, photo, code) => {
  const { orgId, otherEditor } = await createOrgWithEditor();
  const { body } = await upload(otherEditor, orgId, photo);
  expect(body).toMatchObject({ code, field: 'file' });
  expect(await readOrg(orgId)).toMatchObject({ photo: null });
});

test('only an organization’s editors can change its header', async () => {
  const { orgId } = await createOrgWithEditor();
  const { otherEditor } = await createOrgWithEditor();
  const photo = await createPlainPhoto(96, 64).jpeg().toBuffer();
  expect((await upload(otherEditor, orgId, photo)).body).toMatchObject({ code: 'forbidden' });
  expect((await upload(await signIn(deps, { admin: true }), orgId, photo)).body).toMatchObject({ code: 'forbidden' });
  expect(await readOrg(orgId)).toMatchObject({ photo: null });
});
