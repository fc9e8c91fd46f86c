import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  ADD_TO_CART_SUFFIX,
  BADGE_SIZE,
  badgePath,
  EMBED_BASE,
  EMBED_SCRIPT,
  embedPath,
  parseQuickEstimate,
  parseSuggestedAmount,
} from '#contract/embed.ts';
import { renderBadge } from '#server/features/embed/embed-badge.ts';
import { computeEstimate, parseEmbedForm } from '#server/features/embed/embed-estimate.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { calculateGroupTotal, parseGroup } from '#web/routes/home/group/group-estimate.ts';

const db = await createTestDatabase();
const app = await buildTestApp(await createTestDeps(db));
const orgId = await addOrg(db, { name: 'Ada & Tom’s <Fund>' });
const page = embedPath(orgId, 'en');
const MAX_BYTES = 60 * 1024;

test('any site may frame the calculator but no other page', async () => {
  const { statusCode, headers, body } = await app.inject(page);
  expect(statusCode).toBe(200);
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors *",
  );
  expect(headers['x-frame-options']).toBeUndefined();
  expect(headers['set-cookie']).toBeUndefined();
  expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
  expect(body).toContain('Ada &amp; Tom’s &lt;Fund&gt;');
  expect(body).not.toMatch(/<script(?! src="\/media\/embed\/)|style="|localStorage|cookie| on\w+=/);
  for (const otherPath of [
    `/orgs/${orgId}`,
    `/orgs/${orgId}/embed/x`,
    '/api/orgs',
    '/healthz',
    badgePath('none', 'en'),
  ]) {
    const response = await app.inject(otherPath);
    expect(String(response.headers['content-security-policy']), otherPath).toContain("frame-ancestors 'none'");
  }
});

test.each(['constructor', '__proto__', 'none.js', '%2e%2e%2fpackage.json'])(
  'the unknown embed file %s is not found',
  async (file) => {
    expect((await app.inject(`/media/embed/${file}`)).statusCode).toBe(404);
  },
);

