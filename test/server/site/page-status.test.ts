// @spec 2.root 2.login 2.forgot-password 2.signup 2.sent-link 2.email-signin 2.org 2.offsetters 2.offsetter
// @spec 2.awardees 2.future-awardees 2.static-pages 2.installers 2.checkout 2.checkout-complete 2.slug decisions.4
// @spec decisions.7 decisions.8
import { expect, test } from 'vitest';
import { OFFLINE_DOCUMENT } from '#contract/offline.ts';
import { isRenderedPage, PAGES, type PageName, RESERVED_SLUGS } from '#contract/pages.ts';
import { fillPath } from '#contract/path-pattern.ts';
import { receiptSourceOfEntry } from '#server/features/receipts/read-receipt.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addRecurringGift } from '#test/support/builders/recurring-gift.ts';
import { addOffsetter, addStory } from '#test/support/builders/story.ts';
import { testDatabase } from '#test/support/database.ts';
import { DOCUMENT, makeWebFolder } from '#test/support/web-folder.ts';

const db = await testDatabase();
const orgid = await addOrg(db, { slug: 'ithaca' });
const app = await buildTestApp(await testDeps(db, { defaultOrg: orgid }), await makeWebFolder());

const { ledgerEntryId } = await addGift(db, orgid);
const receipt = await receiptSourceOfEntry(db.kysely, orgid, ledgerEntryId);

/** Each page parameter with an existing value. */
const PARAMS = {
  orgid,
  offsetterid: await addOffsetter(db, orgid),
  awardeeid: await addStory(db, 'awardees', orgid),
  installerid: await addStory(db, 'installers', orgid),
  checkoutid: await addCheckout(db, orgid),
  giftkey: (await addRecurringGift(db, orgid)).giftkey,
  receiptkey: receipt?.key ?? '',
  orgslug: 'ithaca',
};
type Param = keyof typeof PARAMS;

const LEADING_ON: readonly PageName[] = ['default-org', 'org-by-slug'];
const names = Object.keys(PAGES).filter((name): name is PageName => name in PAGES);
const visible = names.filter((name) => !LEADING_ON.includes(name));
const inOrg = visible.filter((name) => PAGES[name].includes(':orgid'));

/** Its awardees are hidden. */
const youngOrg = await addOrg(db, { no_awardees: true });
const addressOf = (name: PageName, params: Partial<Record<Param, string>> = {}) =>
  fillPath<string>(PAGES[name], {
    ...PARAMS,
    ...(name === 'future-awardees-page' ? { orgid: youngOrg } : {}),
    ...params,
  });
const otherForm = (path: string) => (path.endsWith('/') ? path.slice(0, -1) : `${path}/`);

async function expectDocument(url: string, status: number): Promise<void> {
  const response = await app.inject(url);
  expect([response.statusCode, response.headers['content-type']], url).toEqual([status, 'text/html; charset=utf-8']);
  expect(response.body, url).toBe(DOCUMENT);
  expect(response.headers['cache-control'], url).toBe('no-cache');
}

test.each(visible)('%s exists, with and without a trailing slash', async (name) => {
  await expectDocument(addressOf(name), 200);
  await expectDocument(otherForm(addressOf(name)), 200);
  await expectDocument(`${addressOf(name)}?cancelled=c1&a=%`, 200);
});

test.each(inOrg)('%s of an unknown organization is not found', async (name) => {
  await expectDocument(addressOf(name, { orgid: 'nobody' }), 404);
  await expectDocument(otherForm(addressOf(name, { orgid: 'nobody' })), 404);
});

test.each(visible.filter((name) => !isRenderedPage(name)))(
  '%s is personal: not indexed, and its address isn’t sent to other sites',
  async (name) => {
    const { headers } = await app.inject(addressOf(name));
    expect([headers['x-robots-tag'], headers['referrer-policy']]).toEqual(['noindex', 'no-referrer']);
  },
);

