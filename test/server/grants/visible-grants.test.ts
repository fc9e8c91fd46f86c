// @spec 2.awardee-screen
import fc from 'fast-check';
import type { Updateable } from 'kysely';
import { expect, test } from 'vitest';
import { API_BASE, CALLS, callPath } from '#contract/calls.ts';
import { PAGES, RENDERED_PAGES } from '#contract/pages.ts';
import { fillPath } from '#contract/path-pattern.ts';
import type { Grant } from '#contract/schemas/grants.ts';
import type { Profile } from '#contract/schemas/stories.ts';
import { storyShareImagePath } from '#contract/share-images.ts';
import { GRANT_FIELDS, type GrantField, listShownFields, pickPublishedFields } from '#domain/grant.ts';
import { RUNS_ALL } from '#scripts/test/test-selection.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import { buildTestApp } from '#test/support/build-app.ts';
import { addGrant, createGrantBody } from '#test/support/builders/grant.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addStory } from '#test/support/builders/story.ts';
import { call } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { decompressDocument, startRenderedSite } from '#test/support/rendered-site.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
/** Fake share images whose bytes are their input as JSON. */
const shareImages: AppDeps['shareImages'] = {
  open: async (facts) => ({ png: Buffer.from(JSON.stringify(facts)), tag: 'image' }),
};
const orgId = await addOrg(db);
const site = await startRenderedSite(db, { shareImages, settings: { defaultOrg: orgId } });
/** An app without response caching, so changes are visible immediately. */
const uncachedApp = await buildTestApp(site.deps);
const installerId = await addStory(db, 'installers', orgId, { name: 'Zacharias Quillwort' });

/** Fields of each grant. The household must agree to all but the stage. */
const GRANT_COLUMNS: Updateable<Tables['grants']> = {
  amount_cents: 123_457,
  paid_cents: 123_456,
  measures: ['heat-pump-water-heater'],
  installer: 'Zacharias Quillwort',
  installer_id: installerId,
  yearly_carbon: 73_210_000,
  years: 13,
  method: 'model',
  method_source: 'Sedgemoor model 9',
  other_funding_cents: 123_456,
  other_funding_source: 'Tamarack rebate',
  done_on: '2019-08-21',
  inspected_on: '2019-09-23',
};

/** Patterns that identify each field's value wherever it appears. */
const FIELD_PATTERNS: Readonly<Record<GrantField, RegExp>> = {
  amount: /1,?234\.5/,
  measures: /water.heater|calentador/i,
  installer: /quillwort/i,
  savings: /7,?321|95,?173|47,?586|sedgemoor|tamarack/i,
  dates: /2019-|, 2019|de 2019/,
};

async function addHome(
  publicFields: readonly GrantField[],
  changes: Updateable<Tables['grants']> = {},
): Promise<string> {
  const awardeeId = await addStory(db, 'awardees', orgId, { name: `Home ${publicFields.join(' ')}` });
  const id = await addGrant(db, orgId, {
    awardeeId,
    stage: 'paid',
    cents: 123_456,
    stageDate: '2019-07-19',
  });
  await db.kysely
    .updateTable('grants')
    .set({ ...GRANT_COLUMNS, ...changes, published_fields: publicFields })
    .where('id', '=', id)
    .execute();
  return awardeeId;
}

const readAwardee = async (awardeeId: string) =>
  (await uncachedApp.inject(callPath('readAwardee', { orgid: orgId, awardeeid: awardeeId }))).json<Profile>();
const readInstallerHomes = async (id: string) =>
  (await uncachedApp.inject(callPath('readInstaller', { orgid: orgId, installerid: id }))).json<Profile>().homes ?? [];

/** Reads the decompressed text at an address. */
async function readText(path: string): Promise<string> {
  const response = await site.get(path);
  expect(response.statusCode, path).toBe(200);
  return decompressDocument(response);
}

const subsets = Array.from({ length: 2 ** GRANT_FIELDS.length }, (_, bits) =>
  GRANT_FIELDS.filter((_field, index) => (bits >> index) % 2 === 1),
);

