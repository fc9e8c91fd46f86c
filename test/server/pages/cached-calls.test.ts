import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { findOrg, orgVersion } from '#server/entities/find-org.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter, addStory } from '#test/support/builders/story.ts';
import { addUser } from '#test/support/builders/user.ts';
import { call } from '#test/support/call.ts';
import { testDatabase } from '#test/support/database.ts';
import { documentOf, renderedSite } from '#test/support/rendered-site.ts';
import { signIn } from '#test/support/sign-in.ts';

const PAGES_ELSEWHERE = 'https://www.fund.example';
const db = await testDatabase();
/** How often a call read the database. */
let lookups = 0;
const site = await renderedSite(db, {
  pageOrigins: [PAGES_ELSEWHERE],
  findOrg: (id) => {
    lookups += 1;
    return findOrg(db, id);
  },
});

type Headers = Readonly<Record<string, string>>;

async function ask(path: string, headers: Headers = {}) {
  const response = await site.get(path, headers);
  // These differ in every response.
  const { date: _, 'x-request-id': _id, ...others } = response.headers;
  return { status: response.statusCode, headers: others, body: response.body };
}

async function lookupsOf(work: () => Promise<unknown>): Promise<number> {
  const initialLookups = lookups;
  await work();
  return lookups - initialLookups;
}

async function orgWithStories() {
  const orgid = await addOrg(db);
  const offsetterid = await addOffsetter(db, orgid, { name: 'Dora Donor' });
  const awardeeid = await addStory(db, 'awardees', orgid);
  const installerid = await addStory(db, 'installers', orgid);
  await addOffsetter(db, orgid, { name: 'Nora Next' });
  await waitForChanges(orgid);
  return { orgid, offsetterid, awardeeid, installerid };
}

const lookupCounts = new Map<string, number>();
await db.listen('org_changed', (payload = '') => {
  const [orgId = '', version] = payload.split(' ');
  lookupCounts.set(orgId, Number(version));
});

/** Resolves once the site has been notified of all changes so far. */
async function waitForChanges(orgId: string): Promise<void> {
  const version = await orgVersion(db, orgId);
  await expect.poll(() => lookupCounts.get(orgId)).toBe(version);
}

const rename = (id: string, name: string) => db.kysely.updateTable('orgs').set({ name }).where('id', '=', id).execute();

/** Every cached call: those of an organization, and those that never change. */
const IN_ORG = [
  ...(['readOrg', 'readCells', 'readCell'] as const),
  ...(['readOffsetters', 'readOffsetter', 'readOffsetterNeighbors'] as const),
  ...(['readAwardees', 'readAwardee', 'readAwardeeNeighbors'] as const),
  ...(['readInstallers', 'readInstaller', 'readInstallerNeighbors', 'readPounds', 'readFactors'] as const),
];
const OF_SITE = ['readSite', 'readCardFee'] as const;

test.each(IN_ORG)('%s is loaded once until its organization changes, also for concurrent requests', async (name) => {
  const org = await orgWithStories();
  const url = callPath(name, { ...org, page: 'home', name: 'intro' });
  const first = await lookupsOf(() => Promise.all(Array.from({ length: 20 }, () => site.get(url))));
  const later = await lookupsOf(async () => {
    for (const headers of [{}, { cookie: 'session=x' }, { 'accept-language': 'es', 'user-agent': 'another' }])
      expect((await ask(url, headers)).body).toBe((await ask(url)).body);
  });
  await rename(org.orgid, 'Renamed');
  await waitForChanges(org.orgid);
  expect([first, later, await lookupsOf(() => site.get(url))]).toEqual([1, 0, 1]);
});

test.each([...IN_ORG, ...OF_SITE])(
  '%s: a repeated request gets the same response, or 304 with its tag',
  async (name) => {
    const org = await orgWithStories();
    const url = callPath(name, { ...org, page: 'home', name: 'intro' });
    for (const encodings of ['identity', 'gzip, deflate, br', 'br']) {
      const headers = { 'accept-encoding': encodings };
      const first = await ask(url, headers);
      expect([first.status, first.headers['cache-control'], first.headers.etag]).toEqual([
        200,
        'no-cache',
        expect.stringMatching(/^"[\w-]+"$/),
      ]);
      expect(first.headers['content-security-policy']).toContain("default-src 'none'");
      expect(await ask(url, headers)).toEqual(first);
      const revalidation = { ...headers, 'if-none-match': `"other", ${first.headers.etag}` };
      const unchanged = await ask(url, revalidation);
      expect([unchanged.status, unchanged.body, unchanged.headers.etag]).toEqual([304, '', first.headers.etag]);
      expect((await ask(url, { ...headers, 'if-none-match': '"other"' })).status).toBe(200);
    }
  },
);

