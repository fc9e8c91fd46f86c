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
import { createLogSpy } from '#test/support/log-spy.ts';
import { readAttributes, readElementContents, readMetaContents } from '#test/support/read-document.ts';
import { startRenderedSite } from '#test/support/rendered-site.ts';
import { DOCUMENT } from '#test/support/web-folder.ts';

const { db, location } = await openTestDatabase();
const orgId = await addOrg(db, { slug: 'kept' });
const site = await startRenderedSite(db, { settings: { defaultOrg: orgId } });

const homePath = (id: string) => pagePath('home-page', { orgid: id });
/** Adds an organization and waits for its announcement, so no notification arrives late. */
async function addAnnouncedOrg(): Promise<string> {
  const id = newId();
  await site.changeAndWait(() => addOrg(db, { id }));
  return id;
}

/** Number of pages rendered during an action. */
async function countRenders(run: () => Promise<unknown>): Promise<number> {
  const renderedCount = site.renderedPaths.length;
  await run();
  return site.renderedPaths.length - renderedCount;
}

test('a page is rendered once for any query, with and without a trailing slash', async () => {
  const orgHome = homePath(await addAnnouncedOrg());
  const renders = await countRenders(async () => {
    const first = await site.readDocument(orgHome);
    for (const url of [
      `${orgHome}/`,
      `${orgHome}?utm_source=mail`,
      `${orgHome}/?cancelled=c1&a=%`,
      orgHome.replace('orgs', '%6frgs'),
    ]) {
      expect(await site.readDocument(url)).toBe(first);
    }
  });
  expect(renders).toBe(1);
});

test('concurrent requests for a page share one rendering', async () => {
  const orgAbout = `${homePath(await addAnnouncedOrg())}/about`;
  const renders = await countRenders(() => Promise.all(Array.from({ length: 20 }, () => site.readDocument(orgAbout))));
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
    'one of its texts',
    (id) => addCell(db, id, { page: 'faq', name: 'questions', html: '<p>Asked anew</p>' }),
    'faqs',
    'Asked anew',
  ],
  ['one of its offsetters', (id) => addOffsetter(db, id, { name: 'Newcomer' }), 'offsetters', 'Newcomer'],
  ['one of its awardees', (id) => addStory(db, 'awardees', id, { name: 'Newly warm' }), 'awardees', 'Newly warm'],
  ['one of its installers', (id) => addStory(db, 'installers', id, { name: 'New crew' }), 'installers', 'New crew'],
  ['a gift to it', (id) => postGift(id, 4_321_000), '', '$43,210'],
];

const postGift = (orgId: string, amount: number) =>
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

test.each(CHANGES)('%s is in the next response', async (_title, change, page, expectedText) => {
  const id = await addOrg(db);
  const url = page ? `${homePath(id)}/${page}` : homePath(id);
  expect(await site.readDocument(url)).not.toContain(expectedText);
  await site.changeAndWait(() => change(id));
  expect(await site.readDocument(url)).toContain(expectedText);
});

test('a removed or hidden story disappears from its page and list, and other lists stay cached', async () => {
  const [id, otherId] = [await addAnnouncedOrg(), await addAnnouncedOrg()];
  const offsetterId = await addOffsetter(db, id, { name: 'Soon hidden' });
  const [story, list, otherList] = [
    pagePath('offsetter-page', { orgid: id, offsetterid: offsetterId }),
    `${homePath(id)}/offsetters`,
    `${homePath(otherId)}/offsetters`,
  ];
  for (const url of [story, list]) expect(await site.readDocument(url)).toContain('Soon hidden');
  await site.readDocument(otherList);
  const hide = db.kysely.updateTable('offsetters').set({ status: 'hidden' }).where('id', '=', offsetterId);
  await site.changeAndWait(() => hide.execute());
  expect((await site.get(story)).statusCode).toBe(404);
  expect(await site.readDocument(list)).not.toContain('Soon hidden');
  expect(await countRenders(() => site.readDocument(otherList))).toBe(0);
  await site.changeAndWait(() => db.kysely.deleteFrom('offsetters').where('id', '=', offsetterId).execute());
  expect((await site.get(story)).statusCode).toBe(404);
});

test('a missing page is looked up each time because it may appear later', async () => {
  const id = await addOrg(db);
  const story = pagePath('awardee-page', { orgid: id, awardeeid: 'a-late-one' });
  expect((await site.get(story)).statusCode).toBe(404);
  await addStory(db, 'awardees', id, { id: 'a-late-one', name: 'Late but warm' });
  expect(await site.readDocument(story)).toContain('Late but warm');
});

test('a deleted organization has no pages', async () => {
  const id = await addOrg(db);
  await site.readDocument(homePath(id));
  await site.changeAndWait(() => db.kysely.deleteFrom('orgs').where('id', '=', id).execute());
  expect((await site.get(homePath(id))).statusCode).toBe(404);
});

