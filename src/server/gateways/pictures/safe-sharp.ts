const LOADERS = ['JpegBuffer', 'PngBuffer', 'WebpBuffer', 'HeifBuffer'];

let loaded: ReturnType<typeof load> | undefined;

/**
 * The library that decodes and draws pictures, loaded on first use: it is a fifth of the memory of a program that just runs.
 * It is limited, in the whole process, to the four photo formats from memory: no SVG, GIF or TIFF, and no file by name.
 */
export function safeSharp() {
  loaded ??= load();
  return loaded;
}

async function load() {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS.map((loader) => `VipsForeignLoad${loader}`) });
  // Every upload is decoded once, so a cache is useless.
  sharp.cache(false);
  return sharp;
}
