import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { proofPath } from '#contract/proofs.ts';
import { VERIFIER_PATH } from '#contract/verifier.ts';
import { DAY_MS } from '#domain/days.ts';
import { makeHeads } from '#server/features/proofs/make-heads.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { testDatabase } from '#test/support/database.ts';

const VERIFIER = fileURLToPath(new URL('../../../scripts/verify-gift.mjs', import.meta.url));
const { verifyFile } = (await import(VERIFIER)) as {
  verifyFile(this: void, data: Uint8Array): Promise<{ readonly refused?: string }>;
};

const db = await testDatabase();
const app = await buildTestApp(await testDeps(db));
const NAME = 'Ada & Tom’s </script><b>Fund';
const orgId = await addOrg(db, { name: NAME });
const otherId = await addOrg(db);

async function keyOfGift(): Promise<string> {
  const { ledgerEntryId } = await addGift(db, orgId);
  const gift = db.kysely.selectFrom('receipts').select('key').where('ledger_entry_id', '=', ledgerEntryId);
  return (await gift.executeTakeFirstOrThrow()).key;
}

const proven = await keyOfGift();
await makeHeads(db, new Date(Date.now() + DAY_MS));
const late = await keyOfGift();

const open = (key: string, { org = orgId, language = 'en' }: { org?: string; language?: 'en' | 'es' } = {}) =>
  app.inject(`${proofPath(org, language)}?key=${encodeURIComponent(key)}`);
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const partOf = (body: string, pattern: RegExp) => pattern.exec(body)?.[1] ?? '';

test('the site sends the program that is tested, to anybody', async () => {
  const answer = await app.inject(VERIFIER_PATH);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(answer.rawPayload.equals(await readFile(VERIFIER))).toBe(true);
});

test('a proof is one document with that program in it, which may run nothing else and load nothing', async () => {
  const { statusCode, headers, body } = await open(proven);
  expect(statusCode).toBe(200);
  const script = partOf(body, /<script type="module">(.*?)<\/script>/s);
  const style = partOf(body, /<style>(.*?)<\/style>/s);
  expect(script.startsWith(await readFile(VERIFIER, 'utf8'))).toBe(true);
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`;
  expect(headers['content-security-policy']).toBe(`${policy}; frame-ancestors 'none'`);
  // Saved to a disk, the document keeps its policy.
  expect(body).toContain(`<meta http-equiv="content-security-policy" content="${policy}">`);
  expect(body.replaceAll(script, '').replaceAll(style, '')).not.toMatch(/\bsrc=|\bhref=|style=|\bon\w+=/);
  expect(style).not.toMatch(/url\(|@import/);
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  });
  expect(headers['set-cookie']).toBeUndefined();
  const file = partOf(body, /<script type="application\/json" id="proof">(.*?)<\/script>/s);
  expect((await verifyFile(new TextEncoder().encode(file))).refused).toBeUndefined();
  const { body: call } = await app.inject(`/api/orgs/${orgId}/receipts/proof?key=${proven}`);
  expect(JSON.parse(file)).toEqual(JSON.parse(call));
});

test('what the document says before it has checked claims nothing, and its words are escaped', async () => {
  const { body } = await open(proven);
  const [head = '', shown = ''] = body.split('<body>');
  expect(shown.replace(/<[^>]*>/g, '').trim()).toBe(
    'Nothing was checked. This file was changed, or this browser runs no scripts. Don’t trust what it says.',
  );
  expect(head.match(/<\/script>/g)).toHaveLength(2);
  expect(head).toContain('Ada &amp; Tom’s &lt;/script&gt;&lt;b&gt;Fund');
});

test('before the next head the document says when, and in which language it was asked', async () => {
  const english = await open(late);
  expect(english.statusCode).toBe(200);
  expect(english.body).toContain('The proof is ready from tomorrow.');
  expect(english.headers['content-security-policy']).toContain("script-src 'none'");
  expect((await open(late, { language: 'es' })).body).toContain('La prueba estará lista a partir de mañana.');
  expect((await open(proven, { language: 'es' })).body).toContain('Esta prueba es válida.');
});

test.each([
  ['another organization’s receipt', proven, otherId],
  ['no receipt', 'none', orgId],
  ['no id', "x' or true", orgId],
  ['nothing', '', orgId],
])('the key of %s opens none', async (_what, key, org) => {
  const answer = await open(key, { org });
  expect(answer.statusCode).toBe(404);
  expect(answer.body).toContain('This link belongs to no receipt.');
  expect(answer.body).not.toContain('climate-fund-proof-1');
});

test('the page of heads says of each day what its head says, and leads to all files', async () => {
  const { body } = await app.inject(`/api/orgs/${orgId}/heads/days`);
  const chain = JSON.parse((await app.inject(`/api/orgs/${orgId}/heads`)).body);
  const [head] = chain.heads;
  expect(JSON.parse(body)).toEqual({
    money: head.money,
    days: [
      {
        ...{ day: head.day, zone: head.zone, entries: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
        ...{ dollarsIn: 25, dollarsOut: 0, poundsIn: 0, poundsOut: 0 },
      },
    ],
    keys: [{ key: head.key, fingerprint: expect.stringMatching(/^(?:[0-9a-f]{4} ){7}[0-9a-f]{4}$/), from: head.day }],
    restores: [],
    files: [head.day],
  });
});
