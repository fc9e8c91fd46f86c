import fs from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Failure } from '#domain/failures.ts';
import type { PictureFiles } from '#server/gateways/pictures/picture-files.ts';
import { openPictureFiles } from '#server/gateways/pictures/picture-files.ts';
import { createSharpPictures } from '#server/gateways/pictures/sharp-pictures.ts';
import { createPlainPhoto } from '#test/support/photos.ts';
import { picturesInFolder, temporaryFolder } from './stored-pictures.ts';

test('a stored photo can be opened only in its own widths', async () => {
  const { pictures, folder } = await picturesInFolder();
  const photo = await pictures.store(await createPlainPhoto(700, 500).jpeg().toBuffer());
  if (photo instanceof Failure) throw photo;
  const openedFile = await pictures.open(photo.key, 640);
  const storedBytes = await fs.readFile(path.join(folder, photo.key, '640.webp'));
  expect(openedFile?.bytes).toBe(storedBytes.length);
  expect(openedFile && (await buffer(openedFile.stream))).toEqual(storedBytes);
  expect(await pictures.open(photo.key, 1280)).toBeUndefined();
});

test('removing a photo twice is harmless and keeps the others', async () => {
  const { pictures, folder } = await picturesInFolder();
  const [first, second] = [await pictures.store(await createPhoto()), await pictures.store(await createPhoto())];
  if (first instanceof Failure || second instanceof Failure) throw new Error('a photo was rejected');
  await pictures.remove(first.key);
  await pictures.remove(first.key);
  expect(await fs.readdir(folder)).toEqual([second.key]);
});

// @asvs 5.3.2
test.each(['', '.', '..', '../..', '/', 'a/../..', `${'a'.repeat(21)}/`, `${'a'.repeat(22)}\0`])(
  'the key %j neither opens nor removes anything',
  async (key) => {
    const folder = await temporaryFolder();
    await fs.writeFile(path.join(folder, '320.webp'), 'beside');
    const pictures = createSharpPictures({
      files: openPictureFiles({ folder: path.join(folder, 'pictures'), s3: undefined }),
    });
    expect(await pictures.open(key, 320)).toBeUndefined();
    await pictures.remove(key);
    expect(await fs.readdir(folder)).toEqual(['320.webp']);
  },
);

test.skipIf(process.platform === 'win32')(
  'a file counts as stored only after it and its folders are synced',
  async () => {
    const folder = path.join(await temporaryFolder(), 'data', 'pictures');
    const files = openPictureFiles({ folder, s3: undefined });
    const writeSpy = vi.spyOn(fs, 'writeFile');
    const openSpy = vi.spyOn(fs, 'open');
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    await files.put('key/320.webp', Buffer.from('first'));
    await files.put('key/640.webp', Buffer.from('second'));
    expect(writeSpy.mock.calls.map(([, , options]) => options)).toEqual([
      { flag: 'wx', flush: true },
      { flag: 'wx', flush: true },
    ]);
    const rootFolder = path.dirname(path.dirname(folder));
    const syncedFolders = openSpy.mock.calls.map(([name]) => path.relative(rootFolder, String(name)));
    expect(syncedFolders).toEqual(['data/pictures/key', 'data/pictures', 'data', '', 'data/pictures/key']);
    expect((await fs.readdir(path.join(folder, 'key'))).sort()).toEqual(['320.webp', '640.webp']);
  },
);

test('stores no part of a photo if the disk fails halfway', async () => {
  const folder = await temporaryFolder();
  const disk = openPictureFiles({ folder, s3: undefined });
  const failingFiles: PictureFiles = {
    ...disk,
    put: async (name, bytes) => {
      if (name.endsWith('640.webp')) throw new Error('no space left');
      await disk.put(name, bytes);
    },
  };
  await expect(createSharpPictures({ files: failingFiles }).store(await createPhoto())).rejects.toThrow(
    'no space left',
  );
  expect(await fs.readdir(folder)).toEqual([]);
});

async function createPhoto(): Promise<Buffer> {
  return await createPlainPhoto(700, 500).jpeg().toBuffer();
}
