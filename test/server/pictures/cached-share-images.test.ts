import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { Failure } from '#domain/failures.ts';
import type { PictureFiles } from '#server/gateways/pictures/picture-files.ts';
import { createCachedShareImages } from '#server/gateways/share-images/cached-share-images.ts';
import type { ShareImageFacts, ShareImages } from '#server/gateways/share-images/share-images.ts';
import { createWorkQueue } from '#server/process/work-queue.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

const ORG: ShareImageFacts = { orgId: 'ours', orgName: 'Ours', title: 'Warm homes', storyText: '', photo: null };
const STORY: ShareImageFacts = {
  ...ORG,
  story: { kind: 'offsetters', id: 's1' },
  title: 'Dora',
  storyText: 'We give.',
};

/**
 * Creates in-memory files and images that render when the test resolves their gate. An image contains its fund's name
 * and its title.
 */
function testImages({ isPaused = false } = {}) {
  const storedImages = new Map<string, Buffer>();
  const removedFolders: string[] = [];
  const files: PictureFiles & { failing: boolean } = {
    failing: false,
    put: async (name, bytes) => {
      if (files.failing) throw new Error('The disk is full.');
      storedImages.set(name, bytes);
    },
    get: async (name) => {
      const bytes = storedImages.get(name);
      return bytes && { stream: Readable.from([bytes], { objectMode: false }), bytes: bytes.length };
    },
    removeAll: async (folder) => {
      removedFolders.push(folder);
      for (const name of storedImages.keys()) if (name.startsWith(`${folder}/`)) storedImages.delete(name);
    },
  };
  const renders: { facts: ShareImageFacts; photo: Buffer | undefined }[] = [];
  const renderGates: PromiseWithResolvers<void>[] = [];
  let runningCount = 0;
  let maxRunning = 0;
  const { log, loggedProblems } = createLogSpy();
  const images = createCachedShareImages({
    files,
    log,
    queue: createWorkQueue({ maxRunning: 1, maxQueued: 2, timeoutSeconds: 60 }),
    paint: async (facts, photo) => {
      renders.push({ facts, photo });
      runningCount += 1;
      maxRunning = Math.max(maxRunning, runningCount);
      const gate = Promise.withResolvers<void>();
      renderGates.push(gate);
      if (isPaused) await gate.promise;
      runningCount -= 1;
      return Buffer.from(`${facts.orgName}/${facts.title}`);
    },
  });
  return {
    images,
    files,
    storedImages,
    removedFolders,
    renders,
    renderGates,
    loggedProblems,
    maxConcurrent: () => maxRunning,
  };
}

async function readImageText(images: ShareImages, facts: ShareImageFacts): Promise<string> {
  const image = await images.open(facts);
  if (image instanceof Failure) return image.code;
  const bytes = await buffer(image.stream);
  expect(image.bytes).toBe(bytes.length);
  return bytes.toString();
}
const nextTick = () => new Promise(setImmediate);

test('renders a share image once and serves it from the cache', async () => {
  const { images, renders, storedImages } = testImages();
  expect([await readImageText(images, STORY), await readImageText(images, STORY)]).toEqual(['Ours/Dora', 'Ours/Dora']);
  expect(renders).toHaveLength(1);
  expect([...storedImages.keys()]).toEqual([expect.stringMatching(/^cards\/ours\/offsetters-s1-[\w-]{22}\.png$/)]);
});

test('simultaneous requests for an image render it once', async () => {
  const { images, renders } = testImages();
  const texts = await Promise.all([STORY, STORY, STORY].map((facts) => readImageText(images, facts)));
  expect([texts, renders.length]).toEqual([['Ours/Dora', 'Ours/Dora', 'Ours/Dora'], 1]);
});

test.each([
  ['title', { title: 'Another' }],
  ['story text', { storyText: 'A new story.' }],
  ['organization’s name', { orgName: 'Renamed' }],
  ['photo', { photo: { key: 'k'.repeat(22), width: 1, height: 1, widths: [320] } }],
])('a changed %s renders a new image despite the cache', async (_what, change) => {
  const { images, renders } = testImages();
  const [firstImage, secondImage] = [await images.open(STORY), await images.open({ ...STORY, ...change })];
  expect(renders).toHaveLength(2);
  if (firstImage instanceof Failure || secondImage instanceof Failure) throw new Error('an image failed to render');
  expect(firstImage.tag).not.toBe(secondImage.tag);
});

test('organizations and stories with the same id have separate image files', async () => {
  const { images, storedImages } = testImages();
  const allFacts: ShareImageFacts[] = [
    ORG,
    STORY,
    { ...STORY, story: { kind: 'awardees', id: 's1' } },
    { ...STORY, story: { kind: 'offsetters', id: 's2' } },
    { ...STORY, orgId: 'theirs' },
  ];
  for (const facts of allFacts) await images.open(facts);
  expect(storedImages.size).toBe(allFacts.length);
});

