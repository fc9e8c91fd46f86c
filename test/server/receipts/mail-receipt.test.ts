import { expect, test } from 'vitest';
import { donationItem } from '#domain/cart.ts';
import { mailReceipt } from '#server/features/receipts/mail-receipt.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { type Giving, startGiving } from '#test/support/giving.ts';

const giving: Giving = await startGiving();
const { db, deps, orgId } = giving;

function postOffice(send?: (mail: Mail) => Promise<void>) {
  const sent: Mail[] = [];
  const mailer = { send: send ?? (async (mail: Mail) => void sent.push(mail)), close: async () => {} };
  return { sent, mail: (receiptNumber: number) => mailReceipt({ ...deps, mailer }, { orgId, receiptNumber }) };
}

test('a paid gift mails its receipt to the payer, with a link that keeps the checkout open', async () => {
  const { id } = await giving.openPaid();
  const { sent, mail } = postOffice();
  await mail(giving.mailed.at(-1) ?? 0);
  expect(sent).toMatchObject([{ to: 'payer@example.org', subject: expect.stringContaining('Ithaca Climate Fund') }]);
  const [, key] = /\/checkouts\/[\w-]+\?receipt=([\w-]+)/.exec(sent[0]?.text ?? '') ?? [];
  expect(sent[0]?.text).toContain(`https://fund.example/orgs/${orgId}/checkouts/${id}?receipt=`);
  giving.clock.pass(25 * 60 * 60 * 1000);
  expect(await giving.read(id)).toMatchObject({ over: true });
  expect(await giving.read(id, key)).toMatchObject({ over: false });
});

test('the receipt of a monthly gift names the day that the provider will charge it again', async () => {
  const { paymentUrl } = await giving.open([donationItem(25), donationItem(10, 'month')]);
  await giving.provider.pay(paymentUrl);
  await giving.provider.deliver();
  const { sent, mail } = postOffice();
  await mail(giving.mailed.at(-1) ?? 0);
  expect(sent[0]?.text).toContain('Amount: $35.00');
  expect(sent[0]?.text).toContain('$10.00 will be charged every month from now on, until you stop it.');
  // The clock of these tests stands on the 14th or the 15th of March.
  expect(sent[0]?.text).toMatch(/^The next charge is due about April 1[45], 2026\.$/m);
});

test('a mail that is not taken fails the job, so that it is tried again', async () => {
  await giving.openPaid();
  const { mail } = postOffice(async () => {
    throw new Error('try later');
  });
  await expect(mail(giving.mailed.at(-1) ?? 0)).rejects.toThrow('try later');
});

test('a receipt without an address, or that is not there, mails nothing and fails nothing', async () => {
  await giving.openPaid();
  const number = giving.mailed.at(-1) ?? 0;
  await db.kysely
    .updateTable('receipts')
    .set({ email: 'payer@example.org\r\nBcc: all@example.org' })
    .where('number', '=', number)
    .where('org_id', '=', orgId)
    .execute();
  const { sent, mail } = postOffice();
  await mail(number);
  await mail(9999);
  expect(sent).toEqual([]);
});
