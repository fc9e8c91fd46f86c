// @spec 2.root 2.login 2.forgot-password 2.signup 2.sent-link 2.email-signin 2.org 2.offsetters 2.offsetter
// @spec 2.awardees 2.future-awardees 2.static-pages 2.installers 2.checkout 2.checkout-complete 2.slug decisions.4
// @spec decisions.7 decisions.8
import { expect, test } from 'vitest';
import { OFFLINE_DOCUMENT } from '#contract/offline.ts';
import { isRenderedPage, PAGES, type PageName } from '#contract/pages.ts';
import { fillPath } from '#contract/path-pattern.ts';
import { RESERVED_SLUGS } from '#contract/reserved-slugs.ts';
import { findReceiptSourceByEntry } from '#server/features/receipts/read-receipt.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addRecurringGift } from '#test/support/builders/recurring-gift.ts';
import { addOffsetter, addStory } from '#test/support/builders/story.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createWebFolder, DOCUMENT } from '#test/support/web-folder.ts';

const db = await createTestDatabase();
const orgId = await addOrg(db, { slug: 'ithaca' });
const app = await buildTestApp(await createTestDeps(db, { settings: { defaultOrg: orgId } }), await createWebFolder());

const { ledgerEntryId } = await addGift(db, orgId);
const receipt = await findReceiptSourceByEntry(db.kysely, orgId, ledgerEntryId);

/** Each page parameter with an existing value. */
const PARAMS = {
  orgid: orgId,
  offsetterid: await addOffsetter(db, orgId),
  awardeeid: await addStory(db, 'awardees', orgId),
  installerid: await addStory(db, 'installers', orgId),
  checkoutid: await addCheckout(db, orgId),
  giftkey: (await addRecurringGift(db, orgId)).giftkey,
  receiptkey: receipt?.key ?? '',
  orgslug: 'ithaca',
};
type Param = keyof typeof PARAMS;

const REDIRECT_PAGES: readonly PageName[] = ['default-org', 'org-by-slug'];
const pageNames = Object.keys(PAGES).filter((name): name is PageName => name in PAGES);
const documentPages = pageNames.filter((name) => !REDIRECT_PAGES.includes(name));
const orgPages = documentPages.filter((name) => PAGES[name].includes(':orgid'));

/** An organization with hidden awardees. */
const youngOrgId = await addOrg(db, { no_awardees: true });
const addressOf = (name: PageName, params: Partial<Record<Param, string>> = {}) =>
  fillPath<string>(PAGES[name], {
    ...PARAMS,
    ...(name === 'future-awardees-page' ? { orgid: youngOrgId } : {}),
    ...params,
  });
const alternatePath = (path: string) => (path.endsWith('/') ? path.slice(0, -1) : `${path}/`);

async function expectDocument(url: string, status: number): Promise<void> {
  const response = await app.inject(url);
  expect([response.statusCode, response.headers['content-type']], url).toEqual([status, 'text/html; charset=utf-8']);
  expect(response.body, url).toBe(DOCUMENT);
  expect(response.headers['cache-control'], url).toBe('no-cache');
}

test.each(documentPages)('%s exists, with and without a trailing slash', async (name) => {
  await expectDocument(addressOf(name), 200);
  await expectDocument(alternatePath(addressOf(name)), 200);
  await expectDocument(`${addressOf(name)}?cancelled=c1&a=%`, 200);
});

test.each(orgPages)('%s of an unknown organization is not found', async (name) => {
  await expectDocument(addressOf(name, { orgid: 'nobody' }), 404);
  await expectDocument(alternatePath(addressOf(name, { orgid: 'nobody' })), 404);
});

test.each(documentPages.filter((name) => !isRenderedPage(name)))(
  '%s is personal: not indexed, and its address isn’t sent to other sites',
  async (name) => {
    const { headers } = await app.inject(addressOf(name));
    expect([headers['x-robots-tag'], headers['referrer-policy']]).toEqual(['noindex', 'no-referrer']);
  },
);

const ITEM_PAGES = [
  ['offsetter-page', 'offsetterid'],
  ['awardee-page', 'awardeeid'],
  ['installer-page', 'installerid'],
  ['checkout-page', 'checkoutid'],
  ['recurring-gift-page', 'giftkey'],
  ['gift-homes-page', 'receiptkey'],
  ['checkout-complete-page', 'checkoutid'],
] as const;