test('images render one at a time, and a request that exceeds the queue is asked to retry', async () => {
  const { images, renderGates, maxConcurrent } = testImages({ isPaused: true });
  const requests = ['a', 'b', 'c', 'd'].map((title) => readImageText(images, { ...STORY, title }));
  await nextTick();
  for (let turn = 0; turn < 3; turn += 1) {
    renderGates[turn]?.resolve();
    await nextTick();
  }
  expect(await Promise.all(requests)).toEqual(['Ours/a', 'Ours/b', 'Ours/c', 'too-many-requests']);
  expect(maxConcurrent()).toBe(1);
});

test('only a changed organization’s images are deleted', async () => {
  const { images, storedImages, removedFolders } = testImages();
  for (const facts of [ORG, STORY, { ...ORG, orgId: 'theirs' }]) await images.open(facts);
  await images.removeImages('ours');
  expect([...storedImages.keys()].map((name) => name.split('/')[1])).toEqual(['theirs']);
  await images.removeImages(undefined);
  expect([storedImages.size, removedFolders]).toEqual([0, ['cards/ours', 'cards']]);
});

test.each([
  ['ours', 0],
  [undefined, 0],
  ['theirs', 1],
])('an image rendered while %s changes is sent, and stored only if current', async (changedOrgId, expectedCount) => {
  const { images, storedImages, renderGates } = testImages({ isPaused: true });
  const request = readImageText(images, STORY);
  await nextTick();
  await images.removeImages(changedOrgId);
  renderGates[0]?.resolve();
  expect(await request).toBe('Ours/Dora');
  expect(storedImages.size).toBe(expectedCount);
});

test('an image that waited while its organization changed is sent but not stored', async () => {
  const { images, storedImages, renderGates } = testImages({ isPaused: true });
  const [firstRequest, waitingRequest] = [readImageText(images, ORG), readImageText(images, STORY)];
  await nextTick();
  await images.removeImages('ours');
  for (const turn of [0, 1]) {
    renderGates[turn]?.resolve();
    await nextTick();
  }
  expect(await Promise.all([firstRequest, waitingRequest])).toEqual(['Ours/Warm homes', 'Ours/Dora']);
  expect(storedImages.size).toBe(0);
});

test('a slow deletion delays no new image, and images are stored again after it', async () => {
  const { images, files, storedImages } = testImages();
  const deletion = Promise.withResolvers<void>();
  files.removeAll = () => deletion.promise;
  const removal = images.removeImages('ours');
  await nextTick();
  expect(await readImageText(images, STORY)).toBe('Ours/Dora');
  expect(await readImageText(images, { ...ORG, orgId: 'theirs' })).toBe('Ours/Warm homes');
  expect([...storedImages.keys()].map((name) => name.split('/')[1])).toEqual(['theirs']);
  deletion.resolve();
  await removal;
  await readImageText(images, STORY);
  expect([...storedImages.keys()].map((name) => name.split('/')[1])).toEqual(['theirs', 'ours']);
});

test('a deletion waits for an image that is being stored', async () => {
  const { images, files, removedFolders } = testImages();
  const write = Promise.withResolvers<void>();
  files.put = () => write.promise;
  const request = readImageText(images, STORY);
  await nextTick();
  const removal = images.removeImages('ours');
  await nextTick();
  expect(removedFolders).toEqual([]);
  write.resolve();
  await Promise.all([request, removal]);
  expect(removedFolders).toEqual(['cards/ours']);
});

test('many simultaneous changes delete the images at most twice', async () => {
  const { images, removedFolders } = testImages();
  await Promise.all(Array.from({ length: 50 }, () => images.removeImages('ours')));
  expect(removedFolders.length).toBeLessThanOrEqual(2);
});

test('an image that can’t be stored is sent anyway and logged', async () => {
  const { images, files, loggedProblems } = testImages();
  files.failing = true;
  expect(await readImageText(images, STORY)).toBe('Ours/Dora');
  expect(loggedProblems).toEqual(['a share image could not be stored: The disk is full.']);
  files.failing = false;
  expect(await readImageText(images, STORY)).toBe('Ours/Dora');
  expect(loggedProblems).toHaveLength(1);
});

test('an image that can’t be rendered is an error, and the next one still renders', async () => {
  const { images, renderGates } = testImages({ isPaused: true });
  const failedRequest = images.open(STORY);
  await nextTick();
  renderGates[0]?.reject(new Error('no parts'));
  await expect(failedRequest).rejects.toThrow('no parts');
  const secondRequest = readImageText(images, STORY);
  await nextTick();
  renderGates[1]?.resolve();
  expect(await secondRequest).toBe('Ours/Dora');
});

test('the photo uses the smallest sufficient width, and an image with a missing photo renders without it', async () => {
  const { images, renders, storedImages } = testImages();
  const [key, missingKey] = ['a'.repeat(22), 'b'.repeat(22)];
  for (const width of [640, 1280, 1920]) storedImages.set(`${key}/${width}.webp`, Buffer.from(`${width} wide`));
  await images.open({ ...STORY, photo: { key, width: 1920, height: 1080, widths: [640, 1280, 1920] } });
  await images.open({ ...STORY, photo: { key, width: 640, height: 480, widths: [640] } });
  await images.open({ ...STORY, title: 'Gone', photo: { key: missingKey, width: 640, height: 480, widths: [640] } });
  expect(renders.map(({ photo }) => photo?.toString())).toEqual(['1280 wide', undefined]);
});
