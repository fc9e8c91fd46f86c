import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { findPage, PAGES, pagePath, RENDERED_PAGES } from '#contract/pages.ts';
import { fillPath } from '#contract/path-pattern.ts';
import { LANGUAGES } from '#messages';
import { generateSiteMap, generateSiteMapPart } from '#server/features/site/site-map.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter, addStory } from '#test/support/builders/story.ts';
import { createTestClock, MINUTE } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { startRenderedSite } from '#test/support/rendered-site.ts';

const db = await createTestDatabase();
const deps = { db, publicUrl: () => 'https://fund.example' };
const olderOrgId = await addOrg(db, { id: 'a-org', created_at: new Date('2025-01-01T00:00:00Z') });
const newerOrgId = await addOrg(db, { id: 'b-org', no_awardees: true });
const januaryDay = (number: number) => new Date(Date.UTC(2026, 0, number));
for (let number = 1; number <= 7; number += 1) {
  await addOffsetter(db, olderOrgId, { id: `o${number}`, created_at: januaryDay(number) });
}
await addOffsetter(db, newerOrgId, { id: 'o0', created_at: januaryDay(1) });
await addOffsetter(db, olderOrgId, { id: 'draft', status: 'draft' });
await addOffsetter(db, olderOrgId, { id: 'hidden', status: 'hidden' });
await addOffsetter(db, olderOrgId, { id: 'nameless', shown_as: 'none' });
await addStory(db, 'awardees', olderOrgId, { id: 'w1', created_at: januaryDay(2) });
await addStory(db, 'awardees', olderOrgId, { id: 'w-draft', status: 'draft' });
await addStory(db, 'installers', newerOrgId, { id: 'i1', created_at: januaryDay(3) });
const clock = createTestClock('2026-02-01T00:00:00.000Z');
const site = await startRenderedSite(db, { settings: { defaultOrg: olderOrgId }, now: clock.now });

const ORG_PAGES = RENDERED_PAGES.filter((name) => /^\/orgs\/:orgid[^:]*$/.test(PAGES[name]));
const EXPECTED_ADDRESSES = [
  ...ORG_PAGES.filter((name) => name !== 'future-awardees-page').map((name) =>
    fillPath<string>(PAGES[name], { orgid: 'a-org' }),
  ),
  ...ORG_PAGES.filter((name) => name !== 'awardees-page').map((name) =>
    fillPath<string>(PAGES[name], { orgid: 'b-org' }),
  ),
  ...[1, 2, 3, 4, 5, 6, 7].map((number) => `/orgs/a-org/offsetters/o${number}/`),
  '/orgs/b-org/offsetters/o0/',
  '/orgs/a-org/awardees/w1/',
  '/orgs/b-org/installers/i1/',
].flatMap((path) => [`https://fund.example${path}`, `https://fund.example/es${path}`]);

async function joinText(pieces: AsyncGenerator<string> | undefined): Promise<string> {
  let text = '';
  for await (const piece of pieces ?? []) text += piece;
  return text;
}
const findLocations = (xml: string) =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'));

test('the site map contains exactly the public pages', async () => {
  const xml = await joinText(generateSiteMap(deps));
  expect(xml).toMatch(
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n<urlset xmlns="http:\/\/www.sitemaps.org\/schemas\/sitemap\/0.9" xmlns:xhtml="http:\/\/www.w3.org\/1999\/xhtml">\n/,
  );
  expect(xml).toMatch(/<\/urlset>\n$/);
  expect(findLocations(xml).toSorted()).toEqual(EXPECTED_ADDRESSES.toSorted());
});

// Slow because many pages are rendered.
test('every sitemap URL opens a page with the same canonical URL', {
  timeout: 60_000,
}, async () => {
  const response = await site.get('/sitemap.xml');
  expect(response.headers).toMatchObject({
    'content-type': 'application/xml; charset=utf-8',
    'cache-control': 'public, max-age=3600',
  });
  const addresses = findLocations(response.body);
  expect(addresses).toHaveLength(EXPECTED_ADDRESSES.length);
  const pageNames = new Set<string>();
  // The pages in these tests are in English.
  for (const address of addresses.filter((url) => !url.startsWith('https://fund.example/es/'))) {
    const document = await site.readDocument(address.replace('https://fund.example', ''));
    expect(document).toContain(`<link rel="canonical" href="${address}">`);
    expect(document).toContain(`hreflang="es" href="${address.replace('/orgs', '/es/orgs')}">`);
    expect(document).not.toContain('noindex');
    pageNames.add(findPage(new URL(address).pathname)?.name ?? 'none');
  }
  // Together these are all pages that the server renders.
  expect([...pageNames].toSorted()).toEqual(RENDERED_PAGES.toSorted());
});

