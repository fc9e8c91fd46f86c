import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { folderForLanguage } from '#contract/languages.ts';
import type { Language } from '#messages';
import { copyPreviousAssets } from '../release/previous-assets.ts';
import { COMPILED_FOLDER } from './messages.ts';
import { replaceFolder } from './replace-folder.ts';
import { runScript } from './run-script.ts';

export const WEB_FOLDER = 'build/web';
/** Folder of the code that renders pages on the server. */
const RENDERER_FOLDER = 'build/renderer';
/** A running server keeps serving the previous build until the new folders replace it. */
const WEB_DRAFT = 'build/web.new';
const RENDERER_DRAFT = 'build/renderer.new';

const COMPRESSIBLE_FILE = /\.(?:js|css|svg|html|json|txt)$/;
const brotli = promisify(brotliCompress);
const gzipCompress = promisify(gzip);

/** Builds the web client, the server's page renderer, and the service worker, and compresses the client's files. */
export async function buildWeb(): Promise<void> {
  for (const folder of [WEB_DRAFT, RENDERER_DRAFT]) await rm(folder, { recursive: true, force: true });
  const { LANGUAGES } = await import('#messages');
  // The default language is built last, since every language writes its document to the same file.
  for (const part of [...LANGUAGES.toReversed(), WORKER]) {
    // Any other NODE_ENV makes Vite use React's development build, which is three times as large.
    await runScript('scripts/build/web.ts', [part], { ...process.env, NODE_ENV: 'production' });
  }
  await compressAll(WEB_DRAFT);
  await copyPreviousAssets(WEB_FOLDER, WEB_DRAFT, new Date());
  // A running server loads the code of a page when it first renders the page.
  for (const folder of LANGUAGES.map(folderForLanguage)) {
    await copyPreviousAssets(path.join(RENDERER_FOLDER, folder), path.join(RENDERER_DRAFT, folder), new Date());
  }
  await replaceFolder(RENDERER_DRAFT, RENDERER_FOLDER);
  await replaceFolder(WEB_DRAFT, WEB_FOLDER);
}

const WORKER = 'worker';

async function buildPart(part: string): Promise<void> {
  const { LANGUAGES } = await import('#messages');
  const language = LANGUAGES.find((candidate) => candidate === part);
  await (language ? buildLanguage(language) : buildWorker());
}

async function buildWorker(): Promise<void> {
  const { build } = await import('vite');
  await build({
    configFile: false,
    mode: 'production',
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir: WEB_DRAFT,
      emptyOutDir: false,
      rollupOptions: {
        input: 'src/worker/service-worker.ts',
        output: { format: 'iife', entryFileNames: 'service-worker.js' },
      },
    },
  });
}

/**
 * Builds the pages in one language. Files without text have the same name and content in every language.
 * The default language's document, manifest, and renderer have no subfolder (contract/languages.ts).
 */
async function buildLanguage(language: Language): Promise<void> {
  const { build } = await import('vite');
  const { getDocumentConstants } = await import('./document-constants.ts');
  const folder = folderForLanguage(language);
  const resolve = { alias: { '#messages': path.resolve(COMPILED_FOLDER, language, 'messages.js') } };
  await build({
    mode: 'production',
    logLevel: 'warn',
    resolve,
    define: getDocumentConstants(language),
    build: {
      outDir: path.resolve(WEB_DRAFT),
      manifest: path.posix.join('.vite', folder, 'manifest.json'),
      emptyOutDir: false,
    },
  });
  if (folder !== '') {
    await rename(path.join(WEB_DRAFT, 'index.html'), path.join(WEB_DRAFT, '.vite', folder, 'index.html'));
  }
  await build({
    mode: 'production',
    logLevel: 'warn',
    publicDir: false,
    resolve,
    // Bundle all dependencies, so the renderer uses React's production build regardless of the server's NODE_ENV.
    ssr: { noExternal: true },
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: {
      ssr: 'entry-server.tsx',
      outDir: path.resolve(RENDERER_DRAFT, folder),
      emptyOutDir: false,
      manifest: false,
      minify: true,
      rollupOptions: { output: { entryFileNames: 'entry-server.js' } },
    },
  });
}

async function compressAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE_FILE.test(entry.name));
  await Promise.all(files.map((file) => compress(path.join(file.parentPath, file.name))));
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  await writeFile(`${file}.br`, await brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
  await writeFile(`${file}.gz`, await gzipCompress(content, { level: 9 }));
}

if (import.meta.main) await buildPart(process.argv[2] ?? '');