test.each(ITEM_PAGES)('%s of an unknown item is not found', async (name, param) => {
  await expectDocument(addressOf(name, { [param]: 'nothing' }), 404);
  await expectDocument(alternatePath(addressOf(name, { [param]: 'nothing' })), 404);
  // An id of another kind isn't found either.
  await expectDocument(addressOf(name, { [param]: orgId }), 404);
});

test.each(ITEM_PAGES)('%s is found only in its own organization', async (name) => {
  const otherOrgId = await addOrg(db);
  await expectDocument(addressOf(name, { orgid: otherOrgId }), 404);
});

test('a hidden story has no page', async () => {
  const hiddenPaths = [
    addressOf('offsetter-page', { offsetterid: await addOffsetter(db, orgId, { status: 'draft' }) }),
    addressOf('offsetter-page', { offsetterid: await addOffsetter(db, orgId, { status: 'hidden' }) }),
    addressOf('offsetter-page', { offsetterid: await addOffsetter(db, orgId, { shown_as: 'none' }) }),
    addressOf('awardee-page', { awardeeid: await addStory(db, 'awardees', orgId, { status: 'draft' }) }),
    addressOf('installer-page', { installerid: await addStory(db, 'installers', orgId, { status: 'hidden' }) }),
  ];
  for (const address of hiddenPaths) await expectDocument(address, 404);
});

async function expectRedirect(url: string, to: string): Promise<void> {
  const response = await app.inject(url);
  expect([response.statusCode, response.headers.location], url).toEqual([302, to]);
}

test("the root redirects to the default organization's home, keeping the query", async () => {
  await expectRedirect('/', `/orgs/${orgId}`);
  await expectRedirect('/?utm_source=mail', `/orgs/${orgId}?utm_source=mail`);
});

test('without an organization, / redirects to the page where an admin creates one', async () => {
  const emptyApp = await buildTestApp(await createTestDeps(await createTestDatabase()), await createWebFolder());
  const response = await emptyApp.inject('/');
  expect([response.statusCode, response.headers.location]).toEqual([302, '/admin']);
});

test("a slug, current or former, redirects to its organization's home", async () => {
  await expectRedirect('/ithaca', `/orgs/${orgId}`);
  await expectRedirect('/ithaca/', `/orgs/${orgId}`);
  await expectRedirect('/ithaca?a=b', `/orgs/${orgId}?a=b`);
  await db.kysely.insertInto('former_slugs').values({ slug: 'ithaca-fund', org_id: orgId }).execute();
  await expectRedirect('/ithaca-fund', `/orgs/${orgId}`);
});

test('an unknown slug is not found, and an id is not a slug', async () => {
  await expectDocument('/elmira', 404);
  await expectDocument('/Ithaca', 404);
  await expectDocument(`/${orgId}`, 404);
});

test('a reserved word never redirects to an organization', async () => {
  const ownPaths = [...Object.values<string>(PAGES), '/healthz', '/readyz', OFFLINE_DOCUMENT];
  for (const word of RESERVED_SLUGS) {
    const response = await app.inject(`/${word}`);
    expect([response.statusCode, response.headers.location], word).toEqual([
      ownPaths.includes(`/${word}`) ? 200 : 404,
      undefined,
    ]);
  }
});

test('an organization has either awardee pages or a future awardees page', async () => {
  await expectRedirect(`/orgs/${youngOrgId}/awardees`, `/orgs/${youngOrgId}/future-awardees`);
  await expectRedirect(`/orgs/${youngOrgId}/awardees/?a=b`, `/orgs/${youngOrgId}/future-awardees?a=b`);
  const awardeeId = await addStory(db, 'awardees', youngOrgId);
  await expectRedirect(`/orgs/${youngOrgId}/awardees/${awardeeId}/`, `/orgs/${youngOrgId}/future-awardees`);
  await expectDocument(`/orgs/${youngOrgId}/future-awardees`, 200);
  await expectDocument(`/orgs/${orgId}/awardees`, 200);
  await expectRedirect(`/orgs/${orgId}/future-awardees`, `/orgs/${orgId}/awardees`);
});
