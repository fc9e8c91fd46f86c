import fs from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readBuiltClient } from '#server/pages/built-client.ts';
import { createWebFolder, DOCUMENT, MANIFEST, STYLES } from '#test/support/web-folder.ts';

const client = await readBuiltClient(await createWebFolder(MANIFEST));

test('the empty document is the one from the build', () => {
  expect(client?.shell).toBe(DOCUMENT);
});

test('a page has the common files and its own, each once, in dependency order', () => {
  expect(client?.findFiles('home-page')).toEqual({
    script: '/assets/index-Ab12Cd34.js',
    preloads: ['/assets/react-Ab12Cd34.js', '/assets/stories-Ab12Cd34.js', '/assets/home-page-Ab12Cd34.js'],
    styles: ['/assets/index-Ab12Cd34.css', '/assets/stories-Ab12Cd34.css', '/assets/home-page-Ab12Cd34.css'],
    styleTexts: [STYLES.index, STYLES.stories, STYLES['home-page']],
    fonts: ['/assets/figtree-Ab12Cd34.woff2'],
  });
});

test('a page without its own file and the not-found page have only the common files', () => {
  const commonFiles = {
    script: '/assets/index-Ab12Cd34.js',
    preloads: ['/assets/react-Ab12Cd34.js'],
    styles: ['/assets/index-Ab12Cd34.css'],
    styleTexts: [STYLES.index],
    fonts: ['/assets/figtree-Ab12Cd34.woff2'],
  };
  expect(client?.findFiles(undefined)).toEqual(commonFiles);
  expect(client?.findFiles('about-page')).toEqual(commonFiles);
});

test('chunks that import each other are listed once', async () => {
  const cyclicClient = await readBuiltClient(
    await createWebFolder({
      'index.html': { file: 'a.js', isEntry: true, imports: ['_b.js'] },
      '_b.js': { file: 'b.js', imports: ['_c.js'] },
      '_c.js': { file: 'c.js', imports: ['_b.js', 'index.html'] },
    }),
  );
  expect(cyclicClient?.findFiles(undefined)).toMatchObject({
    script: '/a.js',
    preloads: ['/c.js', '/b.js'],
    styleTexts: [],
  });
});

test('a page’s route table is preloaded', async () => {
  const clientWithRouteTable = await readBuiltClient(
    await createWebFolder({
      'index.html': { file: 'a.js', isEntry: true, dynamicImports: ['app/own-routes.ts', 'routes/home/home-page.tsx'] },
      'app/own-routes.ts': {
        file: 'own.js',
        imports: ['_b.js'],
        dynamicImports: ['routes/admin/users/users-page.tsx'],
      },
      '_b.js': { file: 'b.js' },
      'routes/home/home-page.tsx': { file: 'home.js' },
      'routes/admin/users/users-page.tsx': { file: 'users.js' },
    }),
  );
  expect(clientWithRouteTable?.findFiles('users-page')?.preloads).toEqual(['/b.js', '/own.js', '/users.js']);
  expect(clientWithRouteTable?.findFiles('home-page')?.preloads).toEqual(['/home.js']);
});

test('without a readable manifest there is only the empty document', async () => {
  const clientWithoutFiles = await readBuiltClient(await createWebFolder());
  expect(clientWithoutFiles?.shell).toBe(DOCUMENT);
  expect(clientWithoutFiles?.findFiles('home-page')).toBeUndefined();
  const folder = await createWebFolder();
  await fs.rm(path.join(folder, '.vite'), { recursive: true });
  expect((await readBuiltClient(folder))?.findFiles(undefined)).toBeUndefined();
});

test('without a build there is no client', async () => {
  expect(await readBuiltClient('/nowhere/at/all')).toBeUndefined();
});
