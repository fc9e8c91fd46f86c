// @spec decisions.4
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { CALLS, type CallName, callPath, NEXT_CURSOR_HEADER } from '#contract/calls.ts';
import { CELLS } from '#domain/cells.ts';
import { postSampleBooks } from '#scripts/sample/sample-books.ts';
import { createSampleProfiles, type SampleProfile } from '#scripts/sample/sample-data.ts';
import { createSampleGifts } from '#scripts/sample/sample-gifts.ts';
import { sampleOrg } from '#scripts/sample/sample-org.ts';
import { insertOffsetters, insertOrg, insertPeople, insertPublishedProfiles } from '#scripts/sample/sample-rows.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { buildTestApp, createTestDeps, PARENT } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addRecurringGift } from '#test/support/builders/recurring-gift.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { addTraces } from '#test/support/person-traces.ts';
import { pickRunCount } from '#test/support/run-count.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';
import { CALL_ROWS } from '../permissions/call-rows.ts';

const db = await createTestDatabase();
const deps = await createTestDeps(db);
const app = await buildTestApp(deps);

/**
 * Adds the sample organization and another one, both with editors, donors, pledges, invitations, and stories.
 */
async function addContent(): Promise<SignedInPerson> {
  const now = new Date();
  const photo = { key: 'a-key-of-22-characters', width: 480, height: 320, widths: [480] };
  const addPictures = (profiles: readonly SampleProfile[]) => profiles.map((profile) => ({ ...profile, photo }));
  const gifts = createSampleGifts(now);
  await inTransaction(db, async (tx) => {
    await insertOrg(tx, now);
    const editorId = await insertPeople(tx);
    await insertPublishedProfiles(tx, 'awardees', addPictures(createSampleProfiles('awardees', now)));
    await insertPublishedProfiles(tx, 'installers', addPictures(createSampleProfiles('installers', now)));
    await insertOffsetters(tx, addPictures(createSampleProfiles('offsetters', now)), gifts);
    await postSampleBooks(tx, { deps, editorId, now }, gifts);
  });
  const person = await signIn(deps, { email: 'donor-and-editor@private.example', admin: true });
  await addTraces(db, sampleOrg.id, person);
  await addRecurringGift(db, sampleOrg.id);
  await addTraces(db, await addOrg(db), await signIn(deps, { email: 'another@private.example' }));
  return person;
}

/** Every email address and every person's id in the database. */
async function readSecrets(): Promise<string[]> {
  const { rows } = await sql<{ secret: string }>`
    select id as secret from users union select email from users
    union select user_id from org_editors union select user_id from sessions
    union select email from offsetters union select user_id from offsetters
    union select email from checkouts union select user_id from checkouts
    union select email from receipts union select email from pledges union select email from invitations
    union select actor_id from ledger_entries union select email from email_codes`.execute(db.kysely);
  return rows.flatMap(({ secret }) => (secret ? [secret.toLowerCase()] : []));
}

await addContent();
const stranger = await signIn(deps, { email: 'stranger@private.example' });
const storedSecrets = await readSecrets();
const callNames = Object.keys(CALLS) as CallName[];
// Receipts name their donor and require a key, so they are excluded.
const publicReads = callNames.filter(
  (name) =>
    name !== 'openReceipt' &&
    name !== 'openGiftHomes' &&
    CALLS[name].method === 'GET' &&
    CALL_ROWS[name].outcomes('own organization').visitor === 'done',
);

async function readGiftKeys(orgId: string): Promise<string[]> {
  const rows = await db.kysely.selectFrom('subscriptions').select('page_key').where('org_id', '=', orgId).execute();
  return rows.map(({ page_key }) => page_key);
}

/** Values of a path parameter in an organization. */
async function readParamValues(param: string, orgId: string): Promise<string[]> {
  const readIds = async (table: 'offsetters' | 'awardees' | 'installers' | 'checkouts') => {
    const rows = await db.kysely
      .selectFrom(table)
      .select('id')
      .where('org_id', '=', orgId)
      .limit(pickRunCount(5, 25))
      .execute();
    return rows.map(({ id }) => id);
  };
  if (param === 'offsetterid') return readIds('offsetters');
  if (param === 'awardeeid') return readIds('awardees');
  if (param === 'installerid') return readIds('installers');
  if (param === 'checkoutid') return readIds('checkouts');
  if (param === 'giftkey') return readGiftKeys(orgId);
  throw new Error(`Add values for the parameter ${param} of a public call.`);
}

/** Every address of a call. */
async function listPaths(name: CallName): Promise<string[]> {
  const params = [...CALLS[name].path.matchAll(/:(\w+)/g)].map(([, param = '']) => param);
  if (params.length === 0) return [callPath(name, {} as never)];
  const orgs = await db.kysely.selectFrom('orgs').select('id').execute();
  const paths: string[] = [];
  for (const { id: orgId } of orgs) {
    if (name === 'readCell') {
      for (const [page, cells] of Object.entries(CELLS))
        for (const cell of cells) paths.push(callPath(name, { orgid: orgId, page, name: cell }));
      continue;
    }
    const [param] = params.filter((paramName) => paramName !== 'orgid');
    const values = param === undefined ? [''] : await readParamValues(param, orgId);
    for (const value of values) paths.push(callPath(name, { orgid: orgId, [param ?? '']: value } as never));
  }
  return paths;
}

/** Returns the full response of a path; for a list, all of its pages. */
async function fetchText(path: string, name: CallName, as: SignedInPerson | undefined): Promise<string> {
  const query = { searchCities: '?search=Ithaca', waitForChange: '?since=0' }[name as string] ?? '';
  let text = '';
  for (let cursor = ''; ; ) {
    const url = cursor === '' ? path + query : `${path}?cursorRef=${cursor}`;
    const response = await app.inject({ url, headers: as ? { authorization: as.headers.authorization } : {} });
    expect([200, 404], `${url}: ${response.body}`).toContain(response.statusCode);
    text += JSON.stringify(response.headers) + response.body;
    const nextCursor = response.headers[NEXT_CURSOR_HEADER];
    if (nextCursor === undefined) return text.toLowerCase();
    cursor = String(nextCursor);
  }
}

test('the fixture contains addresses and ids that could leak', () => {
  expect(storedSecrets.length).toBeGreaterThan(50);
  expect(publicReads).toContain('readOffsetters');
});

// @asvs 8.2.3 14.2.3 15.3.1
test.each(publicReads)('%s contains no address and no user id, for any caller', async (name) => {
  const paths = await listPaths(name);
  expect(paths.length).toBeGreaterThan(0);
  for (const path of paths) {
    for (const as of [undefined, stranger]) {
      const response = (await fetchText(path, name, as)).replaceAll(PARENT.contactEmail, '');
      expect(
        storedSecrets.filter((secret) => response.includes(secret)),
        path,
      ).toEqual([]);
      expect(response, path).not.toMatch(/[\w.]+@[\w.]+\.[a-z]/);
    }
  }
});
