// @spec 2.qr-screen
import { expect, test } from 'vitest';
import { qrcodePath } from '#contract/qrcode.ts';
import { drawQrcode } from '#server/features/site/qrcode.routes.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { decodeQrcode } from '#test/support/qr-decoder.ts';
import { readSvgModules } from '#test/support/qr-picture.ts';

const db = await createTestDatabase();
const app = await buildTestApp(await createTestDeps(db, { publicUrl: () => 'https://fund.example' }));
const orgId = await addOrg(db, {});

const addresses = [
  'https://a.example/orgs/a',
  'http://localhost:8080/orgs/sample',
  'https://climate.city.example/orgs/0198c0de-7a11-7c0d-9f00-5eedcafe0001',
];

test.each(addresses)('the code decodes to %s', async (address) => {
  expect(decodeQrcode(readSvgModules(await drawQrcode(address)))).toBe(address);
});

test('a code with one wrong module isn’t read as the original', async () => {
  const [address = ''] = addresses;
  const modules = readSvgModules(await drawQrcode(address));
  const wrongModules = modules.map((row, y) =>
    row.map((isDark, x) => (y === 12 && x === row.length - 1 ? !isDark : isDark)),
  );
  expect(decodeQrcode(wrongModules)).not.toBe(address);
});

test('an organization’s code is an SVG of its public home address with a white margin', async () => {
  const response = await app.inject(qrcodePath(orgId));
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
  expect(response.body).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  const modules = readSvgModules(response.body);
  expect(decodeQrcode(modules)).toBe(`https://fund.example/orgs/${orgId}`);
  const { body } = await app.inject(qrcodePath(orgId, 'es'));
  expect(decodeQrcode(readSvgModules(body))).toBe(`https://fund.example/es/orgs/${orgId}`);
  const [, side] = /viewBox="0 0 (\d+) \1"/.exec(response.body) ?? [];
  expect(Number(side)).toBe(modules.length + 8);
});

test('an unchanged code isn’t sent again', async () => {
  const { headers } = await app.inject(qrcodePath(orgId));
  const secondResponse = await app.inject({
    url: qrcodePath(orgId),
    headers: { 'if-none-match': String(headers.etag) },
  });
  expect([secondResponse.statusCode, secondResponse.body]).toEqual([304, '']);
});

test.each(['nowhere', 'a b'])('an unknown organization has no code: %s', async (id) => {
  expect((await app.inject(qrcodePath(id))).statusCode).toBe(404);
  for (const ending of ['.png', '.fr.svg', '.en.svg', '.es.es.svg']) {
    expect((await app.inject(qrcodePath(orgId).replace('.svg', ending))).statusCode).toBe(404);
  }
});