test('only the fields a household agreed to are returned', () => {
  const parts = { amount: 1, measures: 'two', installer: undefined, savings: null, dates: [5] };
  fc.assert(
    fc.property(fc.subarray([...GRANT_FIELDS]), (publicFields) => {
      const visibleFields = pickPublishedFields(parts, publicFields);
      for (const field of GRANT_FIELDS) {
        const isConsented = publicFields.includes(field) && (field !== 'savings' || publicFields.includes('amount'));
        const isVisible = isConsented && field !== 'installer';
        expect(Object.hasOwn(visibleFields, field)).toBe(isVisible);
        if (isVisible) expect(visibleFields[field]).toBe(parts[field]);
      }
    }),
  );
});

/** The quick run tries each field alone, none, and all. */
const testedSubsets = subsets.filter(({ length }) => RUNS_ALL || length < 2 || length === GRANT_FIELDS.length);

test.each(testedSubsets.map((publicFields) => [publicFields.join(', ') || 'nothing', publicFields] as const))(
  'a household that publishes %s reveals nothing else on its page, in data, in responses, or in its share image',
  async (_name, publicFields) => {
    const awardeeId = await addHome(publicFields);
    const shownFields = listShownFields(publicFields);
    const { grants = [] } = await readAwardee(awardeeId);
    expect(grants.flatMap((grant) => Object.keys(grant)).toSorted()).toEqual(shownFields.toSorted());
    const page = fillPath<string>(PAGES['awardee-page'], { orgid: orgId, awardeeid: awardeeId });
    const responses = new Map<string, string>();
    for (const path of [callPath('readAwardee', { orgid: orgId, awardeeid: awardeeId }), page])
      responses.set(path, await readText(path));
    responses.set('image', await readText(storyShareImagePath(orgId, 'awardees', awardeeId)));
    responses.set(
      'neighbors',
      await readText(callPath('readAwardeeNeighbors', { orgid: orgId, awardeeid: awardeeId })),
    );
    for (const field of GRANT_FIELDS) {
      const revealingPaths = [...responses]
        .filter(([, text]) => FIELD_PATTERNS[field].test(text))
        .map(([path]) => path);
      const allowedPaths = [...responses.keys()].slice(0, 2);
      expect(revealingPaths, field).toEqual(shownFields.includes(field) ? allowedPaths : []);
    }
    const [home] = (await readInstallerHomes(installerId)).filter(({ profileURL }) => profileURL.includes(awardeeId));
    expect(home !== undefined).toBe(publicFields.includes('installer'));
    expect(home?.measures !== undefined).toBe(home !== undefined && publicFields.includes('measures'));
    expect(home?.doneOn !== undefined).toBe(home !== undefined && publicFields.includes('dates'));
  },
);

test('the list shows an awardee’s amount and measures only if the household agreed to each', async () => {
  const publicFields = [
    [],
    ['amount'],
    ['measures'],
    ['amount', 'measures'],
    ['installer', 'savings', 'dates'],
  ] as const;
  const ids = await Promise.all(publicFields.map((fields) => addHome(fields)));
  const list = await uncachedApp.inject(`${callPath('readAwardees', { orgid: orgId })}?max=50`);
  const grantsById = new Map(list.json<Profile[]>().map(({ id, grants }) => [id, grants]));
  expect(ids.map((id) => grantsById.get(id))).toEqual([
    undefined,
    [{ amount: 1234.56 }],
    [{ measures: ['heat-pump-water-heater'] }],
    [{ amount: 1234.56, measures: ['heat-pump-water-heater'] }],
    undefined,
  ]);
  const [, revokedId = ''] = ids;
  await db.kysely.updateTable('grants').set({ published_fields: [] }).where('awardee_id', '=', revokedId).execute();
  const newList = await uncachedApp.inject(`${callPath('readAwardees', { orgid: orgId })}?max=50`);
  expect(newList.json<Profile[]>().find(({ id }) => id === revokedId)?.grants).toBeUndefined();
});

/** The awardees' list shows these if the household agreed. */
const LISTED_FIELDS: readonly GrantField[] = ['amount', 'measures'];