const readLastModified = async (path: string) => {
  const xml = await joinText(generateSiteMap(deps));
  return new RegExp(`<loc>https://fund.example${path}</loc>(?:<lastmod>([^<]*)</lastmod>)?<xhtml:link`).exec(xml)?.[1];
};

test('a story’s date is its creation or its last visible change', async () => {
  const [story] = [pagePath('offsetter-page', { orgid: olderOrgId, offsetterid: 'o3' })];
  expect(await readLastModified(story)).toBe('2026-01-03T00:00:00.000Z');
  await db.kysely.updateTable('offsetters').set({ email: 'other@example.org' }).where('id', '=', 'o3').execute();
  expect(await readLastModified(story)).toBe('2026-01-03T00:00:00.000Z');
  const startTime = new Date();
  await db.kysely.updateTable('offsetters').set({ story: 'Told anew.' }).where('id', '=', 'o3').execute();
  expect(Date.parse((await readLastModified(story)) ?? '')).toBeGreaterThanOrEqual(startTime.getTime() - 60_000);
});

test('only pages with dated content have a date', async () => {
  await db.kysely
    .updateTable('org_versions')
    .set({ changed_at: januaryDay(9) })
    .where('org_id', '=', olderOrgId)
    .execute();
  const home = pagePath('home-page', { orgid: olderOrgId });
  expect(await readLastModified(home)).toBe('2026-01-09T00:00:00.000Z');
  expect(await readLastModified(`${home}/about`)).toBeUndefined();
  await addStory(db, 'installers', olderOrgId, { id: 'new', status: 'draft' });
  expect(Date.parse((await readLastModified(home)) ?? '')).toBeGreaterThan(januaryDay(9).getTime());
});

test('when one file isn’t enough, the map lists parts that contain each address once', async () => {
  const maximum = 34;
  const index = await joinText(generateSiteMap(deps, maximum));
  expect(index).toMatch(
    /^<\?xml [^>]*>\n<sitemapindex [^>]*>\n(?:<sitemap><loc>[^<]*<\/loc><\/sitemap>\n)+<\/sitemapindex>\n$/,
  );
  const parts = findLocations(index);
  expect(parts).toContain('https://fund.example/sitemaps/orgs.xml');
  const partAddresses: string[] = [];
  for (const part of parts) {
    const { pathname, searchParams } = new URL(part);
    const list = /^\/sitemaps\/(\w+)\.xml$/.exec(pathname)?.[1] as 'orgs';
    const addresses = findLocations(
      await joinText(await generateSiteMapPart(deps, list, searchParams.get('after') ?? undefined, maximum)),
    );
    expect(addresses.length).toBeGreaterThan(0);
    expect(addresses.length).toBeLessThanOrEqual(maximum);
    partAddresses.push(...addresses);
  }
  expect(partAddresses.toSorted()).toEqual(EXPECTED_ADDRESSES.toSorted());
});

/** Each organization has one address for either awardees or future awardees. */
const ADDRESSES_PER_ORG = (ORG_PAGES.length - 1) * LANGUAGES.length;

test.each([
  ADDRESSES_PER_ORG,
  ADDRESSES_PER_ORG + 1,
  2 * ADDRESSES_PER_ORG,
  EXPECTED_ADDRESSES.length - 1,
  EXPECTED_ADDRESSES.length,
])('the parts contain each address once for any file size limit: %i', async (maximum) => {
  const parts = findLocations(await joinText(generateSiteMap(deps, maximum)));
  const addresses: string[] = [];
  for (const part of parts.filter((address) => address.includes('/sitemaps/'))) {
    const { pathname, searchParams } = new URL(part);
    const list = pathname.slice('/sitemaps/'.length, -'.xml'.length) as 'orgs';
    addresses.push(
      ...findLocations(
        await joinText(await generateSiteMapPart(deps, list, searchParams.get('after') ?? undefined, maximum)),
      ),
    );
  }
  expect((maximum < EXPECTED_ADDRESSES.length ? addresses : parts).toSorted()).toEqual(EXPECTED_ADDRESSES.toSorted());
});

test('each page links to itself in all languages', async () => {
  const home = 'https://fund.example/orgs/a-org';
  const links = [`hreflang="en" href="${home}"`, `hreflang="es" href="${home.replace('/orgs', '/es/orgs')}"`];
  const xml = await joinText(generateSiteMap(deps));
  const entries = xml.split('\n').filter((line) => links.every((link) => line.includes(link)));
  expect(entries).toHaveLength(2);
});

