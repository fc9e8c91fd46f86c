// @spec 2.edit-offsetter 2.editor decisions.4
import { expect, test } from 'vitest';
import { PAGES, type PageName, pagePath } from '#contract/pages.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addRecurringGift } from '#test/support/builders/recurring-gift.ts';
import { addOffsetter, addStory } from '#test/support/builders/story.ts';
import { testDatabase } from '#test/support/database.ts';
import { recordRoutes } from '#test/support/routes-of.ts';
import { makeWebFolder } from '#test/support/web-folder.ts';
import { credentialsOf, SOME_CALLERS } from './callers.ts';

const db = await testDatabase();
const deps = await testDeps(db);
const { app: calls, routes: withoutPages } = await recordRoutes(() => buildTestApp(deps));
const webFolder = await makeWebFolder();
const { app, routes } = await recordRoutes(() => buildTestApp(deps, webFolder));
const orgs = { 'own organization': await addOrg(db), 'other organization': await addOrg(db) };
const orgid = orgs['own organization'];
const params = {
  orgid,
  orgslug: orgid,
  offsetterid: await addOffsetter(db, orgid, { status: 'draft' }),
  awardeeid: await addStory(db, 'awardees', orgid),
  installerid: await addStory(db, 'installers', orgid),
  checkoutid: await addCheckout(db, orgid),
  giftkey: (await addRecurringGift(db, orgid)).giftkey,
  receiptkey: 'unknown',
  donorid: 'unknown',
  section: 'place',
};
const people = await Promise.all(
  SOME_CALLERS.map(async (caller) => [caller, await credentialsOf(deps, caller, orgs)] as const),
);

test.each(Object.keys(PAGES) as PageName[])('the document of %s is the same for every caller', async (name) => {
  const openPage = async (headers: Readonly<Record<string, string>>) => {
    const { statusCode, body } = await app.inject({ url: pagePath(name, params), headers });
    return { statusCode, body };
  };
  const forVisitors = await openPage({});
  expect([200, 302, 404]).toContain(forVisitors.statusCode);
  for (const [caller, { headers }] of people) {
    expect(await openPage(headers), caller).toEqual(forVisitors);
  }
});

test('pages add no routes except the files of the web client', async () => {
  await calls.ready();
  const addedRoutes = routes.filter((route) => !withoutPages.includes(route));
  for (const route of addedRoutes) {
    const [method, address = ''] = route.split(' ');
    // All built files share one route, so the test requests one that exists.
    const url = address.replace('*', 'index-Ab12Cd34.js');
    expect([method, (await app.inject({ url })).statusCode, route]).toEqual(['GET', 200, route]);
  }
  expect(addedRoutes.length).toBeGreaterThan(0);
});
