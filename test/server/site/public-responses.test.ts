// @spec decisions.4
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { CALLS, type CallName, callPath, NEXT_CURSOR_HEADER } from '#contract/calls.ts';
import { CELLS } from '#domain/cells.ts';
import { postSampleBooks } from '#scripts/sample/sample-books.ts';
import { type SampleProfile, sampleProfiles } from '#scripts/sample/sample-data.ts';
import { sampleGifts } from '#scripts/sample/sample-gifts.ts';
import { sampleOrg } from '#scripts/sample/sample-org.ts';
import { insertOffsetters, insertOrg, insertPeople, insertPublished } from '#scripts/sample/sample-rows.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { buildTestApp, PARENT, testDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addRecurringGift } from '#test/support/builders/recurring-gift.ts';
import { testDatabase } from '#test/support/database.ts';
import { plantTraces } from '#test/support/person-traces.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';
import { runs } from '#test/support/sizes.ts';
import { CALL_ROWS } from '../permissions/call-rows.ts';

const db = await testDatabase();
const deps = await testDeps(db);
const app = await buildTestApp(deps);

/**
 * The sample organization and another one, both with people who edit, pay, pledge, are invited, and tell their stories.
 */
async function addContent(): Promise<SignedInPerson> {
  const now = new Date();
  const photo = { key: 'a-key-of-22-characters', width: 480, height: 320, widths: [480] };
  const withPictures = (profiles: readonly SampleProfile[]) => profiles.map((profile) => ({ ...profile, photo }));
  const gifts = sampleGifts(now);
  await inTransaction(db, async (tx) => {
    await insertOrg(tx, now);
    const editorId = await insertPeople(tx);
    await insertPublished(tx, 'awardees', withPictures(sampleProfiles('awardees', now)));
    await insertPublished(tx, 'installers', withPictures(sampleProfiles('installers', now)));
    await insertOffsetters(tx, withPictures(sampleProfiles('offsetters', now)), gifts);
    await postSampleBooks(tx, { deps, editorId, at: now }, gifts);
  });
  const person = await signIn(deps, { email: 'donor-and-editor@private.example', admin: true });
  await plantTraces(db, sampleOrg.id, person);
  await addRecurringGift(db, sampleOrg.id);
  await plantTraces(db, await addOrg(db), await signIn(deps, { email: 'another@private.example' }));
  return person;
}

/** Every email address and every person's id in the database. */
async function secrets(): Promise<string[]> {
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
const storedSecrets = await secrets();
const names = Object.keys(CALLS) as CallName[];
// A receipt names its donor, and only its key opens it.
const publicReads = names.filter(
  (name) =>
    name !== 'openReceipt' &&
    name !== 'openGiftHomes' &&
    CALLS[name].method === 'GET' &&
    CALL_ROWS[name].may('own organization').visitor === 'done',
);

async function giftKeysOf(orgid: string): Promise<string[]> {
  const rows = await db.kysely.selectFrom('subscriptions').select('page_key').where('org_id', '=', orgid).execute();
  return rows.map(({ page_key }) => page_key);
}

/** The value to read for a parameter. */
async function valuesOf(param: string, orgid: string): Promise<string[]> {
  const idsOf = async (table: 'offsetters' | 'awardees' | 'installers' | 'checkouts') => {
    const rows = await db.kysely
      .selectFrom(table)
      .select('id')
      .where('org_id', '=', orgid)
      .limit(runs(5, 25))
      .execute();
    return rows.map(({ id }) => id);
  };
  if (param === 'offsetterid') return idsOf('offsetters');
  if (param === 'awardeeid') return idsOf('awardees');
  if (param === 'installerid') return idsOf('installers');
  if (param === 'checkoutid') return idsOf('checkouts');
  if (param === 'giftkey') return giftKeysOf(orgid);
  throw new Error(`Say which values the parameter ${param} of a public call can have.`);
}

/** Every address of a call. */
async function pathsOf(name: CallName): Promise<string[]> {
  const params = [...CALLS[name].path.matchAll(/:(\w+)/g)].map(([, param = '']) => param);
  if (params.length === 0) return [callPath(name, {} as never)];
  const orgs = await db.kysely.selectFrom('orgs').select('id').execute();
  const paths: string[] = [];
  for (const { id: orgid } of orgs) {
    if (name === 'readCell') {
      for (const [page, cells] of Object.entries(CELLS))
        for (const cell of cells) paths.push(callPath(name, { orgid, page, name: cell }));
      continue;
    }
    const [param] = params.filter((each) => each !== 'orgid');
    const values = param === undefined ? [''] : await valuesOf(param, orgid);
    for (const value of values) paths.push(callPath(name, { orgid, [param ?? '']: value } as never));
  }
  return paths;
}

/** The whole response of an address; for a list, all its parts. */
async function textAt(path: string, name: CallName, as: SignedInPerson | undefined): Promise<string> {
  const query = { searchCities: '?search=Ithaca', waitForChange: '?since=0' }[name as string] ?? '';
  let text = '';
  for (let cursor = ''; ; ) {
    const url = cursor === '' ? path + query : `${path}?cursorRef=${cursor}`;
    const response = await app.inject({ url, headers: as ? { authorization: as.headers.authorization } : {} });
    expect([200, 404], `${url}: ${response.body}`).toContain(response.statusCode);
    text += JSON.stringify(response.headers) + response.body;
    const next = response.headers[NEXT_CURSOR_HEADER];
    if (next === undefined) return text.toLowerCase();
    cursor = String(next);
  }
}

test('the fixture contains addresses and ids to find', () => {
  expect(storedSecrets.length).toBeGreaterThan(50);
  expect(publicReads).toContain('readOffsetters');
});

// @asvs 8.2.3 14.2.3 15.3.1
test.each(publicReads)('%s contains no address and no user id, for any caller', async (name) => {
  const paths = await pathsOf(name);
  expect(paths.length).toBeGreaterThan(0);
  for (const path of paths) {
    for (const as of [undefined, stranger]) {
      const response = (await textAt(path, name, as)).replaceAll(PARENT.contactEmail, '');
      expect(
        storedSecrets.filter((secret) => response.includes(secret)),
        path,
      ).toEqual([]);
      expect(response, path).not.toMatch(/[\w.]+@[\w.]+\.[a-z]/);
    }
  }
});
