// @spec 2.edit-offsetter 2.editor decisions.4
import { expect, test } from 'vitest';
import { PAGES, type PageName, pagePath } from '#contract/pages.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addRecurringGift } from '#test/support/builders/recurring-gift.ts';
import { addOffsetter, addStory } from '#test/support/builders/story.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { recordRoutes } from '#test/support/record-routes.ts';
import { createWebFolder } from '#test/support/web-folder.ts';
import { createCredentials, SAMPLED_CALLERS } from './callers.ts';

const db = await createTestDatabase();
const deps = await createTestDeps(db);
const { app: appWithoutPages, routes: routesWithoutPages } = await recordRoutes(() => buildTestApp(deps));
const webFolder = await createWebFolder();
const { app, routes } = await recordRoutes(() => buildTestApp(deps, webFolder));
const orgs = { 'own organization': await addOrg(db), 'other organization': await addOrg(db) };
const orgId = orgs['own organization'];
const params = {
  orgid: orgId,
  orgslug: orgId,
  offsetterid: await addOffsetter(db, orgId, { status: 'draft' }),
  awardeeid: await addStory(db, 'awardees', orgId),
  installerid: await addStory(db, 'installers', orgId),
  checkoutid: await addCheckout(db, orgId),
  giftkey: (await addRecurringGift(db, orgId)).giftkey,
  receiptkey: 'unknown',
  donorid: 'unknown',
  section: 'place',
};
const callerCredentials = await Promise.all(
  SAMPLED_CALLERS.map(async (caller) => [caller, await createCredentials(deps, caller, orgs)] as const),
);

test.each(Object.keys(PAGES) as PageName[])('the document of %s is the same for every caller', async (name) => {
  const openPage = async (headers: Readonly<Record<string, string>>) => {
    const { statusCode, body } = await app.inject({ url: pagePath(name, params), headers });
    return { statusCode, body };
  };
  const visitorResponse = await openPage({});
  expect([200, 302, 404]).toContain(visitorResponse.statusCode);
  for (const [caller, { headers }] of callerCredentials) {
    expect(await openPage(headers), caller).toEqual(visitorResponse);
  }
});

test('pages add no routes except the files of the web client', async () => {
  await appWithoutPages.ready();
  const addedRoutes = routes.filter((route) => !routesWithoutPages.includes(route));
  for (const route of addedRoutes) {
    const [method, address = ''] = route.split(' ');
    // All built files share one route, so the test requests one that exists.
    const url = address.replace('*', 'index-Ab12Cd34.js');
    expect([method, (await app.inject({ url })).statusCode, route]).toEqual(['GET', 200, route]);
  }
  expect(addedRoutes.length).toBeGreaterThan(0);
});
