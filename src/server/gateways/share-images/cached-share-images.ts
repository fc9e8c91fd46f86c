import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { SHARE_IMAGE_SIZE } from '#contract/share-images.ts';
import { Failure } from '#domain/failures.ts';
import type { StoredPhoto } from '#server/db/column-types.ts';
import type { PictureFiles } from '#server/gateways/pictures/picture-files.ts';
import { pictureFileName } from '#server/gateways/pictures/pictures.ts';
import type { Log } from '#server/log.ts';
import { createWorkQueue, type WorkQueue } from '#server/process/work-queue.ts';
import type { ShareImagePainter } from './paint-image.ts';
import type { ShareImageFacts, ShareImages } from './share-images.ts';

/** One image at a time, so that drawing uses at most one core. */
const LIMITS = { maxRunning: 1, maxQueued: 24, timeoutSeconds: 60 };
/** An image takes up to 750 kB; most take less than 200 kB. */
const MAX_CACHED_IMAGES = 100;
/** Increment when the design changes, so that browsers with an older image download the new one. */
const DESIGN_VERSION = 1;

export type CachedShareImagesOptions = {
  readonly files: Pick<PictureFiles, 'get'>;
  readonly paint: ShareImagePainter;
  readonly log: Pick<Log, 'warn'>;
  readonly queue?: WorkQueue;
};

/**
 * Draws share images and caches the newest ones in memory. A stale image is never served, because each is cached under a
 * hash of its content.
 */
export function createCachedShareImages({
  files,
  paint,
  log,
  queue = createWorkQueue(LIMITS, () => log.warn({}, 'drawing share images is slow; requests are backing up')),
}: CachedShareImagesOptions): ShareImages {
  const cachedImages = new Map<string, Buffer>();

  const draw = async (facts: ShareImageFacts, tag: string): Promise<Buffer> => {
    const image = await paint(facts, await readPhoto(files, facts.photo));
    cachedImages.set(tag, image);
    const [oldestTag] = cachedImages.keys();
    if (cachedImages.size > MAX_CACHED_IMAGES && oldestTag !== undefined) cachedImages.delete(oldestTag);
    return image;
  };
  return {
    open: async (facts) => {
      const tag = computeTag(facts);
      const png =
        cachedImages.get(tag) ??
        // A request that waited for the same image finds it cached.
        (await queue.run(async () => cachedImages.get(tag) ?? (await draw(facts, tag))));
      return png instanceof Failure ? png : { png, tag };
    },
  };
}

function computeTag({ orgName, story, title, storyText, photo }: ShareImageFacts): string {
  const content = JSON.stringify([DESIGN_VERSION, orgName, story?.kind, title, storyText, photo?.key]);
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

/** Reads the photo's file with the smallest sufficient width. @returns undefined if it is missing */
async function readPhoto(files: Pick<PictureFiles, 'get'>, photo: StoredPhoto | null): Promise<Buffer | undefined> {
  const width = photo?.widths.find((storedWidth) => storedWidth >= SHARE_IMAGE_SIZE.width) ?? photo?.widths.at(-1);
  const name = photo && width !== undefined ? pictureFileName(photo.key, width) : undefined;
  const file = name === undefined ? undefined : await files.get(name);
  return file && (await buffer(file.stream));
}
