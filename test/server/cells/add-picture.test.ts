// @spec decisions.5
import { expect, test } from 'vitest';
import type { ResponseBody } from '#contract/schemas.ts';
import { DAY_MS } from '#domain/days.ts';
import { addPicture as addPictureFile, removeUnusedPicture } from '#server/features/cells/add-picture.ts';
import { renderMarkdown } from '#server/gateways/markdown/markdown.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createPhotoForm } from '#test/support/builders/photo-form.ts';
import { call } from '#test/support/call.ts';
import { listenLocally } from '#test/support/card-provider.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { defaultText } from '#test/support/default-text.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { createPlainPhoto, METADATA_MARKERS } from '#test/support/photos.ts';
import { sendForm } from '#test/support/send-form.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const jobs = createJobRecorder();
const deps = await createTestDeps(db, { jobs });
const app = await buildTestApp(deps);
const baseUrl = await listenLocally(app);
const orgId = await addOrg(db);
const edith = await signIn(deps, { editorOf: [orgId] });

/** A photo with metadata that names its owner. */
const photo = await createPlainPhoto(1600, 1200)
  .withExif({ IFD0: { Artist: 'Marked photographer' } })
  .jpeg()
  .toBuffer();

const addPicture = (form: FormData) => sendForm(baseUrl, 'addPicture', { params: { orgid: orgId }, as: edith, form });

test('a picture is sanitized and shown at its size in a cell', async () => {
  const { status, body } = await addPicture(createPhotoForm(photo));
  expect(status).toBe(200);
  const { address, picture } = body as ResponseBody<'addPicture'>;
  const html = renderMarkdown(`![A house in snow](${address})`);
  const sources = picture.sources.map(({ url, width }) => `${url} ${width}w`).join(', ');
  const sizes = 'auto, (max-width: 700px) 92vw, 640px';
  expect(html).toBe(
    `<p><img src="${picture.url}" alt="A house in snow" srcset="${sources}" sizes="${sizes}" width="${picture.width}" height="${picture.height}" loading="lazy"></p>`,
  );
  expect(photo.includes('Marked photographer')).toBe(true);
  const file = await app.inject(picture.url);
  expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'image/webp']);
  for (const mark of METADATA_MARKERS) expect(file.rawPayload.includes(mark)).toBe(false);
});

test('a picture is deleted after a week unless a current or earlier text uses it', async () => {
  const startTime = Date.now();
  const [unusedPicture, usedPicture, restorablePicture] = await Promise.all(
    [0, 1, 2].map(async () => (await addPicture(createPhotoForm(photo))).body as ResponseBody<'addPicture'>),
  );
  const saveText = (markdown: string) =>
    call(app, 'saveCell', {
      params: { orgid: orgId, page: 'about', name: 'intro' },
      body: { markdown, basedOn },
      as: edith,
    });
  let basedOn = defaultText('about', 'intro');
  for (const { address } of [restorablePicture, usedPicture].filter((picture) => picture !== undefined)) {
    const markdown = `![A house](${address})`;
    expect((await saveText(markdown)).statusCode).toBe(200);
    basedOn = markdown;
  }
  for (const job of jobs.recordedJobs) {
    if (job.name !== 'remove-unused-picture') continue;
    expect(job.startAfter?.getTime()).toBeGreaterThan(startTime + 6 * DAY_MS);
    await removeUnusedPicture.run(deps, job.data);
  }
  const exists = async (picture: ResponseBody<'addPicture'> | undefined) =>
    (await app.inject(picture?.picture.url ?? '')).statusCode === 200;
  expect([await exists(unusedPicture), await exists(usedPicture), await exists(restorablePicture)]).toEqual([
    false,
    true,
    true,
  ]);
});

test('a picture is deleted if its check can’t be queued', async () => {
  const discardedKeys: string[] = [];
  const failingDeps = {
    ...deps,
    pictures: { ...deps.pictures, discard: async (key: string) => void discardedKeys.push(key) },
    jobs: { ...jobs, enqueue: () => Promise.reject(new Error('no queue')) },
  };
  await expect(addPictureFile(failingDeps, photo)).rejects.toThrow('no queue');
  expect(discardedKeys).toHaveLength(1);
});

test.each([
  ['nothing', undefined, 'no-img'],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 'photo-format'],
  ['a text file', Buffer.from('no picture at all'), 'photo-format'],
])('rejects %s and reports the field', async (_title, bytes, code) => {
  expect((await addPicture(createPhotoForm(bytes))).body).toMatchObject({ code, field: 'file' });
});

test('a form with extra fields is rejected', async () => {
  const form = createPhotoForm(photo);
  form.append('name', 'x');
  expect((await addPicture(form)).body).toMatchObject({ code: 'invalid-input' });
});

test('other picture addresses get no size, whatever their format', () => {
  const html = renderMarkdown(
    '![a](/media/x/1.webp#9x9) ![b](https://a.example/media/aaaaaaaaaaaaaaaaaaaaaa/1.webp#9x9)',
  );
  expect(html).not.toContain('width');
});
