import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { houseMarkSvg } from '../drawing/house-mark.ts';
import { valleySvg } from '../drawing/valley.ts';
import { landSvg } from '../drawing/world.ts';

/** The drawn pictures that are served as /img/<name>. */
const drawings = { 'hero.svg': valleySvg, 'land.svg': landSvg, 'icon.svg': houseMarkSvg } as const;

/** Draws hero.svg, land.svg and icon.svg into `outDir`, which is made when it is missing. */
export async function buildDrawings(outDir: string): Promise<void> {
  await mkdir(outDir, { recursive: true });
  await Promise.all(Object.entries(drawings).map(([name, draw]) => writeFile(join(outDir, name), draw())));
}

if (import.meta.main) await buildDrawings(fileURLToPath(new URL('../../build/public/img', import.meta.url)));
