import sharp from 'sharp';
import type { Modules } from './qr-decoder.ts';

const DARK_THRESHOLD = 128;

/** Reads the modules of a QR code from its SVG, where each run of dark modules is a path such as "M4 4h7v1H4z". */
export function readSvgModules(svg: string): Modules {
  const runs = [...svg.matchAll(/M(\d+)[ ,](\d+) ?h(\d+)v1H/g)].map((run) => run.slice(1).map(Number));
  const margin = Math.min(...runs.map(([x = 0]) => x));
  const size = Math.max(...runs.map(([x = 0, , width = 0]) => x + width)) - margin;
  const darkModules = new Set(
    runs.flatMap(([x = 0, y = 0, width = 0]) => Array.from({ length: width }, (_, step) => `${x + step} ${y}`)),
  );
  const positions = Array.from({ length: size }, (_, index) => index + margin);
  return positions.map((y) => positions.map((x) => darkModules.has(`${x} ${y}`)));
}

/**
 * Reads the modules of a QR code at their centers, from a picture in any format and size. The code must be upright and
 * surrounded by white.
 */
export async function readPictureModules(picture: Buffer): Promise<Modules> {
  const { data, info } = await sharp(picture)
    .flatten({ background: '#fff' })
    .grayscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const isDark = (x: number, y: number) => (data[(y * info.width + x) * info.channels] ?? 255) < DARK_THRESHOLD;
  const rows = Array.from({ length: info.height }, (_, y) => y);
  const columns = Array.from({ length: info.width }, (_, x) => x);
  const darkRows = rows.filter((y) => columns.some((x) => isDark(x, y)));
  const [top = 0, bottom = 0] = [darkRows.at(0), darkRows.at(-1)];
  const leftEdge = columns.find((x) => isDark(x, top)) ?? 0;
  const side = bottom - top + 1;
  const size = measureSize(side, (step) => isDark(leftEdge + step, top));
  const findCenter = (index: number) => Math.floor(((index + 0.5) * side) / size);
  const positions = Array.from({ length: size }, (_, index) => findCenter(index));
  return positions.map((y) => positions.map((x) => isDark(leftEdge + x, top + y)));
}

/** The number of modules per side, measured at the top-left finder pattern, which is seven modules wide. */
function measureSize(side: number, isDarkAt: (step: number) => boolean): number {
  let finderWidth = 0;
  while (isDarkAt(finderWidth)) finderWidth += 1;
  const version = Math.round(((side * 7) / finderWidth - 17) / 4);
  return version * 4 + 17;
}