test('the embed is small and loads nothing from other sites', async () => {
  const urls = [page, `${EMBED_BASE}/embed.css`, `${EMBED_BASE}/size.js`, EMBED_SCRIPT, badgePath(orgId, 'en')];
  let bytes = 0;
  for (const url of urls) {
    const { body, statusCode } = await app.inject(url);
    expect(statusCode).toBe(200);
    expect(body.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|\/\/\w+\.|@import|url\(/);
    bytes += gzipSync(body).length;
  }
  expect(bytes).toBeLessThan(MAX_BYTES / 10);
});

test('the embedding script accepts only heights, and only from frames of this site', async () => {
  const { body } = await app.inject(EMBED_SCRIPT);
  const fakeFrame = (src: string) => ({ src, height: '480', dataset: {}, contentWindow: { postMessage: () => {} } });
  const firstFrame = fakeFrame('https://fund.example/orgs/a/embed');
  const secondFrame = fakeFrame('https://fund.example/orgs/b/embed');
  const otherFrame = fakeFrame('https://fund.example.evil.example/orgs/a/embed');
  const listeners: ((event: object) => void)[] = [];
  runInNewContext(body, {
    URL,
    document: {
      currentScript: { src: `https://fund.example${EMBED_SCRIPT}` },
      querySelectorAll: () => [firstFrame, secondFrame, otherFrame],
    },
    addEventListener: (_type: string, listener: (event: object) => void) => listeners.push(listener),
  });
  const postHeight = (frame: typeof firstFrame, height: unknown, origin = 'https://fund.example') => {
    for (const listener of listeners)
      listener({ origin, source: frame.contentWindow, data: { cityClimateFundHeight: height } });
    return [firstFrame.height, secondFrame.height, otherFrame.height];
  };
  expect(postHeight(firstFrame, 612)).toEqual(['612', '480', '480']);
  // A redirected frame, and a frame from a site with a similar name.
  expect(postHeight(firstFrame, 700, 'https://evil.example')).toEqual(['612', '480', '480']);
  expect(postHeight(otherFrame, 700)).toEqual(['612', '480', '480']);
  for (const height of [99, 4001, 500.5, '500', null, undefined])
    expect(postHeight(secondFrame, height)).toEqual(['612', '480', '480']);
});

test('a frame’s attributes set the initial form and the suggested donation', async () => {
  const { body } = await app.inject(EMBED_SCRIPT);
  const fakeFrame = (src: string, dataset: object) => ({ src, dataset, contentWindow: { postMessage: () => {} } });
  const frames = [
    fakeFrame('https://fund.example/orgs/a/embed', { form: 'quick', amount: '50' }),
    fakeFrame('https://fund.example/orgs/a/embed?what=air', { amount: '"><b>' }),
    fakeFrame('https://fund.example/orgs/a/embed', {}),
  ];
  runInNewContext(body, {
    URL,
    document: { currentScript: { src: `https://fund.example${EMBED_SCRIPT}` }, querySelectorAll: () => frames },
    addEventListener: () => {},
  });
  expect(frames.map(({ src }) => src)).toEqual([
    'https://fund.example/orgs/a/embed?what=quick&amount=50',
    'https://fund.example/orgs/a/embed?what=air&amount=%22%3E%3Cb%3E',
    'https://fund.example/orgs/a/embed',
  ]);
});

test('a suggested amount is kept when the form changes and is passed to the donate page; other text is ignored', async () => {
  const { body } = await app.inject(`${page}?what=quick&amount=50`);
  expect(body).toContain(`href="/orgs/${orgId}/donate?amount=50" target="_blank" rel="noopener">Donate $50</a>`);
  expect(body).toContain('<input type="hidden" name="amount" value="50">');
  expect(body).toContain(`href="${page}?what=air&amp;amount=50"`);
  for (const text of ['0', '-5', '5.5', '1e3', '"><script>', '9999999', '']) {
    expect(parseSuggestedAmount(text), text).toBeUndefined();
    const response = await app.inject(`${page}?amount=${encodeURIComponent(text)}`);
    expect(response.body, text).toContain(
      `href="/orgs/${orgId}/donate" target="_blank" rel="noopener">Donate instead</a>`,
    );
  }
});

test('a quick estimate accepts only the listed options and adds the same estimate to the cart', async () => {
  const firstBody = (await app.inject(`${page}?what=quick`)).body;
  expect(firstBody).toContain('<option value="year" selected>');
  expect(firstBody).not.toContain('class="result"');
  const form = parseEmbedForm({ what: 'quick', type: 'home', time: 'quarter' });
  const estimate = computeEstimate(form, { locale: 'en' });
  expect(estimate).toMatchObject({ carbon: 3720, cost: 46.5 });
  expect(parseQuickEstimate(estimate?.groupText ?? '')).toEqual({ type: 'home', time: 'quarter' });
  expect(parseGroup(estimate?.groupText ?? '')).toBeUndefined();
  for (const query of ['type=boat&time=year', 'type=car&time=day', 'type=__proto__&time=year'])
    expect((await app.inject(`${page}?what=quick&${query}`)).body).toContain('Enter amounts above zero');
});

test.each([
  ['car', 'miles=500&mpg=25&roundtrip=on', '1,571 lbs of carbon', '$19.64'],
  ['car', 'miles=500&mpg=', '786 lbs of carbon', '$9.82'],
  ['air', 'miles=1000&travelers=2&roundtrip=on', '2,240 lbs of carbon', '$28.00'],
  ['home', 'propane=10&electricity=&gas=&oil=', '122 lbs of carbon', '$1.52'],
  ['quick', 'type=car&time=year', '8,664 lbs of carbon', '$108.30'],
])('%s: %s is estimated at %s, for %s', async (formName, query, carbon, amount) => {
  const { body } = await app.inject(`${page}?what=${formName}&${query}`);
  expect(body).toContain(`<strong>${carbon}</strong>`);
  expect(body).toContain(`Offset it for ${amount}`);
  expect(body).toMatch(
    new RegExp(
      `href="/orgs/${orgId}/group#group=[\\w-]+${ADD_TO_CART_SUFFIX.replace('&', '&amp;')}" target="_blank" rel="noopener"`,
    ),
  );
});

test.each([
  [{ what: 'car', miles: '500', mpg: '', roundtrip: 'on' }],
  [{ what: 'car', miles: '120.5', mpg: '31.7' }],
  [{ what: 'air', miles: '1234', travelers: '3', roundtrip: 'on' }],
  [{ what: 'home', propane: '1.5', electricity: '310', gas: '', oil: '7' }],
])('the group page gives the same estimate as the frame: %j', (fields) => {
  const form = parseEmbedForm(fields);
  const estimate = computeEstimate(form, { locale: 'en' });
  const group = parseGroup(estimate?.groupText ?? '');
  expect(group).toBeDefined();
  const { items } = calculateGroupTotal(group?.rows ?? []);
  expect(items).toEqual([
    expect.objectContaining({ offsetType: form.calculator, carbon: estimate?.carbon, cost: estimate?.cost }),
  ]);
});

test.each([
  'miles=0&mpg=25',
  'miles=-5',
  'miles=1e99',
  'miles=x',
  'miles=500&mpg=0',
  'miles=5&miles=6',
  `miles=${'9'.repeat(400)}`,
  'what=air&miles=10&travelers=1.5',
  'what=home&propane=0',
  'what=__proto__&miles=',
])('an invalid estimate shows an error: %s', async (query) => {
  const { statusCode, body } = await app.inject(`${page}?${query}`);
  expect([statusCode, body.includes('Enter amounts above zero') || !body.includes('class="result"')]).toEqual([
    200,
    true,
  ]);
});

test('submitted values are shown again as text, not markup', async () => {
  const { body } = await app.inject(`${page}?what=car&miles=${encodeURIComponent('"><script>1')}&mpg=30`);
  expect(body).toContain('value="&quot;&gt;&lt;script&gt;1"');
  expect(body).toContain('name="roundtrip">');
  expect((await app.inject(page)).body).toContain('name="roundtrip" checked>');
});

test('the calculator and the badge are available in Spanish', async () => {
  const { body } = await app.inject(`${embedPath(orgId, 'es')}?what=car&miles=500&mpg=25`);
  expect(body).toContain('<html lang="es">');
  expect(body).toContain('Compensar por $9.82');
  expect(body).toContain(`href="/es/orgs/${orgId}/group#group=`);
  expect((await app.inject(badgePath(orgId, 'es'))).body).toContain('compensadas');
});

test('the badge is an image of the totals with alt text, and both change with the totals', async () => {
  const url = badgePath(orgId, 'en');
  const firstResponse = await app.inject(url);
  expect(firstResponse.headers).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=300',
  });
  expect(firstResponse.body).toContain(`width="${BADGE_SIZE.width}" height="${BADGE_SIZE.height}"`);
  expect(firstResponse.body).toMatch(
    /<title id="t">Ada &amp; Tom’s &lt;Fund&gt;: 0 lbs CO₂ offset, \$0 in offsets · 0 grants<\/title>/,
  );
  const secondResponse = await app.inject({ url, headers: { 'if-none-match': String(firstResponse.headers.etag) } });
  expect([secondResponse.statusCode, secondResponse.body]).toEqual([304, '']);
  await db.kysely.updateTable('orgs').set({ name: 'Another name' }).where('id', '=', orgId).execute();
  const nextResponse = await app.inject({ url, headers: { 'if-none-match': String(firstResponse.headers.etag) } });
  expect([nextResponse.statusCode, nextResponse.body.includes('Another name')]).toEqual([200, true]);
});

test.each(['en', 'es'] as const)('long totals fit in the badge: %s', (language) => {
  const svg = renderBadge('N'.repeat(60), { co2: 1_234_567_890, gas: 0, funds: 123_456_789, grants: 12_345 }, language);
  const texts = [...svg.matchAll(/<text x="74"[^>]*font-size="([\d.]+)"[^>]*>([^<]+)</g)];
  expect(texts).toHaveLength(3);
  for (const [, size = '', text = ''] of texts)
    expect(74 + text.length * Number(size) * 0.66).toBeLessThanOrEqual(320 - 12);
});

// @asvs 15.3.6
test.each([
  embedPath('none', 'en'),
  embedPath('a%2Fb', 'en'),
  badgePath('none', 'en'),
  `${EMBED_BASE}/x.js`,
  ...['constructor', '__proto__', 'toString'].map((name) => `${EMBED_BASE}/${name}`),
])('%s is not found', async (url) => expect((await app.inject(url)).statusCode).toBe(404));