test('a response’s tag depends on its content, so an unrelated change keeps it', async () => {
  const { orgid } = await orgWithStories();
  const tags = async () =>
    Promise.all(
      (['readOrg', 'readInstallers'] as const).map(async (name) => (await site.get(callPath(name, { orgid }))).headers),
    ).then((responses) => responses.map(({ etag }) => etag));
  const [org, installers] = await tags();
  await rename(orgid, 'Renamed');
  await waitForChanges(orgid);
  const [renamed, same] = await tags();
  expect([renamed === org, same]).toEqual([false, installers]);
});

test('compressed and uncompressed responses match', async () => {
  const { orgid } = await orgWithStories();
  const url = callPath('readOffsetters', { orgid });
  const plain = (await site.get(url)).body;
  for (const encodings of ['br', 'gzip'])
    expect(documentOf(await site.get(url, { 'accept-encoding': encodings }))).toBe(plain);
});

test('a list keeps its cursor', async () => {
  const { orgid, offsetterid } = await orgWithStories();
  const url = `${callPath('readOffsetters', { orgid })}?max=1&order=asc`;
  await site.get(url);
  expect((await ask(url)).headers['x-next-cursor']).toBe(offsetterid);
});

test('logged-in users get their own uncached response', async () => {
  const { orgid, offsetterid } = await orgWithStories();
  const owner = await signIn(site.deps, { userId: await addUser(db) });
  const setOwner = db.kysely.updateTable('offsetters').set({ user_id: owner.userId }).where('id', '=', offsetterid);
  await setOwner.execute();
  await waitForChanges(orgid);
  const url = callPath('readOffsetter', { orgid, offsetterid });
  const visitor = await ask(url);
  expect(JSON.parse(visitor.body)).not.toHaveProperty('mine');
  const ownResponse = await ask(url, owner.headers);
  expect(JSON.parse(ownResponse.body)).toHaveProperty('mine', true);
  expect(ownResponse.headers).toMatchObject({ 'cache-control': 'no-store' });
  expect(ownResponse.headers).not.toHaveProperty('etag');
  expect(await ask(url)).toEqual(visitor);
  expect((await ask(url, { authorization: 'Bearer nobody' })).status).toBe(401);
});

test('another origin is allowed by name after requests from any origin', async () => {
  const { orgid } = await orgWithStories();
  const url = callPath('readOrg', { orgid });
  const origins = async (headers: Headers) => {
    const { headers: heard } = await ask(url, headers);
    return [heard['access-control-allow-origin'], heard.vary];
  };
  const vary = 'Origin, authorization, accept-encoding';
  for (let round = 0; round < 2; round += 1) {
    expect(await origins({})).toEqual([undefined, vary]);
    expect(await origins({ origin: PAGES_ELSEWHERE })).toEqual([PAGES_ELSEWHERE, vary]);
    expect(await origins({ origin: 'https://evil.example' })).toEqual([undefined, vary]);
  }
});

test('missing data isn’t cached', async () => {
  const { orgid } = await orgWithStories();
  const url = callPath('readAwardee', { orgid, awardeeid: 'late' });
  expect((await ask(url)).status).toBe(404);
  await addStory(db, 'awardees', orgid, { id: 'late', name: 'Late but warm' });
  expect((await ask(url)).status).toBe(200);
  expect((await ask(`${url}?x=y`)).status).toBe(200);
  expect((await ask(`${callPath('readOffsetters', { orgid })}?max=no`)).status).toBe(400);
});

test('a call’s change is in the next response without waiting for a database notification', async () => {
  // The last test of this file, because from now on the trigger's notifications reach no one.
  const { orgid } = await orgWithStories();
  await sql`create function public.pg_notify(text, text) returns void language plpgsql as $$ begin end $$`.execute(
    db.kysely,
  );
  await sql`alter function increment_org_version() set search_path = public, pg_catalog`.execute(db.kysely);
  const editor = await signIn(site.deps, { editorOf: [orgid] });
  const url = callPath('readOrg', { orgid });
  for (const name of ['Another name', 'A third name', 'The last name']) {
    expect((await call(site.app, 'editOrg', { params: { orgid }, body: { name }, as: editor })).statusCode).toBe(200);
    expect((await site.get(url)).json()).toMatchObject({ name });
  }
});
