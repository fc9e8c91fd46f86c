import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pagePath } from '#contract/pages.ts';
import { openDatabase } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { addCell } from '#test/support/builders/cell.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter, addStory } from '#test/support/builders/story.ts';
import { openTestDatabase } from '#test/support/database.ts';
import { attributesOf, contentsOf, metaOf } from '#test/support/read-document.ts';
import { renderedSite } from '#test/support/rendered-site.ts';
import { watchedLog } from '#test/support/watched-log.ts';
import { DOCUMENT } from '#test/support/web-folder.ts';

const { db, location } = await openTestDatabase();
const orgid = await addOrg(db, { slug: 'kept' });
const site = await renderedSite(db, { defaultOrg: orgid });

const home = (id: string) => pagePath('home-page', { orgid: id });
/** An organization whose creation has already been announced to the site, so that nothing arrives late. */
async function addKnownOrg(): Promise<string> {
  const id = newId();
  await site.afterChange(() => addOrg(db, { id }));
  return id;
}

/** Number of pages rendered during an action. */
async function rendersOf(work: () => Promise<unknown>): Promise<number> {
  const renderedCount = site.rendered.length;
  await work();
  return site.rendered.length - renderedCount;
}

test('a page is rendered once for any query, with and without a trailing slash', async () => {
  const orgHome = home(await addKnownOrg());
  const renders = await rendersOf(async () => {
    const first = await site.document(orgHome);
    for (const url of [
      `${orgHome}/`,
      `${orgHome}?utm_source=mail`,
      `${orgHome}/?cancelled=c1&a=%`,
      orgHome.replace('orgs', '%6frgs'),
    ]) {
      expect(await site.document(url)).toBe(first);
    }
  });
  expect(renders).toBe(1);
});

test('concurrent requests for a page share one rendering', async () => {
  const orgAbout = `${home(await addKnownOrg())}/about`;
  const renders = await rendersOf(() => Promise.all(Array.from({ length: 20 }, () => site.document(orgAbout))));
  expect(renders).toBe(1);
});

const CHANGES: readonly [string, (id: string) => Promise<unknown>, string, string][] = [
  [
    'its name',
    (id) => db.kysely.updateTable('orgs').set({ name: 'Renamed' }).where('id', '=', id).execute(),
    'about',
    'Renamed',
  ],
  [
    'its tag',
    (id) => db.kysely.updateTable('orgs').set({ tag: 'A new tag' }).where('id', '=', id).execute(),
    '',
    'A new tag',
  ],
  [
    'a text of it',
    (id) => addCell(db, id, { page: 'faq', name: 'questions', html: '<p>Asked anew</p>' }),
    'faqs',
    'Asked anew',
  ],
  ['an offsetter of it', (id) => addOffsetter(db, id, { name: 'Newcomer' }), 'offsetters', 'Newcomer'],
  ['an awardee of it', (id) => addStory(db, 'awardees', id, { name: 'Newly warm' }), 'awardees', 'Newly warm'],
  ['an installer of it', (id) => addStory(db, 'installers', id, { name: 'New crew' }), 'installers', 'New crew'],
  ['a gift to it', (id) => gift(id, 4_321_000), '', '$43,210'],
];

const gift = (orgId: string, amount: number) =>
  inTransaction(db, (tx) =>
    postEntry(tx, {
      orgId,
      amount,
      kind: 'payment',
      fact: newId(),
      carbon: 1,
      currency: 'usd',
      occurredAt: new Date(),
    }),
  );

test.each(CHANGES)('%s is in the next response', async (_what, change, page, words) => {
  const id = await addOrg(db);
  const url = page ? `${home(id)}/${page}` : home(id);
  expect(await site.document(url)).not.toContain(words);
  await site.afterChange(() => change(id));
  expect(await site.document(url)).toContain(words);
});

