import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { Failure } from '#domain/failures.ts';
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
 * Creates in-memory photos and images that render when the test resolves their gate. An image contains its fund's name
 * and its title.
 */
function testImages({ isPaused = false } = {}) {
  const photos = new Map<string, Buffer>();
  const renders: { facts: ShareImageFacts; photo: Buffer | undefined }[] = [];
  const renderGates: PromiseWithResolvers<void>[] = [];
  let runningCount = 0;
  let maxRunning = 0;
  const images = createCachedShareImages({
    files: {
      get: async (name) => {
        const bytes = photos.get(name);
        return bytes && { stream: Readable.from([bytes], { objectMode: false }), bytes: bytes.length };
      },
    },
    log: createLogSpy().log,
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
  return { images, photos, renders, renderGates, maxConcurrent: () => maxRunning };
}

async function readImageText(images: ShareImages, facts: ShareImageFacts): Promise<string> {
  const image = await images.open(facts);
  return image instanceof Failure ? image.code : image.png.toString();
}
const nextTick = () => new Promise(setImmediate);

test('renders a share image once and serves it from the cache', async () => {
  const { images, renders } = testImages();
  expect([await readImageText(images, STORY), await readImageText(images, STORY)]).toEqual(['Ours/Dora', 'Ours/Dora']);
  expect(renders).toHaveLength(1);
});

test('simultaneous requests for an image render it once', async () => {
  const { images, renders } = testImages();
  const texts = await Promise.all([STORY, STORY, STORY].map((facts) => readImageText(images, facts)));
  expect([texts, renders.length]).toEqual([['Ours/Dora', 'Ours/Dora', 'Ours/Dora'], 1]);
});

test.each<[string, Partial<ShareImageFacts>]>([
  ['kind', { story: { kind: 'awardees', id: 's1' } }],
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

test('images render one at a time, and requests beyond the queue limit are asked to retry', async () => {
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

test('only the 100 newest images are cached', async () => {
  const { images, renders } = testImages();
  const allFacts = Array.from({ length: 101 }, (_, index) => ({ ...STORY, title: `Donor ${index}` }));
  for (const facts of allFacts) await images.open(facts);
  for (const facts of allFacts.slice(1)) await images.open(facts);
  expect(renders).toHaveLength(101);
  await images.open({ ...STORY, title: 'Donor 0' });
  expect(renders).toHaveLength(102);
});

test('an image that fails to render throws an error, and the next one still renders', async () => {
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
  const { images, photos, renders } = testImages();
  const [key, missingKey] = ['a'.repeat(22), 'b'.repeat(22)];
  for (const width of [640, 1280, 1920]) photos.set(`${key}/${width}.webp`, Buffer.from(`${width} wide`));
  await images.open({ ...STORY, photo: { key, width: 1920, height: 1080, widths: [640, 1280, 1920] } });
  await images.open({ ...STORY, photo: { key, width: 640, height: 480, widths: [640] } });
  await images.open({ ...STORY, title: 'Gone', photo: { key: missingKey, width: 640, height: 480, widths: [640] } });
  expect(renders.map(({ photo }) => photo?.toString())).toEqual(['1280 wide', undefined]);
});
