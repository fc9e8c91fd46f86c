import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { buildApp } from '#server/app.ts';
import { createDevelopmentMailbox } from '#server/gateways/email/development-mailbox.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { createTestDatabase } from '#test/support/database.ts';

const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'city-climate-fund-mailbox-'));
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

const db = await createTestDatabase();
const mailbox = createDevelopmentMailbox({ folder, from: { name: 'Fund', address: 'contact@fund.example' } });
await mailbox.send({
  to: 'paula@example.org',
  subject: '<img src=x onerror=alert(1)>',
  text: 'See https://fund.example/orgs/ithaca/checkouts/abc?receipt=key\n<b>not bold</b>',
  html: '<!doctype html><html><head></head><body><script>alert(1)</script></body></html>',
  messageKey: 'receipt-1',
});
const app = await buildTestApp(await createTestDeps(db, { mailbox }));
const [email] = await mailbox.list();

function get(url: string) {
  return app.inject({ method: 'GET', url });
}

test('the mailbox has an HTML page and a JSON list', async () => {
  const page = await get('/dev/mailbox');
  expect(page.headers['content-type']).toContain('text/html');
  expect(page.body).toContain(`/dev/mailbox/${email?.id}`);
  expect(page.body).not.toContain('<img');
  const list = await get('/dev/mailbox.json');
  expect(list.json()).toMatchObject([{ to: 'paula@example.org', messageKey: 'receipt-1', text: email?.text }]);
});

test('an email is shown with its text and links, and its HTML in a sandboxed frame', async () => {
  const page = await get(`/dev/mailbox/${email?.id}`);
  expect(page.body).toContain('href="https://fund.example/orgs/ithaca/checkouts/abc?receipt=key"');
  expect(page.body).toContain('&lt;b&gt;not bold');
  expect(page.body).toMatch(/<iframe[^>]+sandbox="allow-popups[^"]*"/);
  expect(page.body).not.toContain('allow-scripts');
  const frameResponse = await get(`/dev/mailbox/${email?.id}/html`);
  const policy = String(frameResponse.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain('sandbox');
  expect(policy).not.toContain('script');
  expect(policy).toContain("frame-ancestors 'self'");
});

test('the mailbox shows the pictures of an email, and lists only its files', async () => {
  const picture = { name: 'street.png', type: 'image/png', base64: 'iVBORw0KGgo=', contentId: 'street.png' };
  const file = { name: 'receipt-12.pdf', type: 'application/pdf', base64: 'JVBERg==' };
  const html = '<html><head></head><body><img src="cid:street.png" alt=""></body></html>';
  const to = 'pictures@example.org';
  await mailbox.send({ to, subject: 'Hi', text: '', html, messageKey: 'pictures', attachments: [file, picture] });
  const [listedEmail] = (await get(`/dev/mailbox.json?to=${to}`)).json();
  expect(listedEmail.attachments).toEqual([{ name: 'receipt-12.pdf', type: 'application/pdf' }]);
  expect((await get(`/dev/mailbox/${listedEmail.id}`)).body).not.toContain('street.png');
  const frame = await get(`/dev/mailbox/${listedEmail.id}/html`);
  expect(frame.body).toContain('<img src="data:image/png;base64,iVBORw0KGgo="');
});

test('an email’s frame opts out of an origin-keyed agent cluster, and its page opts in', async () => {
  const frameResponse = await get(`/dev/mailbox/${email?.id}/html`);
  expect(frameResponse.headers['origin-agent-cluster']).toBe('?0');
  expect((await get(`/dev/mailbox/${email?.id}`)).headers['origin-agent-cluster']).toBe('?1');
});

test('the pages have no inline style or script, and their style is a file', async () => {
  for (const url of ['/dev/mailbox', `/dev/mailbox/${email?.id}`]) {
    const { body } = await get(url);
    expect(body).not.toMatch(/<style|<script| style=/);
  }
  expect((await get('/dev/mailbox/style.css')).headers['content-type']).toContain('text/css');
});

test('an unknown email is not found', async () => {
  expect((await get('/dev/mailbox/unknown')).statusCode).toBe(404);
  expect((await get('/dev/mailbox/unknown/html')).statusCode).toBe(404);
});

test('in production or without a mailbox, the page doesn’t exist', async () => {
  const productionApp = await buildTestApp(await createTestDeps(db, { mailbox, settings: { production: true } }));
  const appWithoutMailbox = await buildTestApp(await createTestDeps(db));
  for (const otherApp of [productionApp, appWithoutMailbox]) {
    expect((await otherApp.inject({ method: 'GET', url: '/dev/mailbox' })).statusCode).toBe(404);
    expect((await otherApp.inject({ method: 'GET', url: '/dev/mailbox.json' })).statusCode).toBe(404);
  }
});

test.each(['fund.example', 'localhost.fund.example', '203.0.113.7:8080'])(
  'a request for host %s, behind a proxy or under another name, can’t read the emails',
  async (host) => {
    for (const url of [
      '/dev/mailbox',
      '/dev/mailbox.json',
      `/dev/mailbox/${email?.id}`,
      `/dev/mailbox/${email?.id}/html`,
    ]) {
      const response = await app.inject({ method: 'GET', url, headers: { host } });
      expect([response.statusCode, response.body.includes('paula@example.org')], url).toEqual([404, false]);
    }
    expect(
      (await app.inject({ method: 'GET', url: '/dev/mailbox', headers: { host: '127.0.0.1:8080' } })).statusCode,
    ).toBe(200);
  },
);

test.each([
  { 'x-forwarded-for': '203.0.113.7' },
  { 'x-real-ip': '203.0.113.7' },
  { via: '1.1 proxy' },
  { forwarded: 'for=203.0.113.7' },
  // If the proxy is trusted, x-forwarded-host becomes the requested host.
  { host: 'fund.example', 'x-forwarded-host': 'localhost' },
])('a proxy using this machine’s own name can’t read the emails either: %j', async (headers) => {
  const appWithProxy = await buildApp(await createTestDeps(db, { mailbox }), { trustedProxies: ['127.0.0.1'] });
  onTestFinished(() => appWithProxy.close());
  for (const targetApp of [app, appWithProxy]) {
    const response = await targetApp.inject({
      url: '/dev/mailbox.json',
      headers: { host: 'localhost:8080', ...headers },
    });
    expect(response.statusCode).toBe(404);
  }
});
