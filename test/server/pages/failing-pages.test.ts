import { expect, onTestFinished, test, vi } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { pagePath } from '#contract/pages.ts';
import { createCaches } from '#server/db/caches.ts';
import type { Database } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { type RenderedSite, startRenderedSite } from '#test/support/rendered-site.ts';
import { createUnreachableDatabase } from '#test/support/unreachable-database.ts';
import { createWebFolder, DOCUMENT, MANIFEST } from '#test/support/web-folder.ts';

const db = await createTestDatabase();
const orgId = await addOrg(db, { slug: 'failing' });
const home = pagePath('home-page', { orgid: orgId });

/** Errors logged since the last call: message and cause. */
function readErrors(site: RenderedSite): string[] {
  const lines = site.errors.splice(0).map((line) => JSON.parse(line) as { msg: string; err: { message: string } });
  return lines.map(({ msg, err }) => `${msg}: ${err.message}`);
}

async function expectBareDocument(site: RenderedSite, url: string, status: number) {
  const response = await site.get(url, { 'accept-encoding': 'br', 'if-none-match': '*' });
  expect([response.statusCode, response.body], url).toEqual([status, DOCUMENT]);
  expect(response.headers, url).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-robots-tag': 'noindex',
  });
  expect(response.headers.etag, url).toBeUndefined();
  return response;
}

test('if a page’s call fails, the browser renders the page, and the failure is logged once', async () => {
  const site = await startRenderedSite(db);
  await db.pool.query('alter table cells rename to cells_elsewhere');
  await expectBareDocument(site, `${home}/faqs`, 500);
  expect(readErrors(site)).toEqual(['a request failed: relation "cells" does not exist']);
  // A second request gets the same response, and a page without that call works.
  await expectBareDocument(site, `${home}/faqs`, 500);
  expect(readErrors(site)).toHaveLength(1);
  await site.readDocument(`${home}/privacy`);
  await db.pool.query('alter table cells_elsewhere rename to cells');
  expect(await site.readDocument(`${home}/faqs`)).toContain('What is the fund?');
});

test('if the server can’t render a page, the browser does, and the reason is logged', async () => {
  const site = await startRenderedSite(db, {}, async () => {
    throw new Error('The component is broken.');
  });
  await expectBareDocument(site, home, 500);
  expect(readErrors(site)).toEqual(['failed to render a page: The component is broken.']);
  await expectBareDocument(site, '/a/b/c', 500);
  expect(readErrors(site)).toHaveLength(1);
});

/** Creates a database that can be disconnected and reconnected. */
function createSwitchableDatabase() {
  const deadDatabase = createUnreachableDatabase();
  onTestFinished(() => deadDatabase.close());
  const state = { isDown: false };
  const database: Database = {
    ...db,
    caches: createCaches(),
    get kysely() {
      return state.isDown ? deadDatabase.kysely : db.kysely;
    },
  };
  return { database, state };
}

// @asvs 16.5.2
test('while the database is down, pages ask to retry, and cached ones are served', async () => {
  const { database, state } = createSwitchableDatabase();
  const site = await startRenderedSite(database);
  const id = newId();
  // Waits for the notification, because a late one would drop the cached page.
  await site.changeAndWait(() => addOrg(db, { id }));
  const cachedPath = `${pagePath('home-page', { orgid: id })}/privacy`;
  const cachedDocument = await site.readDocument(cachedPath);
  state.isDown = true;
  for (const url of [home, '/failing', `${home}/offsetters/o1/`, `${home}/checkouts/c1`]) {
    const response = await expectBareDocument(site, url, 503);
    expect(response.headers['retry-after'], url).toBe('30');
    expect(readErrors(site), url).toEqual([expect.stringMatching(/^failed to render a page: /)]);
  }
  const head = await site.app.inject({ method: 'HEAD', url: home });
  expect([head.statusCode, head.body]).toEqual([503, '']);
  expect(readErrors(site)).toHaveLength(1);
  expect(await site.readDocument(cachedPath)).toBe(cachedDocument);
  state.isDown = false;
  expect(await site.readDocument(home)).toContain('Ithaca Climate Fund');
});

test('while the database is down, responses outdated by a gift are still served, and slugs redirect', async () => {
  const { database, state } = createSwitchableDatabase();
  const site = await startRenderedSite(database);
  const id = newId();
  await site.changeAndWait(() => addOrg(db, { id, slug: 'outdated' }));
  const readAll = async () => {
    const urls = [pagePath('home-page', { orgid: id }), callPath('readOrg', { orgid: id }), '/outdated'];
    const responses = await Promise.all(urls.map((url) => site.get(url)));
    return responses.map(({ statusCode, headers, body }) => [statusCode, headers.location, body]);
  };
  const responses = await readAll();
  expect(responses.map(([status]) => status)).toEqual([200, 200, 302]);
  await site.changeAndWait(() => addGift(db, id));
  state.isDown = true;
  expect(await readAll()).toEqual(responses);
  expect(readErrors(site)).toHaveLength(2);
  state.isDown = false;
  expect((await readAll())[0]).not.toEqual(responses[0]);
});

test('if the database goes down before a call can read the new version, cached pages are still served', async () => {
  const { database, state } = createSwitchableDatabase();
  const site = await startRenderedSite(database);
  const id = newId();
  await site.changeAndWait(() => addOrg(db, { id }));
  const readAll = async () => {
    const urls = [pagePath('home-page', { orgid: id }), callPath('readOrg', { orgid: id })];
    return (await Promise.all(urls.map((url) => site.get(url)))).map(({ statusCode, body }) => [statusCode, body]);
  };
  const responses = await readAll();
  expect(responses.map(([status]) => status)).toEqual([200, 200]);
  state.isDown = true;
  const querySpy = vi.spyOn(db.pool, 'query').mockRejectedValueOnce(new Error('the connection was lost'));
  await database.changes.notify(id);
  querySpy.mockRestore();
  expect(await readAll()).toEqual(responses);
  expect(readErrors(site)).toHaveLength(1);
});

test('without a renderer, every page is the empty document, with the right status', async () => {
  const app = await buildTestApp(await createTestDeps(db), await createWebFolder(MANIFEST));
  const readPage = async (url: string) => {
    const { statusCode, body } = await app.inject(url);
    return [statusCode, body];
  };
  expect(await readPage(home)).toEqual([200, DOCUMENT]);
  expect(await readPage(`${home}/offsetters/gone/`)).toEqual([404, DOCUMENT]);
});