test.runIf(location.databaseUrl)('another program’s change is in the next response', async () => {
  const otherDatabase = await openDatabase({ ...location, log: createLogSpy().log });
  const id = await addOrg(db);
  await site.readDocument(homePath(id));
  const rename = otherDatabase.kysely.updateTable('orgs').set({ name: 'By another hand' }).where('id', '=', id);
  await site.changeAndWait(() => rename.execute());
  expect(await site.readDocument(homePath(id))).toContain('By another hand');
  await otherDatabase.close();
});

test('a rolled-back change never appears in a response', async () => {
  const id = await addOrg(db);
  const initialDocument = await site.readDocument(homePath(id));
  const transaction = inTransaction(db, async (tx) => {
    await tx.updateTable('orgs').set({ name: 'Given up' }).where('id', '=', id).execute();
    throw new Error('given up');
  });
  await expect(transaction).rejects.toThrow('given up');
  expect(await site.readDocument(homePath(id))).toBe(initialDocument);
});

const missingPages = {
  'a missing story': (id: string) => `${homePath(id)}/offsetters/gone/`,
  'a missing page': (id: string) => `${homePath(id)}/nothing/of/the/kind`,
  'a missing checkout': (id: string) => `${homePath(id)}/checkouts/gone`,
  'an invalid id': (id: string) => `${homePath(id)}/awardees/a%2Fb/`,
};

test.each(Object.entries(missingPages))(
  '%s is not found, with its organization’s header and footer',
  async (_title, buildPath) => {
    const id = await addOrg(db, { name: 'The fund around it' });
    const response = await site.get(buildPath(id));
    expect([response.statusCode, response.headers['x-robots-tag'], response.headers.etag]).toEqual([
      404,
      'noindex',
      undefined,
    ]);
    expect(response.body).toContain('Page not found');
    expect(response.body).toContain('The fund around it');
    expect(readAttributes(response.body, 'a', 'href')).toContain(homePath(id));
    expect(readMetaContents(response.body, 'robots')).toEqual(['noindex']);
    expect(readElementContents(response.body, 'title')).toEqual(['Page not found · City Climate Fund']);
  },
);

test.each(['/nobody', '/orgs/nobody', '/orgs/nobody/offsetters/x/', '/a/b/c', '/orgs', '/orgs/%2F'])(
  '%s is not found, without an organization’s header and footer',
  async (url) => {
    const response = await site.get(url);
    expect(response.statusCode).toBe(404);
    expect(response.body).toContain('Page not found');
    expect(response.body).not.toContain('Ithaca Climate Fund');
  },
);

test('unknown addresses share one rendered page per organization and one for the rest', async () => {
  const id = await addAnnouncedOrg();
  await site.get('/made/up/0');
  const renders = await countRenders(async () => {
    for (let number = 1; number <= 10; number += 1) {
      await site.get(`/made/up/${number}`);
      await site.get(`/orgs/made-up-${number}`);
      await site.get(`/orgs/made-up-${number}/offsetters/x${number}/`);
      await site.get(`${homePath(id)}/offsetters/x${number}/`);
      await site.get(`${homePath(id)}/made/up/${number}`);
    }
  });
  expect(renders).toBe(1);
});

test('a redirect keeps its query and isn’t rendered', async () => {
  const newOrgId = await addOrg(db, { no_awardees: true });
  const redirects = [
    ['/', homePath(orgId)],
    ['/?a=b', `${homePath(orgId)}?a=b`],
    ['/kept/', homePath(orgId)],
    [`${homePath(newOrgId)}/awardees`, `${homePath(newOrgId)}/future-awardees`],
  ] as const;
  const renders = await countRenders(async () => {
    for (const [from, to] of redirects) {
      const response = await site.get(from);
      expect([response.statusCode, response.headers.location], from).toEqual([302, to]);
    }
  });
  expect(renders).toBe(0);
});

// @asvs 3.4.5 14.2.2 14.3.2
test('a personal page is never cached by browsers or proxies and never leaks its address', async () => {
  const checkoutId = await addCheckout(db, orgId);
  const checkout = pagePath('checkout-page', { orgid: orgId, checkoutid: checkoutId });
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
  expect((await site.get(homePath(orgId))).headers).toMatchObject({
    'referrer-policy': 'strict-origin-when-cross-origin',
  });
});

test('a checkout page is rendered for each request', async () => {
  const url = pagePath('checkout-page', { orgid: orgId, checkoutid: await addCheckout(db, orgId) });
  expect(await countRenders(() => Promise.all([site.get(url), site.get(url)]))).toBe(2);
});

