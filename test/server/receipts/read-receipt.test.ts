// @spec decisions.3
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { signIn } from '#test/support/sign-in.ts';

const setup: DonationSetup = await startDonationSetup();
const { db, deps, app, orgId } = setup;
const edith = await signIn(deps, { editorOf: [orgId] });

async function addGiftWithKey() {
  const { ledgerEntryId } = await addGift(db, orgId);
  return db.kysely
    .selectFrom('receipts')
    .select(['key', 'ledger_entry_id as entryid', 'printed_number as number'])
    .where('ledger_entry_id', '=', ledgerEntryId)
    .executeTakeFirstOrThrow();
}

// @asvs 3.2.1 5.4.1
test('an editor and the donor download the same file', async () => {
  const { key, entryid: entryId, number } = await addGiftWithKey();
  const editorResponse = await call(app, 'downloadReceipt', { params: { orgid: orgId, entryid: entryId }, as: edith });
  const donorResponse = await call(app, 'openReceipt', { params: { orgid: orgId }, query: { key } });
  for (const response of [editorResponse, donorResponse]) {
    expect(response.headers['content-type']).toBe('application/pdf');
    expect(response.headers['content-disposition']).toBe(`attachment; filename="receipt-${number}.pdf"`);
    expect(response.headers['cache-control']).toBe('no-store');
  }
  expect(editorResponse.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  expect(editorResponse.rawPayload.equals(donorResponse.rawPayload)).toBe(true);
});

test('a key doesn’t open another organization’s receipt, and a wrong key opens nothing', async () => {
  const { key, entryid: entryId } = await addGiftWithKey();
  const otherOrgId = await addOrg(db);
  const openReceipt = async (targetOrgId: string, receiptKey: string) =>
    readOutcome(await call(app, 'openReceipt', { params: { orgid: targetOrgId }, query: { key: receiptKey } }));
  expect(await openReceipt(otherOrgId, key)).toEqual([404, 'receipt-not-found']);
  expect(await openReceipt(orgId, entryId)).toEqual([404, 'receipt-not-found']);
  expect(await openReceipt(orgId, 'nothing')).toEqual([404, 'receipt-not-found']);
});

test('a not-found page is in English if the reader prefers no supported language', async () => {
  const headers = { 'sec-fetch-mode': 'navigate', 'accept-language': 'fr-FR,es;q=0.5' };
  const { statusCode, body } = await app.inject({ url: '/media/gone', headers });
  expect(statusCode).toBe(404);
  expect(body).toContain('<html lang="en">');
  expect(body).toContain('<h1>Page not found</h1>');
});

test.each([
  ['es-MX,es;q=0.9,en;q=0.8', 'key=nothing', 404],
  ['es', 'key=', 400],
  ['ES', '', 400],
])(
  'a wrong receipt link returns an error page in the reader’s language: %s, %s',
  async (acceptLanguage, query, status) => {
    const headers = { 'sec-fetch-mode': 'navigate', 'accept-language': acceptLanguage };
    const url = callPath('openReceipt', { orgid: orgId });
    const response = await app.inject({ url: `${url}?${query}`, headers });
    expect([response.statusCode, response.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect(response.headers['content-language']).toBe('es');
    expect(response.body).toContain('<html lang="es">');
    expect(response.body).toContain('href="/es"');
    expect(response.body).toContain('Este enlace no corresponde a ningún recibo.');
    expect(response.body).toContain('Abra el enlace del correo');
    const style = /<style>(.*)<\/style>/s.exec(response.body)?.[1] ?? '';
    expect(response.headers['content-security-policy']).toContain(
      `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    );
  },
);