const OF_SOMETHING = [
  ['offsetter-page', 'offsetterid'],
  ['awardee-page', 'awardeeid'],
  ['installer-page', 'installerid'],
  ['checkout-page', 'checkoutid'],
  ['gift-page', 'giftkey'],
  ['gift-homes-page', 'receiptkey'],
  ['checkout-complete-page', 'checkoutid'],
] as const;

test.each(OF_SOMETHING)('%s of an unknown item is not found', async (name, param) => {
  await expectDocument(addressOf(name, { [param]: 'nothing' }), 404);
  await expectDocument(otherForm(addressOf(name, { [param]: 'nothing' })), 404);
  // Another kind of id isn't found here.
  await expectDocument(addressOf(name, { [param]: orgid }), 404);
});

test.each(OF_SOMETHING)('%s is found only in its own organization', async (name) => {
  const otherOrg = await addOrg(db);
  await expectDocument(addressOf(name, { orgid: otherOrg }), 404);
});

test('a hidden story has no page', async () => {
  const hiddenIds = [
    addressOf('offsetter-page', { offsetterid: await addOffsetter(db, orgid, { status: 'draft' }) }),
    addressOf('offsetter-page', { offsetterid: await addOffsetter(db, orgid, { status: 'hidden' }) }),
    addressOf('offsetter-page', { offsetterid: await addOffsetter(db, orgid, { shown_as: 'none' }) }),
    addressOf('awardee-page', { awardeeid: await addStory(db, 'awardees', orgid, { status: 'draft' }) }),
    addressOf('installer-page', { installerid: await addStory(db, 'installers', orgid, { status: 'hidden' }) }),
  ];
  for (const address of hiddenIds) await expectDocument(address, 404);
});

async function expectRedirect(url: string, to: string): Promise<void> {
  const response = await app.inject(url);
  expect([response.statusCode, response.headers.location], url).toEqual([302, to]);
}

test("the root redirects to the default organization's home, keeping the query", async () => {
  await expectRedirect('/', `/orgs/${orgid}`);
  await expectRedirect('/?utm_source=mail', `/orgs/${orgid}?utm_source=mail`);
});

test('without an organization, / redirects to the page where an admin creates one', async () => {
  const empty = await buildTestApp(await testDeps(await testDatabase()), await makeWebFolder());
  const response = await empty.inject('/');
  expect([response.statusCode, response.headers.location]).toEqual([302, '/admin']);
});

test("a slug, current or former, redirects to its organization's home", async () => {
  await expectRedirect('/ithaca', `/orgs/${orgid}`);
  await expectRedirect('/ithaca/', `/orgs/${orgid}`);
  await expectRedirect('/ithaca?a=b', `/orgs/${orgid}?a=b`);
  await db.kysely.insertInto('former_slugs').values({ slug: 'ithaca-fund', org_id: orgid }).execute();
  await expectRedirect('/ithaca-fund', `/orgs/${orgid}`);
});

test('an unknown slug is not found, and an id is not a slug', async () => {
  await expectDocument('/elmira', 404);
  await expectDocument('/Ithaca', 404);
  await expectDocument(`/${orgid}`, 404);
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

test('the pages of awardees and the page of future awardees replace each other', async () => {
  await expectRedirect(`/orgs/${youngOrg}/awardees`, `/orgs/${youngOrg}/future-awardees`);
  await expectRedirect(`/orgs/${youngOrg}/awardees/?a=b`, `/orgs/${youngOrg}/future-awardees?a=b`);
  const awardeeid = await addStory(db, 'awardees', youngOrg);
  await expectRedirect(`/orgs/${youngOrg}/awardees/${awardeeid}/`, `/orgs/${youngOrg}/future-awardees`);
  await expectDocument(`/orgs/${youngOrg}/future-awardees`, 200);
  await expectDocument(`/orgs/${orgid}/awardees`, 200);
  await expectRedirect(`/orgs/${orgid}/future-awardees`, `/orgs/${orgid}/awardees`);
});
