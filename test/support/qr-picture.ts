import sharp from 'sharp';
import type { Modules } from './qr-decoder.ts';

const DARK = 128;

/** The modules in the drawing of a QR code, whose dark ones form rows like "M4 4h7v1H4z". */
export function modulesInSvg(svg: string): Modules {
  const runs = [...svg.matchAll(/M(\d+)[ ,](\d+) ?h(\d+)v1H/g)].map((run) => run.slice(1).map(Number));
  const margin = Math.min(...runs.map(([x = 0]) => x));
  const size = Math.max(...runs.map(([x = 0, , width = 0]) => x + width)) - margin;
  const dark = new Set(
    runs.flatMap(([x = 0, y = 0, width = 0]) => Array.from({ length: width }, (_, step) => `${x + step} ${y}`)),
  );
  const places = Array.from({ length: size }, (_, index) => index + margin);
  return places.map((y) => places.map((x) => dark.has(`${x} ${y}`)));
}

/**
 * Reads the modules of a QR code from a picture of any format and size, at their centers. The code must be upright with
 * only white around it.
 */
export async function modulesInPicture(picture: Buffer): Promise<Modules> {
  const { data, info } = await sharp(picture)
    .flatten({ background: '#fff' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const isDark = (x: number, y: number) => (data[(y * info.width + x) * info.channels] ?? 255) < DARK;
  const rows = Array.from({ length: info.height }, (_, y) => y);
  const columns = Array.from({ length: info.width }, (_, x) => x);
  const darkRows = rows.filter((y) => columns.some((x) => isDark(x, y)));
  const [top = 0, bottom = 0] = [darkRows.at(0), darkRows.at(-1)];
  const leftEdge = columns.find((x) => isDark(x, top)) ?? 0;
  const side = bottom - top + 1;
  const size = sizeOf(side, (step) => isDark(leftEdge + step, top));
  const middle = (index: number) => Math.floor(((index + 0.5) * side) / size);
  const places = Array.from({ length: size }, (_, index) => middle(index));
  return places.map((y) => places.map((x) => isDark(leftEdge + x, top + y)));
}

/** The width of a module, measured at the corner finder, which is seven modules wide. */
function sizeOf(side: number, isDarkAt: (step: number) => boolean): number {
  let finder = 0;
  while (isDarkAt(finder)) finder += 1;
  const version = Math.round(((side * 7) / finder - 17) / 4);
  return version * 4 + 17;
}
