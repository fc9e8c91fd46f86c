import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { Failure } from '#domain/failures.ts';
import type { PictureFiles } from '#server/gateways/pictures/picture-files.ts';
import { workQueue } from '#server/gateways/pictures/work-queue.ts';
import type { CardFacts, Cards } from '#server/gateways/share-images/share-images.ts';
import { keptCards } from '#server/gateways/share-images/stored-share-images.ts';
import { watchedLog } from '#test/support/watched-log.ts';

const ORG: CardFacts = { orgId: 'ours', orgName: 'Ours', title: 'Warm homes', words: '', photo: null };
const STORY: CardFacts = { ...ORG, story: { kind: 'offsetters', id: 's1' }, title: 'Dora', words: 'We give.' };

/** Files in memory, and cards that are drawn when the test says so: a card is the text of its facts. */
function cardsAtWork({ held = false } = {}) {
  const stored = new Map<string, Buffer>();
  const removed: string[] = [];
  const files: PictureFiles & { failing: boolean } = {
    failing: false,
    put: async (name, bytes) => {
      if (files.failing) throw new Error('The disk is full.');
      stored.set(name, bytes);
    },
    get: async (name) => {
      const bytes = stored.get(name);
      return bytes && { stream: Readable.from([bytes], { objectMode: false }), bytes: bytes.length };
    },
    removeAll: async (folder) => {
      removed.push(folder);
      for (const name of stored.keys()) if (name.startsWith(`${folder}/`)) stored.delete(name);
    },
  };
  const drawn: { facts: CardFacts; photo: Buffer | undefined }[] = [];
  const waiting: PromiseWithResolvers<void>[] = [];
  let atOnce = 0;
  let most = 0;
  const { log, complaints } = watchedLog();
  const cards = keptCards({
    files,
    log,
    queue: workQueue({ atOnce: 1, waiting: 2, seconds: 60 }),
    paint: async (facts, photo) => {
      drawn.push({ facts, photo });
      atOnce += 1;
      most = Math.max(most, atOnce);
      const turn = Promise.withResolvers<void>();
      waiting.push(turn);
      if (held) await turn.promise;
      atOnce -= 1;
      return Buffer.from(`${facts.orgName}/${facts.title}`);
    },
  });
  return { cards, files, stored, removed, drawn, waiting, complaints, mostAtOnce: () => most };
}

async function contentOf(cards: Cards, facts: CardFacts): Promise<string> {
  const card = await cards.open(facts);
  if (card instanceof Failure) return card.code;
  const bytes = await buffer(card.stream);
  expect(card.bytes).toBe(bytes.length);
  return bytes.toString();
}
const begun = () => new Promise(setImmediate);

test('a card is drawn once, and kept', async () => {
  const { cards, drawn, stored } = cardsAtWork();
  expect([await contentOf(cards, STORY), await contentOf(cards, STORY)]).toEqual(['Ours/Dora', 'Ours/Dora']);
  expect(drawn).toHaveLength(1);
  expect([...stored.keys()]).toEqual([expect.stringMatching(/^cards\/ours\/offsetters-s1-[\w-]{22}\.png$/)]);
});

test('many who ask for the same card have it drawn once', async () => {
  const { cards, drawn } = cardsAtWork();
  const all = await Promise.all([STORY, STORY, STORY].map((facts) => contentOf(cards, facts)));
  expect([all, drawn.length]).toEqual([['Ours/Dora', 'Ours/Dora', 'Ours/Dora'], 1]);
});

test.each([
  ['name', { title: 'Another' }],
  ['words', { words: 'Told anew.' }],
  ['organization’s name', { orgName: 'Renamed' }],
  ['photo', { photo: { key: 'k'.repeat(22), width: 1, height: 1, widths: [320] } }],
])('a card whose %s is another one is another card, whatever was kept', async (_what, other) => {
  const { cards, drawn } = cardsAtWork();
  const [one, two] = [await cards.open(STORY), await cards.open({ ...STORY, ...other })];
  expect(drawn).toHaveLength(2);
  if (one instanceof Failure || two instanceof Failure) throw new Error('both are drawn');
  expect(one.tag).not.toBe(two.tag);
});

