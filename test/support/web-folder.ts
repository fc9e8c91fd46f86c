import fs from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { deferCleanup } from './defer-cleanup.ts';

export const DOCUMENT = '<!doctype html><title>The document of the test</title>';
export const SCRIPT = `console.log(${JSON.stringify('a script worth compressing '.repeat(50))});`;
export const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg"><title>A drawing</title></svg>';

/** Vite's manifest. */
export type BuildManifest = Readonly<Record<string, object>>;

/** One script for all pages, one for the home page, a style sheet, and fonts. */
export const MANIFEST: BuildManifest = {
  'index.html': {
    file: 'assets/index-Ab12Cd34.js',
    src: 'index.html',
    isEntry: true,
    imports: ['_react-Ab12Cd34.js'],
    css: ['assets/index-Ab12Cd34.css'],
  },
  '_react-Ab12Cd34.js': { file: 'assets/react-Ab12Cd34.js', name: 'react' },
  'routes/home/home-page.tsx': {
    file: 'assets/home-page-Ab12Cd34.js',
    src: 'routes/home/home-page.tsx',
    isDynamicEntry: true,
    imports: ['index.html', '_stories-Ab12Cd34.js'],
    css: ['assets/home-page-Ab12Cd34.css'],
  },
  '_stories-Ab12Cd34.js': {
    file: 'assets/stories-Ab12Cd34.js',
    imports: ['_react-Ab12Cd34.js'],
    css: ['assets/stories-Ab12Cd34.css'],
  },
  'fonts/figtree.woff2': { file: 'assets/figtree-Ab12Cd34.woff2', src: 'fonts/figtree.woff2' },
};

export const STYLES = { index: 'body{color:#0e2930}', 'home-page': '.hero{margin:0}', stories: '.card{margin:0}' };

/**
 * A built web client: hashed and other files, each with its compressed versions.
 * @param manifest invalid by default, so that no page is rendered
 */
export async function createWebFolder(manifest: BuildManifest | { secret: true } = { secret: true }): Promise<string> {
  // The parent folder is also named assets, to check that this doesn't make all files count as hashed.
  const scratch = await createScratchFolder('web');
  deferCleanup(() => fs.rm(scratch, { recursive: true, force: true }));
  const folder = path.join(scratch, 'assets', 'web');
  await writeCompressed(path.join(folder, 'index.html'), DOCUMENT);
  await writeCompressed(path.join(folder, 'assets', 'index-Ab12Cd34.js'), SCRIPT);
  for (const [name, style] of Object.entries(STYLES)) {
    await writeCompressed(path.join(folder, 'assets', `${name}-Ab12Cd34.css`), style);
  }
  await writeCompressed(path.join(folder, 'img', 'icon.svg'), DRAWING);
  await write(path.join(folder, 'assets', 'figtree-Ab12Cd34.woff2'), Buffer.from('a font'));
  await write(path.join(folder, '.vite', 'manifest.json'), Buffer.from(JSON.stringify(manifest)));
  return folder;
}

async function writeCompressed(file: string, content: string): Promise<void> {
  await write(file, Buffer.from(content));
  await write(`${file}.br`, brotliCompressSync(content));
  await write(`${file}.gz`, gzipSync(content));
}

async function write(file: string, content: Buffer): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true });
  await fs.writeFile(file, content);
}
