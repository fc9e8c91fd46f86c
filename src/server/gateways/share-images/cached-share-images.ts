import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { SHARE_IMAGE_SIZE } from '#contract/share-images.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import type { StoredPhoto } from '#server/db/column-types.ts';
import type { PictureFiles } from '#server/gateways/pictures/picture-files.ts';
import { pictureFileName } from '#server/gateways/pictures/pictures.ts';
import type { Log } from '#server/log.ts';
import { createWorkQueue, type WorkQueue } from '#server/process/work-queue.ts';
import type { ShareImagePainter } from './paint-image.ts';
import type { ShareImageFacts, ShareImages } from './share-images.ts';

/** One image at a time, so that drawing uses one core at most. */
const LIMITS = { maxRunning: 1, maxQueued: 24, timeoutSeconds: 60 };
/** Increment when the design changes, so that older images are no longer served. */
const DESIGN_VERSION = 1;
const FOLDER = 'cards';

export type CachedShareImagesOptions = {
  readonly files: PictureFiles;
  readonly paint: ShareImagePainter;
  readonly log: Pick<Log, 'warn'>;
  readonly queue?: WorkQueue;
};

/** @property isStale true if the organization has changed since its facts were read */
type Drawing = { readonly orgId: OrgId; isStale: boolean };

/**
 * Draws share images and caches them with the picture files. A stale image is never served, because file names contain a
 * hash of the content. A changed organization's images are deleted, so that none of them preserves a deleted photo.
 */
export function createCachedShareImages({
  files,
  paint,
  log,
  queue = createWorkQueue(LIMITS, () => log.warn({}, 'a share image takes too long to draw, and others have to wait')),
}: CachedShareImagesOptions): ShareImages {
  /** Includes queued drawings, whose facts may be from before a change. */
  const drawings = new Set<Drawing>();
  const foldersToRemove = new Set<string>();
  /** Contains at most one. */
  const foldersInRemoval = new Set<string>();
  let lastRemoval: Promise<unknown> = Promise.resolve();
  const pendingWrites = new Set<Promise<void>>();

  const isBeingRemoved = (name: string): boolean =>
    [...foldersToRemove, ...foldersInRemoval].some((folder) => name.startsWith(`${folder}/`));
  // If storing fails, the next request draws the image again.
  const store = async (name: string, image: Buffer): Promise<void> => {
    const write = files
      .put(name, image)
      .catch((err: unknown) => log.warn({ err }, 'a share image could not be stored'));
    pendingWrites.add(write);
    await write;
    pendingWrites.delete(write);
  };

  const draw = async (facts: ShareImageFacts, name: string, drawing: Drawing): Promise<Buffer> => {
    const image = await paint(facts, await readPhoto(files, facts.photo));
    // Doesn't wait for a removal, which may take minutes in a bucket.
    if (!drawing.isStale && !isBeingRemoved(name)) await store(name, image);
    return image;
  };
  const removeFolder = async (folder: string): Promise<void> => {
    foldersToRemove.delete(folder);
    foldersInRemoval.add(folder);
    await Promise.all(pendingWrites);
    await files.removeAll(folder).finally(() => foldersInRemoval.delete(folder));
  };
  return {
    open: async (facts) => {
      const tag = computeTag(facts);
      const name = buildFileName(facts, tag);
      const cachedFile = await files.get(name);
      if (cachedFile) return { ...cachedFile, tag };
      const drawing = { orgId: facts.orgId, isStale: false };
      drawings.add(drawing);
      try {
        // A request that waited for the same image finds it stored.
        const image = await queue.run(async () => (await files.get(name)) ?? toFile(await draw(facts, name, drawing)));
        return image instanceof Failure ? image : { ...image, tag };
      } finally {
        drawings.delete(drawing);
      }
    },
    removeImages: async (orgId) => {
      for (const drawing of drawings) if (orgId === undefined || drawing.orgId === orgId) drawing.isStale = true;
      const folder = orgId === undefined ? FOLDER : `${FOLDER}/${orgId}`;
      if (foldersToRemove.has(folder)) return;
      foldersToRemove.add(folder);
      const removal = lastRemoval.then(() => removeFolder(folder));
      lastRemoval = removal.catch(() => {});
      await removal;
    },
  };
}

function buildFileName({ orgId, story }: ShareImageFacts, tag: string): string {
  return `${FOLDER}/${orgId}/${story ? `${story.kind}-${story.id}` : 'org'}-${tag}.png`;
}

function computeTag(facts: ShareImageFacts): string {
  const content = JSON.stringify([DESIGN_VERSION, facts.orgName, facts.title, facts.storyText, facts.photo?.key]);
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

function toFile(image: Buffer) {
  return { stream: Readable.from([image], { objectMode: false }), bytes: image.length };
}

/** Reads the photo's file with the smallest sufficient width. @returns undefined if it is missing */
async function readPhoto(files: PictureFiles, photo: StoredPhoto | null): Promise<Buffer | undefined> {
  const width = photo?.widths.find((storedWidth) => storedWidth >= SHARE_IMAGE_SIZE.width) ?? photo?.widths.at(-1);
  const name = photo && width !== undefined ? pictureFileName(photo.key, width) : undefined;
  const file = name === undefined ? undefined : await files.get(name);
  return file && (await buffer(file.stream));
}
