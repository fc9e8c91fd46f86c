import fs from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { buildApp } from '#server/app.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createWebFolder, MANIFEST } from '#test/support/web-folder.ts';

const db = await createTestDatabase();
const orgId = await addOrg(db);

/** Creates a built web client with its server files. */
async function createRendererFolder(code: string): Promise<string> {
  const folder = await createWebFolder(MANIFEST);
  const rendererFolder = path.join(path.dirname(folder), 'renderer');
  await fs.mkdir(rendererFolder);
  await fs.writeFile(path.join(rendererFolder, 'package.json'), '{"type":"module"}');
  await fs.writeFile(path.join(rendererFolder, 'entry-server.js'), code);
  return folder;
}

const HEAD = `{ title: 'T', description: 'D', siteName: 'S', isIndexed: true, alternates: [], structuredData: [] }`;

test('the renderer built with the web client renders its pages', async () => {
  const folder = await createRendererFolder(`
    export async function renderPage({ path, publicUrl, handleCall }) {
      const { status, body } = await handleCall({ method: 'GET', url: '/api/site', headers: {} });
      const words = [path, publicUrl, status, JSON.parse(body).parentName].join(' ');
      return { module: 'home-page', status: 200, html: '<main>' + words + '</main>', head: ${HEAD}, data: {} };
    }`);
  const app = await buildTestApp(await createTestDeps(db), folder);
  const { body } = await app.inject(`/orgs/${orgId}/about/?a=b`);
  expect(body).toContain(`<main>/orgs/${orgId}/about https://fund.example 200 Sample Civic Organization</main>`);
});

test('each built language has its own document, renderer, and redirects under its folder', async () => {
  const folder = await createRendererFolder(`export async function renderPage() { throw new Error('Not asked.'); }`);
  const languageFolder = path.join(folder, '.vite', 'es');
  await fs.mkdir(languageFolder);
  await fs.writeFile(path.join(languageFolder, 'index.html'), 'el documento');
  await fs.writeFile(path.join(languageFolder, 'manifest.json'), JSON.stringify(MANIFEST));
  const rendererFolder = path.join(path.dirname(folder), 'renderer', 'es');
  await fs.mkdir(rendererFolder);
  await fs.writeFile(
    path.join(rendererFolder, 'entry-server.js'),
    `export async function renderPage({ path }) {
      return { module: 'home-page', status: 200, html: '<main>es ' + path + '</main>', head: ${HEAD}, data: {} };
    }`,
  );
  const app = await buildTestApp(await createTestDeps(db), folder);
  for (const _round of [1, 2]) {
    const { body } = await app.inject(`/es/orgs/${orgId}/about`);
    expect(body).toContain(`<main>es /orgs/${orgId}/about</main>`);
    expect(body).toContain('<html lang="es">');
  }
  expect((await app.inject('/es/offline')).body).toBe('el documento');
  expect((await app.inject('/es')).headers.location).toMatch(/^\/es\/orgs\//);
  // A language that wasn't built has no pages.
  const englishApp = await buildTestApp(await createTestDeps(db), await createRendererFolder('export {};'));
  expect((await englishApp.inject(`/es/orgs/${orgId}/about`)).statusCode).toBe(404);
});

test('a broken renderer prevents startup, because search engines couldn’t read the site', async () => {
  const folder = await createRendererFolder(`throw new Error('The renderer cannot be read.');`);
  await expect(buildApp(await createTestDeps(db), { webFolder: folder })).rejects.toThrow(
    'The renderer cannot be read.',
  );
});
