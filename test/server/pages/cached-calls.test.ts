import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { findOrg, findOrgVersion } from '#server/entities/find-org.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter, addStory } from '#test/support/builders/story.ts';
import { addUser } from '#test/support/builders/user.ts';
import { call } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { decompressDocument, startRenderedSite } from '#test/support/rendered-site.ts';
import { signIn } from '#test/support/sign-in.ts';

const PAGE_ORIGIN = 'https://www.fund.example';
const db = await createTestDatabase();
/** Number of times a call read the database. */
let lookupCount = 0;
const site = await startRenderedSite(db, {
  settings: { pageOrigins: [PAGE_ORIGIN] },
  findOrg: (id) => {
    lookupCount += 1;
    return findOrg(db, id);
  },
});

type Headers = Readonly<Record<string, string>>;

async function readResponse(path: string, headers: Headers = {}) {
  const response = await site.get(path, headers);
  // These headers differ in every response.
  const { date: _, 'x-request-id': _id, ...comparableHeaders } = response.headers;
  return { status: response.statusCode, headers: comparableHeaders, body: response.body };
}

async function countLookups(run: () => Promise<unknown>): Promise<number> {
  const initialLookups = lookupCount;
  await run();
  return lookupCount - initialLookups;
}

async function addOrgWithStories() {
  const orgId = await addOrg(db);
  const offsetterId = await addOffsetter(db, orgId, { name: 'Dora Donor' });
  const awardeeId = await addStory(db, 'awardees', orgId);
  const installerId = await addStory(db, 'installers', orgId);
  await addOffsetter(db, orgId, { name: 'Nora Next' });
  await waitForChanges(orgId);
  return { orgid: orgId, offsetterid: offsetterId, awardeeid: awardeeId, installerid: installerId };
}

const announcedVersions = new Map<string, number>();
await db.listen('org_changed', (payload = '') => {
  const [orgId = '', version] = payload.split(' ');
  announcedVersions.set(orgId, Number(version));
});

/** Resolves once the site has been notified of all changes so far. */
async function waitForChanges(orgId: string): Promise<void> {
  const version = await findOrgVersion(db, orgId);
  await expect.poll(() => announcedVersions.get(orgId)).toBe(version);
}

const renameOrg = (id: string, name: string) =>
  db.kysely.updateTable('orgs').set({ name }).where('id', '=', id).execute();

/** Every cached call: those about an organization, and those that never change. */
const ORG_CALLS = [
  ...(['readOrg', 'readCells', 'readCell'] as const),
  ...(['readOffsetters', 'readOffsetter', 'readOffsetterNeighbors'] as const),
  ...(['readAwardees', 'readAwardee', 'readAwardeeNeighbors'] as const),
  ...(['readInstallers', 'readInstaller', 'readInstallerNeighbors', 'readPounds', 'readFactors'] as const),
];
const SITE_CALLS = ['readSite', 'readCardFee'] as const;

test.each(ORG_CALLS)('%s is loaded once until its organization changes, also for concurrent requests', async (name) => {
  const org = await addOrgWithStories();
  const url = callPath(name, { ...org, page: 'home', name: 'intro' });
  const firstLookups = await countLookups(() => Promise.all(Array.from({ length: 20 }, () => site.get(url))));
  const laterLookups = await countLookups(async () => {
    for (const headers of [{}, { cookie: 'session=x' }, { 'accept-language': 'es', 'user-agent': 'another' }])
      expect((await readResponse(url, headers)).body).toBe((await readResponse(url)).body);
  });
  await renameOrg(org.orgid, 'Renamed');
  await waitForChanges(org.orgid);
  expect([firstLookups, laterLookups, await countLookups(() => site.get(url))]).toEqual([1, 0, 1]);
});

test.each([...ORG_CALLS, ...SITE_CALLS])(
  '%s: a repeated request gets the same response, or 304 with its tag',
  async (name) => {
    const org = await addOrgWithStories();
    const url = callPath(name, { ...org, page: 'home', name: 'intro' });
    for (const encodings of ['identity', 'gzip, deflate, br', 'br']) {
      const headers = { 'accept-encoding': encodings };
      const first = await readResponse(url, headers);
      expect([first.status, first.headers['cache-control'], first.headers.etag]).toEqual([
        200,
        'no-cache',
        expect.stringMatching(/^"[\w-]+"$/),
      ]);
      expect(first.headers['content-security-policy']).toContain("default-src 'none'");
      expect(await readResponse(url, headers)).toEqual(first);
      const revalidation = { ...headers, 'if-none-match': `"other", ${first.headers.etag}` };
      const unchanged = await readResponse(url, revalidation);
      expect([unchanged.status, unchanged.body, unchanged.headers.etag]).toEqual([304, '', first.headers.etag]);
      expect((await readResponse(url, { ...headers, 'if-none-match': '"other"' })).status).toBe(200);
    }
  },
);