test('an empty list has no parts', async () => {
  const setStatus = (status: 'hidden' | 'published') =>
    db.kysely.updateTable('installers').set({ status }).where('id', '=', 'i1').execute();
  await setStatus('hidden');
  const parts = findLocations(await joinText(generateSiteMap(deps, ADDRESSES_PER_ORG)));
  await setStatus('published');
  expect(parts.filter((address) => address.includes('/installers.xml'))).toEqual([]);
  expect(parts.filter((address) => address.includes('/awardees.xml'))).toHaveLength(1);
});

test('a part’s address returns the entries after its cursor', async () => {
  const response = await site.get('/sitemaps/offsetters.xml?after=o5');
  expect(response.statusCode).toBe(200);
  expect(findLocations(response.body)).toEqual(
    ['o6', 'o7']
      .map((id) => `/orgs/a-org/offsetters/${id}/`)
      .concat('/orgs/b-org/offsetters/o0/')
      .flatMap((path) => [`https://fund.example${path}`, `https://fund.example/es${path}`]),
  );
});

test.each([
  '/sitemaps/nothing.xml',
  '/sitemaps/users.xml',
  '/sitemaps/orgs',
  '/sitemaps/offsetters.xml?after=nobody',
  '/sitemaps/offsetters.xml?after=o7%27',
  '/sitemaps/offsetters.xml?after=a&after=b',
  '/sitemaps/offsetters.xml?after=o0',
])('%s is not a site map part', async (url) => {
  const response = await site.get(url);
  expect([response.statusCode, response.headers['content-type']]).toEqual([
    404,
    'application/problem+json; charset=utf-8',
  ]);
});

test('robots.txt links to the site map and disallows paths that aren’t pages, but not pages with noindex', async () => {
  const response = await site.get('/robots.txt');
  expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(response.body.split('\n')).toEqual([
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /dev/',
    'Disallow: /sandbox/',
    '',
    'Sitemap: https://fund.example/sitemap.xml',
    '',
  ]);
});

test('the map is shared and rebuilt after ten minutes', async () => {
  const readAddresses = async () => findLocations((await site.get('/sitemap.xml')).body);
  clock.advance(10 * MINUTE);
  const [firstResponse, ...otherResponses] = await Promise.all(
    Array.from({ length: 16 }, () => site.get('/sitemap.xml')),
  );
  for (const { headers, body } of otherResponses)
    expect([headers.etag, body]).toEqual([firstResponse?.headers.etag, firstResponse?.body]);
  await addOffsetter(db, olderOrgId, { id: 'late' });
  const lateAddress = 'https://fund.example/orgs/a-org/offsetters/late/';
  clock.advance(10 * MINUTE - 1);
  expect(await readAddresses()).not.toContain(lateAddress);
  clock.advance(1);
  expect(await readAddresses()).toContain(lateAddress);
});

test('the map is compressed and not sent again if unchanged', async () => {
  const plainResponse = await site.get('/sitemap.xml');
  const gzippedResponse = await site.get('/sitemap.xml', { 'accept-encoding': 'br, gzip' });
  expect(gzippedResponse.headers).toMatchObject({
    'content-encoding': 'gzip',
    vary: 'accept-encoding',
    etag: plainResponse.headers.etag,
  });
  expect(gunzipSync(gzippedResponse.rawPayload).toString()).toBe(plainResponse.body);
  const secondResponse = await site.get('/sitemap.xml', { 'if-none-match': String(plainResponse.headers.etag) });
  expect([secondResponse.statusCode, secondResponse.body]).toEqual([304, '']);
});

test('under load, requests beyond the limit are asked to retry', async () => {
  clock.advance(10 * MINUTE);
  const cursors = [
    ...[1, 2, 3, 4, 5, 6, 7].map((number) => `o${number}`),
    ...Array.from({ length: 13 }, (_, n) => `n${n}`),
  ];
  const responses = await Promise.all(cursors.map((cursor) => site.get(`/sitemaps/offsetters.xml?after=${cursor}`)));
  const busyResponses = responses.filter(({ statusCode }) => statusCode === 429);
  expect(busyResponses).toHaveLength(7);
  expect(busyResponses[0]?.headers['retry-after']).toBe('10');
  expect((await site.get('/sitemaps/offsetters.xml?after=o7')).statusCode).toBe(200);
});

test('a site map that can’t be built returns an error status, not a partial map', async () => {
  clock.advance(10 * MINUTE);
  await db.pool.query('alter table awardees rename to awardees_elsewhere');
  for (const url of ['/sitemap.xml', '/sitemaps/awardees.xml']) {
    const response = await site.get(url);
    expect([response.statusCode, response.json<{ code: string }>().code], url).toEqual([500, 'server-error']);
    expect(site.errors.splice(0), url).toHaveLength(1);
  }
  await db.pool.query('alter table awardees_elsewhere rename to awardees');
});