test('the card of an organization, and those of stories of one id in another kind or organization, are apart', async () => {
  const { cards, stored } = cardsAtWork();
  const others: CardFacts[] = [
    ORG,
    STORY,
    { ...STORY, story: { kind: 'awardees', id: 's1' } },
    { ...STORY, story: { kind: 'offsetters', id: 's2' } },
    { ...STORY, orgId: 'theirs' },
  ];
  for (const facts of others) await cards.open(facts);
  expect(stored.size).toBe(others.length);
});

test('one card is drawn at a time, and who comes when many wait is asked to come back', async () => {
  const { cards, waiting, mostAtOnce } = cardsAtWork({ held: true });
  const asked = ['a', 'b', 'c', 'd'].map((title) => contentOf(cards, { ...STORY, title }));
  await begun();
  for (let turn = 0; turn < 3; turn += 1) {
    waiting[turn]?.resolve();
    await begun();
  }
  expect(await Promise.all(asked)).toEqual(['Ours/a', 'Ours/b', 'Ours/c', 'too-many-requests']);
  expect(mostAtOnce()).toBe(1);
});

test('an organization that has changed loses its cards, and no other one does', async () => {
  const { cards, stored, removed } = cardsAtWork();
  for (const facts of [ORG, STORY, { ...ORG, orgId: 'theirs' }]) await cards.open(facts);
  await cards.drop('ours');
  expect([...stored.keys()].map((name) => name.split('/')[1])).toEqual(['theirs']);
  await cards.drop(undefined);
  expect([stored.size, removed]).toEqual([0, ['cards/ours', 'cards']]);
});

test.each([
  ['ours', 0],
  [undefined, 0],
  ['theirs', 1],
])(
  'a card that is drawn while %s changes is given to who waits, and kept only where it is no older',
  async (changed, kept) => {
    const { cards, stored, waiting } = cardsAtWork({ held: true });
    const asked = contentOf(cards, STORY);
    await begun();
    await cards.drop(changed);
    waiting[0]?.resolve();
    expect(await asked).toBe('Ours/Dora');
    expect(stored.size).toBe(kept);
  },
);

test('many changes at once are one taking away', async () => {
  const { cards, removed } = cardsAtWork();
  await Promise.all(Array.from({ length: 50 }, () => cards.drop('ours')));
  expect(removed.length).toBeLessThanOrEqual(2);
});

test('a card that cannot be kept is given all the same, and the log tells of it', async () => {
  const { cards, files, complaints } = cardsAtWork();
  files.failing = true;
  expect(await contentOf(cards, STORY)).toBe('Ours/Dora');
  expect(complaints).toEqual(['a share card could not be kept: The disk is full.']);
  files.failing = false;
  expect(await contentOf(cards, STORY)).toBe('Ours/Dora');
  expect(complaints).toHaveLength(1);
});

test('a card that cannot be drawn is an error, and the next one is drawn', async () => {
  const { cards, waiting } = cardsAtWork({ held: true });
  const failing = cards.open(STORY);
  await begun();
  waiting[0]?.reject(new Error('no parts'));
  await expect(failing).rejects.toThrow('no parts');
  const again = contentOf(cards, STORY);
  await begun();
  waiting[1]?.resolve();
  expect(await again).toBe('Ours/Dora');
});

test('the photo is taken in the least width that fills a card, and a card whose photo is gone is drawn without it', async () => {
  const { cards, drawn, stored } = cardsAtWork();
  const [key, gone] = ['a'.repeat(22), 'b'.repeat(22)];
  for (const width of [640, 1280, 1920]) stored.set(`${key}/${width}.webp`, Buffer.from(`${width} wide`));
  await cards.open({ ...STORY, photo: { key, width: 1920, height: 1080, widths: [640, 1280, 1920] } });
  await cards.open({ ...STORY, photo: { key, width: 640, height: 480, widths: [640] } });
  await cards.open({ ...STORY, title: 'Gone', photo: { key: gone, width: 640, height: 480, widths: [640] } });
  expect(drawn.map(({ photo }) => photo?.toString())).toEqual(['1280 wide', undefined]);
});