test('no list, other page, or response reveals more of a home’s grant', async () => {
  await addHome([]);
  const listPaths: readonly string[] = [PAGES['awardees-page'], API_BASE + CALLS.readAwardees.path];
  const params = { orgid: orgId, installerid: 'none', offsetterid: 'none', awardeeid: 'none' };
  // The pounds page sums all homes by its own rules (pounds.test.ts), and the future awardees page redirects to the
  // awardees.
  const pages = RENDERED_PAGES.filter((name) => name !== 'pounds-page' && name !== 'future-awardees-page')
    .map((name) => PAGES[name])
    .filter((path) => !/:(?:awardee|installer|offsetter)id/.test(path));
  const responses = [CALLS.readAwardees, CALLS.readInstallers, CALLS.readOrg].map(({ path }) => API_BASE + path);
  for (const path of [...pages, ...responses]) {
    const response = await readText(fillPath<string>(path, params));
    const isAllowed = (field: GrantField) =>
      field === 'installer' || (LISTED_FIELDS.includes(field) && listPaths.includes(path));
    for (const field of GRANT_FIELDS.filter((candidate) => !isAllowed(candidate)))
      expect(FIELD_PATTERNS[field].test(response), `${path}: ${field}`).toBe(false);
  }
});

test('an application is private, and a promised amount is shown until more is paid', async () => {
  const awardeeId = await addStory(db, 'awardees', orgId);
  await addGrant(db, orgId, { awardeeId });
  const id = await addGrant(db, orgId, { awardeeId, stage: 'promised', cents: 50_000 });
  await db.kysely
    .updateTable('grants')
    .set({ published_fields: GRANT_FIELDS })
    .where('awardee_id', '=', awardeeId)
    .execute();
  expect((await readAwardee(awardeeId)).grants).toMatchObject([{ amount: 500, dates: { paidOn: null } }]);
  await db.kysely.updateTable('grants').set({ published_fields: [] }).where('id', '=', id).execute();
  expect((await readAwardee(awardeeId)).grants).toBeUndefined();
});

test('hidden households and unfinished work are on no installer’s page', async () => {
  const linkedInstallerId = await addStory(db, 'installers', orgId, { name: 'Yolanda Umber' });
  const link = { installer_id: linkedInstallerId };
  const [finishedHome, unfinishedHome, hiddenHome] = [
    await addHome(['installer'], link),
    await addHome(['installer'], { ...link, done_on: null, inspected_on: null }),
    await addHome(['installer'], link),
  ];
  await db.kysely.updateTable('awardees').set({ status: 'hidden' }).where('id', '=', hiddenHome).execute();
  expect((await readInstallerHomes(linkedInstallerId)).map(({ profileURL }) => profileURL.split('/').at(-2))).toEqual([
    finishedHome,
  ]);
  expect((await readAwardee(unfinishedHome)).grants).toEqual([
    {
      installer: {
        name: 'Yolanda Umber',
        profileURL: fillPath(PAGES['installer-page'], { orgid: orgId, installerid: linkedInstallerId }),
      },
    },
  ]);
});

test('an installer is linked by name, keeps the link when renamed, and isn’t named while hidden', async () => {
  const edith = await signIn(site.deps, { name: 'Edith Editor', editorOf: [orgId] });
  const linkedInstallerId = await addStory(db, 'installers', orgId, { name: 'Vera Vail' });
  const awardeeId = await addStory(db, 'awardees', orgId);
  const request = { params: { orgid: orgId, grantid: 'linked' }, as: edith };
  const saveGrant = async (installer: string) => {
    const body = { ...createGrantBody(awardeeId), installer, publicFields: ['installer' as const] };
    return (await call(uncachedApp, 'saveGrant', { ...request, body })).json<Grant>();
  };
  expect(await saveGrant(' vera vail ')).toMatchObject({ installer: 'Vera Vail', installerid: linkedInstallerId });
  await call(uncachedApp, 'promiseGrant', { ...request, body: { on: '2026-02-02' } });
  const readShownInstaller = async () => (await readAwardee(awardeeId)).grants?.[0]?.installer?.name;
  const updateInstaller = (changes: { name?: string; status?: 'hidden' | 'published' }) =>
    db.kysely.updateTable('installers').set(changes).where('id', '=', linkedInstallerId).execute();
  await updateInstaller({ name: 'Vera Vail & Daughters' });
  expect(await readShownInstaller()).toBe('Vera Vail & Daughters');
  await updateInstaller({ status: 'hidden' });
  expect(await readShownInstaller()).toBeUndefined();
  await updateInstaller({ status: 'published' });
  await call(uncachedApp, 'deleteInstaller', { params: { orgid: orgId, installerid: linkedInstallerId }, as: edith });
  expect(await readShownInstaller()).toBe('vera vail');
  expect(await saveGrant('Somebody else')).toMatchObject({ installer: 'Somebody else', installerid: null });
  expect(await readShownInstaller()).toBe('Somebody else');
});
