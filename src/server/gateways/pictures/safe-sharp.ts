import { cacheOnSuccess } from '#server/process/cache-on-success.ts';

const LOADERS = ['JpegBuffer', 'PngBuffer', 'WebpBuffer', 'HeifBuffer'];

/**
 * Loads the library that decodes and draws pictures. It is loaded on first use, because it takes a fifth of an idle
 * program's memory.
 *  Throughout the process, the library can decode only the four photo formats, and only from memory: no SVG, GIF, or
 *  TIFF, and no files by name.
 */
export const loadSafeSharp = cacheOnSuccess(async () => {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS.map((loader) => `VipsForeignLoad${loader}`) });
  // Each upload is decoded only once, so a cache is useless.
  sharp.cache(false);
  return sharp;
});
