const LOADERS = ['JpegBuffer', 'PngBuffer', 'WebpBuffer', 'HeifBuffer'];

let sharpPromise: ReturnType<typeof loadSharp> | undefined;

/**
 * Loads the library that decodes and draws pictures. It is loaded on first use, because it takes a fifth of an idle
 * program's memory.
 *
 * In the whole process it can only decode the four photo formats from memory: no SVG, GIF, or TIFF, and no file by name.
 */
export function loadSafeSharp() {
  sharpPromise ??= loadSharp();
  return sharpPromise;
}

async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS.map((loader) => `VipsForeignLoad${loader}`) });
  // Each upload is decoded only once, so a cache is useless.
  sharp.cache(false);
  return sharp;
}
