import { expect, test } from 'vitest';
import { donationItem } from '#domain/cart.ts';
import { mailReceipt } from '#server/features/receipts/mail-receipt.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { type Giving, startGiving } from '#test/support/giving.ts';

const giving: Giving = await startGiving();
const { db, deps, orgId } = giving;

function testMailer(send?: (mail: Mail) => Promise<void>) {
  const sent: Mail[] = [];
  const mailer = { send: send ?? (async (mail: Mail) => void sent.push(mail)), close: async () => {} };
  return { sent, mail: (receiptNumber: number) => mailReceipt({ ...deps, mailer }, { orgId, receiptNumber }) };
}

test('a paid gift mails its receipt to the payer, with a link that keeps the checkout open', async () => {
  const { id } = await giving.openPaid();
  const { sent, mail } = testMailer();
  await mail(giving.mailed.at(-1) ?? 0);
  expect(sent).toMatchObject([{ to: 'payer@example.org', subject: expect.stringContaining('Ithaca Climate Fund') }]);
  const [, key] = /\/checkouts\/[\w-]+\?receipt=([\w-]+)/.exec(sent[0]?.text ?? '') ?? [];
  expect(sent[0]?.text).toContain(`https://fund.example/orgs/${orgId}/checkouts/${id}?receipt=`);
  giving.clock.pass(25 * 60 * 60 * 1000);
  expect(await giving.read(id)).toMatchObject({ over: true });
  expect(await giving.read(id, key)).toMatchObject({ over: false });
});

test('the receipt of a monthly gift gives the date of the next charge', async () => {
  const { paymentUrl } = await giving.open([donationItem(25), donationItem(10, 'month')]);
  await giving.provider.pay(paymentUrl);
  await giving.provider.deliver();
  const { sent, mail } = testMailer();
  await mail(giving.mailed.at(-1) ?? 0);
  expect(sent[0]?.text).toContain('Amount: $35.00');
  expect(sent[0]?.text).toContain('You will be charged $10.00 every month until you stop it.');
  // The test clock is at March 14 or 15.
  expect(sent[0]?.text).toMatch(/^The next charge will be around April 1[45], 2026\.$/m);
});

test('a refused mail fails the job, so that it is retried', async () => {
  await giving.openPaid();
  const { mail } = testMailer(async () => {
    throw new Error('try later');
  });
  await expect(mail(giving.mailed.at(-1) ?? 0)).rejects.toThrow('try later');
});

test('a receipt that has no valid email, or does not exist, is not mailed, and the job succeeds', async () => {
  await giving.openPaid();
  const number = giving.mailed.at(-1) ?? 0;
  await db.kysely
    .updateTable('receipts')
    .set({ email: 'payer@example.org\r\nBcc: all@example.org' })
    .where('number', '=', number)
    .where('org_id', '=', orgId)
    .execute();
  const { sent, mail } = testMailer();
  await mail(number);
  await mail(9999);
  expect(sent).toEqual([]);
});
