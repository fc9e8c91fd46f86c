import fs from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll } from 'vitest';
import { scratchFolder } from './scratch-folder.ts';

/** The one document of a web client. */
export const DOCUMENT = '<!doctype html><title>The document of the test</title>';
export const SCRIPT = `console.log(${JSON.stringify('a script worth compressing '.repeat(50))});`;
export const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg"><title>A drawing</title></svg>';

/** A built web client as the build leaves it: files with a hash in their name and others, compressed beside them. */
export async function makeWebFolder(): Promise<string> {
  // A folder above that is called as the one of the hashed files must not make everything one of them.
  const scratch = await scratchFolder('web');
  afterAll(() => fs.rm(scratch, { recursive: true, force: true }));
  const folder = path.join(scratch, 'assets', 'web');
  await writeCompressed(path.join(folder, 'index.html'), DOCUMENT);
  await writeCompressed(path.join(folder, 'assets', 'index-Ab12Cd34.js'), SCRIPT);
  await writeCompressed(path.join(folder, 'img', 'icon.svg'), DRAWING);
  await write(path.join(folder, 'assets', 'figtree-Ab12Cd34.woff2'), Buffer.from('a font'));
  await write(path.join(folder, '.vite', 'manifest.json'), Buffer.from('{"secret":true}'));
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