test('a login page is rendered once regardless of irrelevant query parameters, and again after its organization changes', async () => {
  const id = await addAnnouncedOrg();
  const loginPath = `/login?return_to=${encodeURIComponent(homePath(id))}`;
  const renders = await countRenders(async () => {
    const first = await site.readDocument(loginPath);
    expect(first).toContain(`href="${homePath(id)}/faqs"`);
    for (let number = 0; number < 20; number += 1)
      expect(await site.readDocument(`${loginPath}&x=${number}`)).toBe(first);
  });
  expect(renders).toBe(1);
  const failedPage = await site.readDocument(`${loginPath}&error=google`);
  expect(failedPage).not.toBe(await site.readDocument(loginPath));
  const rename = db.kysely.updateTable('orgs').set({ name: 'Renamed fund' }).where('id', '=', id);
  await site.changeAndWait(() => rename.execute());
  expect(await site.readDocument(loginPath)).toContain('Renamed fund');
});

// @asvs 15.2.2
test('under load, only a few personal pages are rendered on the server', async () => {
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, number) => site.get(`/login?return_to=%2Forgs%2Fx${number}`)),
  );
  const isShell = responses.map(({ body }) => body === DOCUMENT);
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(responses.map(() => 200));
  const renderedCount = isShell.filter((shell) => !shell).length;
  // One page renders while four wait, or, during a pause, only four wait.
  expect([4, 5]).toContain(renderedCount);
  expect((await site.get('/login?return_to=%2Forgs%2Fx19')).body).toContain('<h1');
});

test.each(['/reset-password?code=secret', '/user-home', '/users', `${homePath(orgId)}/editor/org`])(
  '%s has only its organization’s header and footer, without personal data',
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
    expect(body).toContain(`href="${homePath(orgId)}/faqs"`);
    expect(body).toContain('needs JavaScript to show this page');
    expect(body).not.toContain('<h1');
    expect(body).not.toContain('secret');
    expect(JSON.parse(readElementContents(body, 'script').at(-1) ?? '')).toMatchObject({ isWaiting: true });
  },
);

test('the offline document is empty and not indexed', async () => {
  const response = await site.get('/offline');
  expect([response.statusCode, response.body, response.headers['x-robots-tag']]).toEqual([200, DOCUMENT, 'noindex']);
});

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };

test.each(['br', 'gzip', 'identity'] as const)('a page uses the requested encoding: %s', async (encoding) => {
  const fullDocument = await site.readDocument(homePath(orgId));
  const response = await site.get(homePath(orgId), { 'accept-encoding': encoding });
  expect(DECODERS[encoding](response.rawPayload).toString()).toBe(fullDocument);
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
  const id = await addAnnouncedOrg();
  const { etag = '' } = (await site.get(homePath(id), { 'accept-encoding': 'br' })).headers;
  const revalidate = (tag: string, encoding = 'br') =>
    site.get(homePath(id), { 'if-none-match': tag, 'accept-encoding': encoding });
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
  await site.changeAndWait(() =>
    db.kysely.updateTable('orgs').set({ name: 'New name' }).where('id', '=', id).execute(),
  );
  expect((await revalidate(etag)).statusCode).toBe(200);
});

test('a not-found page never returns 304', async () => {
  expect((await site.get('/a/b/c', { 'if-none-match': '*' })).statusCode).toBe(404);
});

test.each([homePath(orgId), `${homePath(orgId)}/faqs`, '/a/b/c'])(
  'HEAD for %s matches GET without the body',
  async (url) => {
    const headers = { 'accept-encoding': 'br' };
    const fullResponse = await site.get(url, headers);
    const head = await site.app.inject({ method: 'HEAD', url, headers });
    expect([head.statusCode, head.body]).toEqual([fullResponse.statusCode, '']);
    const ignoredHeaders = ['date', 'x-request-id'];
    for (const name of Object.keys(fullResponse.headers).filter((header) => !ignoredHeaders.includes(header))) {
      expect(head.headers[name], name).toBe(fullResponse.headers[name]);
    }
  },
);

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

// @asvs 3.4.3
test('a page’s content security policy allows its inline style by hash, and no inline script', async () => {
  const response = await site.get(homePath(orgId));
  const policy = String(response.headers['content-security-policy']).split(';');
  const styles = readElementContents(response.body, 'style');
  expect(policy.find((part) => part.startsWith('style-src'))).toBe(
    ["style-src 'self'", ...styles.map(sha256)].join(' '),
  );
  expect(policy).toContain("script-src 'self'");
  expect(styles).toHaveLength(1);
  expect(policy.join()).not.toContain('unsafe');
  // The next response is another page. Its policy allows none of this page's inline code.
  expect((await site.get('/healthz')).headers['content-security-policy']).not.toContain('sha256-');
});