test('a removed or hidden story disappears from its page and list, and other lists stay cached', async () => {
  const [id, otherId] = [await addKnownOrg(), await addKnownOrg()];
  const offsetterid = await addOffsetter(db, id, { name: 'Soon hidden' });
  const [story, list, others] = [
    pagePath('offsetter-page', { orgid: id, offsetterid }),
    `${home(id)}/offsetters`,
    `${home(otherId)}/offsetters`,
  ];
  for (const url of [story, list]) expect(await site.document(url)).toContain('Soon hidden');
  await site.document(others);
  const hide = db.kysely.updateTable('offsetters').set({ status: 'hidden' }).where('id', '=', offsetterid);
  await site.afterChange(() => hide.execute());
  expect((await site.get(story)).statusCode).toBe(404);
  expect(await site.document(list)).not.toContain('Soon hidden');
  expect(await rendersOf(() => site.document(others))).toBe(0);
  await site.afterChange(() => db.kysely.deleteFrom('offsetters').where('id', '=', offsetterid).execute());
  expect((await site.get(story)).statusCode).toBe(404);
});

test('a missing page is looked up each time because it may appear later', async () => {
  const id = await addOrg(db);
  const story = pagePath('awardee-page', { orgid: id, awardeeid: 'a-late-one' });
  expect((await site.get(story)).statusCode).toBe(404);
  await addStory(db, 'awardees', id, { id: 'a-late-one', name: 'Late but warm' });
  expect(await site.document(story)).toContain('Late but warm');
});

test('a deleted organization has no pages', async () => {
  const id = await addOrg(db);
  await site.document(home(id));
  await site.afterChange(() => db.kysely.deleteFrom('orgs').where('id', '=', id).execute());
  expect((await site.get(home(id))).statusCode).toBe(404);
});

test.runIf(location.databaseUrl)('another program’s change is in the next response', async () => {
  const otherDatabase = await openDatabase({ ...location, log: watchedLog().log });
  const id = await addOrg(db);
  await site.document(home(id));
  const rename = otherDatabase.kysely.updateTable('orgs').set({ name: 'By another hand' }).where('id', '=', id);
  await site.afterChange(() => rename.execute());
  expect(await site.document(home(id))).toContain('By another hand');
  await otherDatabase.close();
});

test('a rolled-back change is in no response', async () => {
  const id = await addOrg(db);
  const initialDocument = await site.document(home(id));
  const givenUp = inTransaction(db, async (tx) => {
    await tx.updateTable('orgs').set({ name: 'Given up' }).where('id', '=', id).execute();
    throw new Error('given up');
  });
  await expect(givenUp).rejects.toThrow('given up');
  expect(await site.document(home(id))).toBe(initialDocument);
});

const missing = {
  'a story that there is not': (id: string) => `${home(id)}/offsetters/gone/`,
  'a page that there is not': (id: string) => `${home(id)}/nothing/of/the/kind`,
  'a checkout that there is not': (id: string) => `${home(id)}/checkouts/gone`,
  'what can be no id': (id: string) => `${home(id)}/awardees/a%2Fb/`,
};

test.each(Object.entries(missing))('%s is not found, in its organization’s frame', async (_what, addressIn) => {
  const id = await addOrg(db, { name: 'The fund around it' });
  const response = await site.get(addressIn(id));
  expect([response.statusCode, response.headers['x-robots-tag'], response.headers.etag]).toEqual([
    404,
    'noindex',
    undefined,
  ]);
  expect(response.body).toContain('Page not found');
  expect(response.body).toContain('The fund around it');
  expect(attributesOf(response.body, 'a', 'href')).toContain(home(id));
  expect(metaOf(response.body, 'robots')).toEqual(['noindex']);
  expect(contentsOf(response.body, 'title')).toEqual(['Page not found · City Climate Fund']);
});

test.each(['/nobody', '/orgs/nobody', '/orgs/nobody/offsetters/x/', '/a/b/c', '/orgs', '/orgs/%2F'])(
  '%s is not found, without a frame',
  async (url) => {
    const response = await site.get(url);
    expect(response.statusCode).toBe(404);
    expect(response.body).toContain('Page not found');
    expect(response.body).not.toContain('Ithaca Climate Fund');
  },
);

