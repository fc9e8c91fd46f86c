// @spec 7.header 8.strings
import { expect, test } from 'vitest';
import type { ResponseBody } from '#contract/schemas.ts';
import { removePicture } from '#server/gateways/pictures/remove-picture.job.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { listenLocally } from '#test/support/card-provider.ts';
import { testDatabase } from '#test/support/database.ts';
import { jobRecorder } from '#test/support/job-recorder.ts';
import { METADATA_MARKS, phonePhoto, plainPhoto } from '#test/support/photos.ts';
import { sendForm } from '#test/support/send-form.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await testDatabase();
const jobs = jobRecorder();
const deps = await testDeps(db, { jobs });
const app = await buildTestApp(deps);
const base = await listenLocally(app);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

async function orgWithEditor() {
  const orgid = await addOrg(db);
  return { orgid, edith: await signIn(deps, { editorOf: [orgid] }) };
}

function upload(as: SignedInPerson, orgid: string, photo?: Buffer | string, type = 'image/jpeg') {
  const form = new FormData();
  const bytes = typeof photo === 'string' ? Buffer.from(photo) : photo;
  if (bytes) form.set('file', new Blob([new Uint8Array(bytes)], { type }), 'header.jpg');
  else form.set('file', new Blob([]), '');
  return sendForm(base, 'replaceHeader', { params: { orgid }, as, form });
}
const read = async (orgid: string) =>
  (await call(app, 'readOrg', { params: { orgid } })).json<ResponseBody<'readOrg'>>();

test('a header photo is sanitized and shown immediately, and a new one replaces it', async () => {
  const { orgid, edith } = await orgWithEditor();
  const { version } = await read(orgid);
  const { status, body } = await upload(edith, orgid, await phonePhoto(800));
  const orgWithPhoto = await read(orgid);
  expect([status, body]).toEqual([200, { photoURL: orgWithPhoto.photoURL }]);
  expect(orgWithPhoto.version).toBeGreaterThan(version);
  const served = await app.inject(body.photoURL);
  expect(served.statusCode).toBe(200);
  for (const mark of METADATA_MARKS) expect(served.rawPayload.includes(mark)).toBe(false);
  await upload(edith, orgid, await plainPhoto(96, 64).png().toBuffer());
  for (const job of jobs.dataOf(removePicture)) await deps.pictures.remove(job.key);
  expect((await app.inject(body.photoURL)).statusCode).toBe(404);
  expect((await app.inject((await read(orgid)).photoURL ?? '')).statusCode).toBe(200);
});

test('the photo can be removed, even twice', async () => {
  const { orgid, edith } = await orgWithEditor();
  const { body } = await upload(edith, orgid, await plainPhoto(96, 64).jpeg().toBuffer());
  const remove = () => call(app, 'removeHeader', { params: { orgid }, as: edith });
  expect((await remove()).json()).toEqual({});
  expect(await read(orgid)).toMatchObject({ photo: null, photoURL: null });
  expect(outcomeOf(await remove())).toEqual([200]);
  const key = /media\/([^/]+)/.exec(body.photoURL)?.[1];
  expect(jobs.dataOf(removePicture).filter((job) => job.key === key)).toHaveLength(1);
});

test.each([
  ['nothing', undefined, 'no-file'],
  ['an SVG', SVG, 'photo-format'],
  ['a page', '<!doctype html><script>alert(1)</script>', 'photo-format'],
])('%s is rejected as a header photo', async (_what, photo, code) => {
  const { orgid, edith } = await orgWithEditor();
  const { body } = await upload(edith, orgid, photo);
  expect(body).toMatchObject({ code, field: 'file' });
  expect(await read(orgid)).toMatchObject({ photo: null });
});

test('only an organization’s editors can change its header', async () => {
  const { orgid } = await orgWithEditor();
  const { edith: otherEditor } = await orgWithEditor();
  const photo = await plainPhoto(96, 64).jpeg().toBuffer();
  expect((await upload(otherEditor, orgid, photo)).body).toMatchObject({ code: 'forbidden' });
  expect((await upload(await signIn(deps, { admin: true }), orgid, photo)).body).toMatchObject({ code: 'forbidden' });
  expect(await read(orgid)).toMatchObject({ photo: null });
});
