import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CARD_SIZE } from '#contract/share-images.ts';
import { Failure } from '#domain/failures.ts';
import type { Log } from '#server/db/log.ts';
import type { StoredPhoto } from '#server/db/tables.ts';
import type { PictureFiles } from '#server/gateways/pictures/picture-files.ts';
import { pictureFileName } from '#server/gateways/pictures/picture-names.ts';
import { type WorkQueue, workQueue } from '#server/gateways/pictures/work-queue.ts';
import type { CardPainter } from './paint-image.ts';
import type { CardFacts, Cards } from './share-images.ts';

/** One card is drawn at a time, so that whoever asks for many takes one core for a while and no more. */
const LIMITS = { atOnce: 1, waiting: 24, seconds: 60 };
/** Raised when cards are drawn otherwise, so that those drawn before are not shown any more. */
const DRAWING = 1;
const FOLDER = 'cards';

export type KeptCardsOptions = {
  readonly files: PictureFiles;
  readonly paint: CardPainter;
  readonly log: Pick<Log, 'warn'>;
  readonly queue?: WorkQueue;
};

/**
 * Cards kept among the files of pictures. A card's name holds what it tells, so that one which tells what is no longer
 * so is never shown; and the cards of an organisation that has changed are taken away, so that a photo that was
 * deleted does not live on in one.
 */
export function keptCards({ files, paint, log, queue = workQueue(LIMITS) }: KeptCardsOptions): Cards {
  const inTurn = oneAfterAnother();
  const drawing = new Set<{ readonly orgId: string; isOld: boolean }>();
  const waiting = new Set<string>();

  const draw = async (facts: CardFacts, name: string): Promise<Buffer> => {
    const token = { orgId: facts.orgId, isOld: false };
    drawing.add(token);
    try {
      const card = await paint(facts, await photoOf(files, facts.photo));
      const keep = async () => (token.isOld ? undefined : files.put(name, card));
      // It is drawn, and whoever waits for it gets it; the next one has it drawn again.
      await inTurn(keep).catch((err: unknown) => log.warn({ err }, 'a share card could not be kept'));
      return card;
    } finally {
      drawing.delete(token);
    }
  };
  return {
    open: async (facts) => {
      const tag = tagOf(facts);
      const name = nameOf(facts, tag);
      const kept = await files.get(name);
      if (kept) return { ...kept, tag };
      // Whoever waited for the same card finds it kept.
      const made = await queue.run(async () => (await files.get(name)) ?? asFile(await draw(facts, name)));
      return made instanceof Failure ? made : { ...made, tag };
    },
    drop: async (orgId) => {
      for (const token of drawing) if (orgId === undefined || token.orgId === orgId) token.isOld = true;
      const folder = orgId === undefined ? FOLDER : `${FOLDER}/${orgId}`;
      // What waits to be taken away already is taken away then.
      if (waiting.has(folder)) return;
      waiting.add(folder);
      await inTurn(() => {
        waiting.delete(folder);
        return files.removeAll(folder);
      });
    },
  };
}

function nameOf({ orgId, story }: CardFacts, tag: string): string {
  return `${FOLDER}/${orgId}/${story ? `${story.kind}-${story.id}` : 'org'}-${tag}.png`;
}

function tagOf(facts: CardFacts): string {
  const told = JSON.stringify([DRAWING, facts.orgName, facts.title, facts.words, facts.photo?.key]);
  return createHash('sha256').update(told).digest('base64url').slice(0, 22);
}

function asFile(card: Buffer) {
  return { stream: Readable.from([card], { objectMode: false }), bytes: card.length };
}

/** The photo in the least of its widths that fills a card; nothing where its file is gone. */
async function photoOf(files: PictureFiles, photo: StoredPhoto | null): Promise<Buffer | undefined> {
  const width = photo?.widths.find((one) => one >= CARD_SIZE.width) ?? photo?.widths.at(-1);
  const name = photo && width !== undefined ? pictureFileName(photo.key, width) : undefined;
  const file = name === undefined ? undefined : await files.get(name);
  return file && (await buffer(file.stream));
}

/** Runs what changes the files one after the other: a folder is not taken away while something is put into it. */
function oneAfterAnother() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}
