import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { Failure } from '#domain/failures.ts';
import { isUnavailable } from '#server/db/unavailable.ts';
import { openBucketFiles, openPictureFiles } from '#server/gateways/pictures/picture-files.ts';
import { createSharpPictures } from '#server/gateways/pictures/sharp-pictures.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { startObjectStore } from '#test/support/object-store.ts';
import { createPlainPhoto } from '#test/support/photos.ts';

/** Long enough for requests that succeed, even on a busy machine. */
const SHORT_TIMEOUTS = { timeoutMs: 2000, checkIntervalMs: 1500, maxConnections: 20 };

async function createBucketPictures(accessKeyId = 'key-id') {
  const store = await startObjectStore('photos', 'key-id');
  onTestFinished(() => store.close());
  const s3 = {
    bucket: 'photos',
    region: 'us-east-1',
    endpoint: store.endpoint,
    accessKeyId,
    secretAccessKey: 'secret',
  };
  const files = openPictureFiles({ folder: '/nowhere', s3 });
  return { store, s3, files, pictures: createSharpPictures({ files }) };
}

test('a photo is stored in the bucket, read back unchanged, and deleted with all its files', async () => {
  const { store, pictures } = await createBucketPictures();
  const otherPhoto = await pictures.store(await createPlainPhoto(400, 300).jpeg().toBuffer());
  const photo = await pictures.store(await createPlainPhoto(700, 500).jpeg().toBuffer());
  if (photo instanceof Failure || otherPhoto instanceof Failure) throw new Error('a photo was rejected');
  expect([...store.objects.keys()].sort()).toEqual(
    [`${otherPhoto.key}/320.webp`, `${photo.key}/320.webp`, `${photo.key}/640.webp`].sort(),
  );

  const object = store.objects.get(`${photo.key}/640.webp`);
  const openedFile = await pictures.open(photo.key, 640);
  expect(object?.type).toBe('image/webp');
  expect(openedFile?.bytes).toBe(object?.bytes.length);
  expect(openedFile && (await buffer(openedFile.stream))).toEqual(object?.bytes);

  await pictures.remove(photo.key);
  expect([...store.objects.keys()]).toEqual([`${otherPhoto.key}/320.webp`]);
  await pictures.remove(photo.key);
});

test('a picture is deleted completely even if listing its files takes several pages', async () => {
  const { store, files } = await createBucketPictures();
  store.maxListSize = 2;
  const names = ['ours/1.webp', 'ours/2.webp', 'ours/3.webp', 'ours/4.webp', 'ours/5.webp'];
  for (const name of [...names, 'theirs/1.webp']) await files.put(name, Buffer.from(name));
  await files.removeAll('ours');
  expect([...store.objects.keys()]).toEqual(['theirs/1.webp']);
});

test('a picture is deleted even if that takes longer than the time limit of a request', async () => {
  const { store, s3 } = await createBucketPictures();
  const files = openBucketFiles(s3, SHORT_TIMEOUTS);
  const count = 40;
  for (let i = 0; i < count; i += 1) await files.put(`ours/${i}.webp`, Buffer.from('image'));
  store.delayMs = SHORT_TIMEOUTS.timeoutMs / 4;
  const start = performance.now();
  await files.removeAll('ours');
  const duration = performance.now() - start;
  expect(store.objects.size).toBe(0);
  expect(duration).toBeGreaterThan(SHORT_TIMEOUTS.timeoutMs);
  // Requests are sent several at a time.
  expect(duration).toBeLessThan((count * store.delayMs) / 2);
});

test('opening a width that wasn’t stored returns undefined, and an invalid key sends no request', async () => {
  const { store, pictures } = await createBucketPictures();
  expect(await pictures.open('a'.repeat(22), 320)).toBeUndefined();
  expect(store.requests).toHaveLength(1);
  expect(await pictures.open('../secrets', 320)).toBeUndefined();
  await pictures.remove('');
  expect(store.requests).toHaveLength(1);
});

test('if the bucket rejects requests, no photo is stored, and stored photos are reported as unavailable, not missing', async () => {
  const { store, pictures } = await createBucketPictures('a wrong key');
  expect(await pictures.store(await createPlainPhoto(400, 300).jpeg().toBuffer())).toEqual(
    new Failure('photo-not-stored'),
  );
  await expect(pictures.open('a'.repeat(22), 320)).rejects.toSatisfy(isUnavailable);
  expect(store.objects.size).toBe(0);
});

test('while the bucket is failing, photos are rejected quickly; afterward they are stored again', async () => {
  const { store, s3 } = await createBucketPictures();
  const { log, loggedProblems } = createLogSpy();
  const pictures = createSharpPictures({ files: openBucketFiles(s3, SHORT_TIMEOUTS), log });
  const photo = await createPlainPhoto(700, 500).jpeg().toBuffer();
  const photoNotStored = new Failure('photo-not-stored');
  store.failWith = 403;
  expect(await pictures.store(photo)).toEqual(photoNotStored);
  store.failWith = undefined;
  store.silent = true;
  expect(await pictures.store(photo)).toEqual(photoNotStored);
  await expect(pictures.open('a'.repeat(22), 320)).rejects.toThrow('The bucket cannot be used (it does not respond)');
  store.silent = false;
  expect(await pictures.store(photo)).toMatchObject({ width: 640 });
  expect(loggedProblems).toHaveLength(2);
  expect(loggedProblems.join()).not.toContain(s3.secretAccessKey);
});

test('a photo stored despite a lost response is deleted once the bucket responds', async () => {
  const { store, s3 } = await createBucketPictures();
  const pictures = createSharpPictures({ files: openBucketFiles(s3, SHORT_TIMEOUTS) });
  const photo = await createPlainPhoto(400, 300).jpeg().toBuffer();
  store.silent = 'after-handling';
  expect(await pictures.store(photo)).toEqual(new Failure('photo-not-stored'));
  expect(store.objects.size).toBe(1);
  store.silent = true;
  const [name = ''] = store.objects.keys();
  // Nothing awaits this deletion or reports its failure.
  await pictures.discard(name.split('/')[0] ?? '');
  store.silent = false;
  const picture = await pictures.store(photo);
  if (picture instanceof Failure) throw picture;
  await expect.poll(() => [...store.objects.keys()]).toEqual([`${picture.key}/320.webp`]);
});

test('slow downloads time out and don’t block new photos', async () => {
  const { store, s3 } = await createBucketPictures();
  const pictures = createSharpPictures({ files: openBucketFiles(s3, { ...SHORT_TIMEOUTS, timeoutMs: 20_000 }) });
  const photo = await createPlainPhoto(400, 300).jpeg().toBuffer();
  const picture = await pictures.store(photo);
  if (picture instanceof Failure) throw picture;
  const readPicture = async () => {
    const file = await pictures.open(picture.key, 320);
    return file && (await buffer(file.stream)).length === file.bytes;
  };
  store.isDripping = true;
  const readers = Array.from({ length: SHORT_TIMEOUTS.maxConnections }, () =>
    readPicture().catch((error: Error) => error.message),
  );
  await expect
    .poll(() => store.requests.filter((request) => request.startsWith('GET')))
    .toHaveLength(SHORT_TIMEOUTS.maxConnections);
  store.isDripping = false;
  const firstFinished = Promise.race(readers);
  expect(await Promise.race([pictures.store(photo), firstFinished])).toMatchObject({ width: 320 });
  expect(await readPicture()).toBe(true);
  expect(new Set(await Promise.all(readers))).toEqual(new Set(['The bucket cannot be used (a file takes too long)']));
});