test('a response’s ETag depends only on its content, so unrelated changes don’t affect it', async () => {
  const { orgid: orgId } = await addOrgWithStories();
  const readTags = async () =>
    Promise.all(
      (['readOrg', 'readInstallers'] as const).map(
        async (name) => (await site.get(callPath(name, { orgid: orgId }))).headers,
      ),
    ).then((responses) => responses.map(({ etag }) => etag));
  const [orgTag, installersTag] = await readTags();
  await renameOrg(orgId, 'Renamed');
  await waitForChanges(orgId);
  const [newOrgTag, newInstallersTag] = await readTags();
  expect([newOrgTag === orgTag, newInstallersTag]).toEqual([false, installersTag]);
});

test('compressed and uncompressed responses match', async () => {
  const { orgid: orgId } = await addOrgWithStories();
  const url = callPath('readOffsetters', { orgid: orgId });
  const plain = (await site.get(url)).body;
  for (const encodings of ['br', 'gzip'])
    expect(decompressDocument(await site.get(url, { 'accept-encoding': encodings }))).toBe(plain);
});

test('a cached list keeps its cursor header', async () => {
  const { orgid: orgId, offsetterid: offsetterId } = await addOrgWithStories();
  const url = `${callPath('readOffsetters', { orgid: orgId })}?max=1&order=asc`;
  await site.get(url);
  expect((await readResponse(url)).headers['x-next-cursor']).toBe(offsetterId);
});

test('logged-in users get their own uncached response', async () => {
  const { orgid: orgId, offsetterid: offsetterId } = await addOrgWithStories();
  const owner = await signIn(site.deps, { userId: await addUser(db) });
  const setOwner = db.kysely.updateTable('offsetters').set({ user_id: owner.userId }).where('id', '=', offsetterId);
  await setOwner.execute();
  await waitForChanges(orgId);
  const url = callPath('readOffsetter', { orgid: orgId, offsetterid: offsetterId });
  const visitor = await readResponse(url);
  expect(JSON.parse(visitor.body)).not.toHaveProperty('mine');
  const ownResponse = await readResponse(url, owner.headers);
  expect(JSON.parse(ownResponse.body)).toHaveProperty('mine', true);
  expect(ownResponse.headers).toMatchObject({ 'cache-control': 'no-store' });
  expect(ownResponse.headers).not.toHaveProperty('etag');
  expect(await readResponse(url)).toEqual(visitor);
  expect((await readResponse(url, { authorization: 'Bearer nobody' })).status).toBe(401);
});

test('a cached response’s CORS header allows only the requesting page’s origin', async () => {
  const { orgid: orgId } = await addOrgWithStories();
  const url = callPath('readOrg', { orgid: orgId });
  const readCorsHeaders = async (headers: Headers) => {
    const { headers: responseHeaders } = await readResponse(url, headers);
    return [responseHeaders['access-control-allow-origin'], responseHeaders.vary];
  };
  const vary = 'Origin, authorization, accept-encoding';
  for (let round = 0; round < 2; round += 1) {
    expect(await readCorsHeaders({})).toEqual([undefined, vary]);
    expect(await readCorsHeaders({ origin: PAGE_ORIGIN })).toEqual([PAGE_ORIGIN, vary]);
    expect(await readCorsHeaders({ origin: 'https://evil.example' })).toEqual([undefined, vary]);
  }
});

test('missing data isn’t cached', async () => {
  const { orgid: orgId } = await addOrgWithStories();
  const url = callPath('readAwardee', { orgid: orgId, awardeeid: 'late' });
  expect((await readResponse(url)).status).toBe(404);
  await addStory(db, 'awardees', orgId, { id: 'late', name: 'Late but warm' });
  expect((await readResponse(url)).status).toBe(200);
  expect((await readResponse(`${url}?x=y`)).status).toBe(200);
  expect((await readResponse(`${callPath('readOffsetters', { orgid: orgId })}?max=no`)).status).toBe(400);
});

test('the response after a change includes it without waiting for a database notification', async () => {
  // Must be the last test of this file, because it disables the trigger's notifications.
  const { orgid: orgId } = await addOrgWithStories();
  await sql`create function public.pg_notify(text, text) returns void language plpgsql as $$ begin end $$`.execute(
    db.kysely,
  );
  await sql`alter function increment_org_version() set search_path = public, pg_catalog`.execute(db.kysely);
  const editor = await signIn(site.deps, { editorOf: [orgId] });
  const url = callPath('readOrg', { orgid: orgId });
  for (const name of ['Another name', 'A third name', 'The last name']) {
    expect((await call(site.app, 'editOrg', { params: { orgid: orgId }, body: { name }, as: editor })).statusCode).toBe(
      200,
    );
    expect((await site.get(url)).json()).toMatchObject({ name });
  }
});