test('unknown addresses share one rendered page per organization and one outside', async () => {
  const id = await addKnownOrg();
  await site.get('/made/up/0');
  const renders = await rendersOf(async () => {
    for (let number = 1; number <= 10; number += 1) {
      await site.get(`/made/up/${number}`);
      await site.get(`/orgs/made-up-${number}`);
      await site.get(`/orgs/made-up-${number}/offsetters/x${number}/`);
      await site.get(`${home(id)}/offsetters/x${number}/`);
      await site.get(`${home(id)}/made/up/${number}`);
    }
  });
  expect(renders).toBe(1);
});

test('a redirect keeps its query and isn’t rendered', async () => {
  const young = await addOrg(db, { no_awardees: true });
  const leads = [
    ['/', home(orgid)],
    ['/?a=b', `${home(orgid)}?a=b`],
    ['/kept/', home(orgid)],
    [`${home(young)}/awardees`, `${home(young)}/future-awardees`],
  ] as const;
  const renders = await rendersOf(async () => {
    for (const [from, to] of leads) {
      const response = await site.get(from);
      expect([response.statusCode, response.headers.location], from).toEqual([302, to]);
    }
  });
  expect(renders).toBe(0);
});

// @asvs 3.4.5 14.2.2 14.3.2
test('a personal page is never cached by others and never leaks its address', async () => {
  const checkoutid = await addCheckout(db, orgid);
  const checkout = pagePath('checkout-page', { orgid, checkoutid });
  for (const url of [checkout, `${checkout}?receipt=r1`, '/login', '/login?return_to=%2Fuser-home']) {
    const response = await site.get(url);
    expect([response.statusCode, response.body], url).toEqual([200, expect.stringContaining('<h1')]);
    expect(response.headers, url).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'cache-control': 'no-store',
    });
    expect(response.headers.etag, url).toBeUndefined();
    expect(response.body).toContain('<meta name="robots" content="noindex">');
    expect(response.body).not.toContain('rel="canonical"');
  }
  expect((await site.get(home(orgid))).headers).toMatchObject({ 'referrer-policy': 'strict-origin-when-cross-origin' });
});

test('a checkout page is rendered for each request', async () => {
  const url = pagePath('checkout-page', { orgid, checkoutid: await addCheckout(db, orgid) });
  expect(await rendersOf(() => Promise.all([site.get(url), site.get(url)]))).toBe(2);
});

test('a login page is rendered once for all irrelevant queries, and again after its organization changes', async () => {
  const id = await addKnownOrg();
  const back = `/login?return_to=${encodeURIComponent(home(id))}`;
  const renders = await rendersOf(async () => {
    const first = await site.document(back);
    expect(first).toContain(`href="${home(id)}/faqs"`);
    for (let number = 0; number < 20; number += 1) expect(await site.document(`${back}&x=${number}`)).toBe(first);
  });
  expect(renders).toBe(1);
  const failedPage = await site.document(`${back}&error=google`);
  expect(failedPage).not.toBe(await site.document(back));
  const rename = db.kysely.updateTable('orgs').set({ name: 'Renamed fund' }).where('id', '=', id);
  await site.afterChange(() => rename.execute());
  expect(await site.document(back)).toContain('Renamed fund');
});

// @asvs 15.2.2
test('under load, only a few personal pages are rendered on the server', async () => {
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, number) => site.get(`/login?return_to=%2Forgs%2Fx${number}`)),
  );
  const isShell = responses.map(({ body }) => body === DOCUMENT);
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(responses.map(() => 200));
  const rendered = isShell.filter((shell) => !shell).length;
  // One is rendering and four wait, or just four during a pause.
  expect([4, 5]).toContain(rendered);
  expect((await site.get('/login?return_to=%2Forgs%2Fx19')).body).toContain('<h1');
});

test.each(['/reset-password?code=secret', '/user-home', '/users', `${home(orgid)}/editor/org`])(
  '%s has only its organization’s frame, without personal data',
  async (url) => {
    const response = await site.get(url, { cookie: 'signed_in=1' });
    expect([response.statusCode, response.headers.etag]).toEqual([200, undefined]);
    expect(response.headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'cache-control': 'no-store',
    });
    const { body } = response;
    expect(body).toContain('<meta name="robots" content="noindex">');
    expect(body).toContain(`href="${home(orgid)}/faqs"`);
    expect(body).toContain('needs JavaScript to show this page');
    expect(body).not.toContain('<h1');
    expect(body).not.toContain('secret');
    expect(JSON.parse(contentsOf(body, 'script').at(-1) ?? '')).toMatchObject({ isWaiting: true });
  },
);

