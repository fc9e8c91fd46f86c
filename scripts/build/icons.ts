import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import { houseMarkSquareSvg, houseMarkSvg } from '../drawing/house-mark.ts';
import { palette } from '../drawing/palette.ts';

type AppIcon = { readonly name: string; readonly size: number; readonly drawing: string; readonly maskable?: true };

/** What a telephone shows among its programs. A maskable one is cut into the shape that the system likes. */
const ICONS: readonly AppIcon[] = [
  { name: 'icon-192.png', size: 192, drawing: houseMarkSvg() },
  { name: 'icon-512.png', size: 512, drawing: houseMarkSvg() },
  { name: 'icon-maskable-512.png', size: 512, drawing: houseMarkSquareSvg(0.8), maskable: true },
];
/** Apple rounds its corners itself. */
const APPLE_ICON: AppIcon = { name: 'apple-touch-icon.png', size: 180, drawing: houseMarkSquareSvg(1) };

const SVG_PIXELS = 32;
const DOTS_PER_INCH = 72;

/** What a browser asks of a site that is put among the programs (the web app manifest). */
const MANIFEST = {
  id: '/',
  name: PROGRAM_NAME,
  short_name: 'Climate Fund',
  description: 'Estimate the carbon of a trip or a home, offset it, and help a neighbor keep warm.',
  lang: 'en',
  start_url: '/',
  scope: '/',
  display: 'minimal-ui',
  background_color: palette.mist50,
  theme_color: palette.night,
  icons: ICONS.map(({ name, size, maskable }) => ({
    src: `/img/${name}`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose: maskable ? 'maskable' : 'any',
  })),
};

/** Writes the icons as pictures, and the manifest that names them, into the folder of what is served as it is. */
export async function buildIcons(folder: string): Promise<void> {
  await mkdir(join(folder, 'img'), { recursive: true });
  for (const { name, size, drawing } of [...ICONS, APPLE_ICON]) {
    // Drawn at its own size, and not enlarged.
    const density = (DOTS_PER_INCH * size) / SVG_PIXELS;
    await sharp(Buffer.from(drawing), { density })
      .resize(size, size)
      .png()
      .toFile(join(folder, 'img', name));
  }
  await writeFile(join(folder, 'manifest.webmanifest'), `${JSON.stringify(MANIFEST, null, 2)}\n`);
}

if (import.meta.main) await buildIcons(fileURLToPath(new URL('../../build/public', import.meta.url)));
