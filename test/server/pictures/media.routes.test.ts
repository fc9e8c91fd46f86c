import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { Failure } from '#domain/failures.ts';
import { mediaRoutes } from '#server/features/media/media.routes.ts';
import { mediaPath } from '#server/gateways/pictures/pictures.ts';
import { handleErrors } from '#server/http/problems.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createPlainPhoto, listWebpChunks } from '#test/support/photos.ts';
import { picturesInFolder } from './stored-pictures.ts';

const db = await createTestDatabase();

async function createAppWithPhoto() {
  const { pictures } = await picturesInFolder();
  const photo = await pictures.store(await createPlainPhoto(700, 500).jpeg().toBuffer());
  if (photo instanceof Failure) throw photo;
  const app = Fastify();
  onTestFinished(() => app.close());
  handleErrors(app);
  await mediaRoutes(app, { db, pictures });
  return { app, photo };
}

// @asvs 3.2.1 5.3.1
test('a stored picture is served only as immutable WebP', async () => {
  const { app, photo } = await createAppWithPhoto();
  await addOrg(db, { photo: JSON.stringify(photo) });
  const response = await app.inject(mediaPath(photo.key, 640));
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({
    'content-type': 'image/webp',
    'content-length': String(response.rawPayload.length),
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
  expect(listWebpChunks(response.rawPayload)).toEqual(['VP8']);
});

test('HEAD returns the same length as GET, without a body', async () => {
  const { app, photo } = await createAppWithPhoto();
  const fullResponse = await app.inject(mediaPath(photo.key, 320));
  const head = await app.inject({ method: 'HEAD', url: mediaPath(photo.key, 320) });
  expect(head.statusCode).toBe(200);
  expect(head.headers['content-length']).toBe(String(fullResponse.rawPayload.length));
  expect(head.rawPayload).toHaveLength(0);
});

test('a missing picture and an invalid name return 404', async () => {
  const { app, photo } = await createAppWithPhoto();
  const wrongPaths = [
    `/media/${'a'.repeat(22)}/320.webp`,
    `/media/${photo.key}/1280.webp`,
    `/media/${photo.key}/0.webp`,
    `/media/${photo.key}/0640.webp`,
    `/media/${photo.key}/640.0.webp`,
    `/media/${photo.key}/+640.webp`,
    `/media/${photo.key}/6e2.webp`,
    `/media/${photo.key}/640.jpg`,
    `/media/${photo.key}/640.webp.part`,
    `/media/${photo.key}/`,
    `/media/${photo.key}/..%2f${photo.key}%2f640.webp`,
    `/media/..%2f${photo.key}/640.webp`,
    `/media/%2e%2e/640.webp`,
    `/media/${photo.key}%00/640.webp`,
  ];
  for (const url of wrongPaths) {
    const response = await app.inject(url);
    expect(response.statusCode, url).toBe(404);
    expect(response.headers['cache-control'] ?? '', url).not.toContain('immutable');
  }
  const missingResponse = await app.inject(wrongPaths[0] ?? '');
  expect(missingResponse.json()).toMatchObject({ code: 'page-not-found', status: 404 });
  expect(missingResponse.headers['content-type']).toContain('application/problem+json');
});