test('the offline document is empty and not indexed', async () => {
  const response = await site.get('/offline');
  expect([response.statusCode, response.body, response.headers['x-robots-tag']]).toEqual([200, DOCUMENT, 'noindex']);
});

const DECODED = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };

test.each(['br', 'gzip', 'identity'] as const)('a page uses the requested encoding: %s', async (encoding) => {
  const fullDocument = await site.document(home(orgid));
  const response = await site.get(home(orgid), { 'accept-encoding': encoding });
  expect(DECODED[encoding](response.rawPayload).toString()).toBe(fullDocument);
  expect(response.headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding);
  expect(response.headers).toMatchObject({ vary: 'accept-encoding', 'cache-control': 'no-cache' });
  expect(Number(response.headers['content-length'])).toBe(response.rawPayload.length);
});

test('a not-found page is compressed too', async () => {
  const response = await site.get('/a/b/c', { 'accept-encoding': 'gzip' });
  expect(response.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(response.rawPayload).toString()).toContain('Page not found');
});

test('a page the browser already has isn’t sent again until it changes', async () => {
  const id = await addKnownOrg();
  const { etag = '' } = (await site.get(home(id), { 'accept-encoding': 'br' })).headers;
  const revalidate = (tag: string, encoding = 'br') =>
    site.get(home(id), { 'if-none-match': tag, 'accept-encoding': encoding });
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const response = await revalidate(tag);
    expect([response.statusCode, response.body, response.headers.etag], tag).toEqual([304, '', etag]);
    expect(response.headers, tag).toMatchObject({ vary: 'accept-encoding', 'cache-control': 'no-cache' });
    expect(response.headers['content-security-policy'], tag).toContain("'sha256-");
  }
  // Another tag, part of the tag, or another encoding's tag doesn't match the browser's copy.
  for (const tag of ['"other"', etag.slice(0, -2), etag.replaceAll('"', '')])
    expect((await revalidate(tag)).statusCode).toBe(200);
  expect((await revalidate(etag, 'gzip')).statusCode).toBe(200);
  await site.afterChange(() => db.kysely.updateTable('orgs').set({ name: 'New name' }).where('id', '=', id).execute());
  expect((await revalidate(etag)).statusCode).toBe(200);
});

test('a not-found page never returns 304', async () => {
  expect((await site.get('/a/b/c', { 'if-none-match': '*' })).statusCode).toBe(404);
});

test.each([home(orgid), `${home(orgid)}/faqs`, '/a/b/c'])('HEAD for %s matches GET without the body', async (url) => {
  const headers = { 'accept-encoding': 'br' };
  const fullResponse = await site.get(url, headers);
  const head = await site.app.inject({ method: 'HEAD', url, headers });
  expect([head.statusCode, head.body]).toEqual([fullResponse.statusCode, '']);
  const unlike = ['date', 'x-request-id'];
  for (const name of Object.keys(fullResponse.headers).filter((one) => !unlike.includes(one))) {
    expect(head.headers[name], name).toBe(fullResponse.headers[name]);
  }
});

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

// @asvs 3.4.3
test('a page’s content security policy allows its inline style by hash, and no inline script', async () => {
  const response = await site.get(home(orgid));
  const policy = String(response.headers['content-security-policy']).split(';');
  const styles = contentsOf(response.body, 'style');
  expect(policy.find((part) => part.startsWith('style-src'))).toBe(
    ["style-src 'self'", ...styles.map(sha256)].join(' '),
  );
  expect(policy).toContain("script-src 'self'");
  expect(styles).toHaveLength(1);
  expect(policy.join()).not.toContain('unsafe');
  // The next response is another page, whose policy allows none of this page's inline code.
  expect((await site.get('/healthz')).headers['content-security-policy']).not.toContain('sha256-');
});
