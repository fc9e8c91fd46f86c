// @spec decisions.3
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { donationItem } from '#domain/cart.ts';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import { type Mail, MailRejected } from '#server/gateways/mail/mailer.ts';
import type { JobAttempt } from '#server/jobs/define-job.ts';
import { type Giving, startGiving } from '#test/support/giving.ts';

const giving: Giving = await startGiving();
const { db, deps, orgId } = giving;

type Mailing = { readonly again?: string; readonly at?: JobAttempt; readonly now?: () => Date };

function testMailer(send?: (mail: Mail) => Promise<void>) {
  const sent: Mail[] = [];
  const mailer = { send: send ?? (async (mail: Mail) => void sent.push(mail)), close: async () => {} };
  const mail = (receiptNumber: number, { again, at }: Mailing = {}) =>
    sendReceiptEmail.run({ ...deps, mailer }, { orgId, receiptNumber, ...(again === undefined ? {} : { again }) }, at);
  return { sent, mail };
}

const lastIssued = () => giving.queuedReceipts.at(-1) ?? 0;
const receiptAt = (number: number) =>
  db.kysely
    .selectFrom('receipts')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('number', '=', number)
    .executeTakeFirstOrThrow();
const mailsOf = (number: number) =>
  db.kysely
    .selectFrom('receipt_emails')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('number', '=', number)
    .orderBy('last_attempt_at')
    .execute();

test('a paid gift emails its receipt to the payer with a link that keeps the checkout open', async () => {
  const { id } = await giving.openPaid();
  const { sent, mail } = testMailer();
  await mail(lastIssued());
  expect(sent).toMatchObject([{ to: 'payer@example.org', subject: expect.stringContaining('Ithaca Climate Fund') }]);
  const [file] = sent[0]?.attachments ?? [];
  expect(file).toMatchObject({ name: expect.stringMatching(/^receipt-\d+\.pdf$/), type: 'application/pdf' });
  expect(
    Buffer.from(file?.base64 ?? '', 'base64')
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  const [, key] = /\/checkouts\/[\w-]+\?receipt=([\w-]+)/.exec(sent[0]?.text ?? '') ?? [];
  expect(sent[0]?.text).toContain(`https://fund.example/orgs/${orgId}/checkouts/${id}?receipt=`);
  giving.clock.pass(25 * 60 * 60 * 1000);
  expect(await giving.read(id)).toMatchObject({ over: true });
  expect(await giving.read(id, key)).toMatchObject({ over: false });
});

test('a monthly gift’s receipt has the next charge date', async () => {
  const { paymentUrl } = await giving.open([donationItem(25), donationItem(10, 'month')]);
  await giving.provider.pay(paymentUrl);
  await giving.provider.deliver();
  const { sent, mail } = testMailer();
  await mail(lastIssued());
  expect(sent[0]?.text).toContain('Amount: $35.00');
  expect(sent[0]?.text).toContain('You will be charged $10.00 every month until you stop it.');
  // The test clock runs from March 14 to 16.
  expect(sent[0]?.text).toMatch(/^The next charge will be around April 1[4-6], 2026\.$/m);
});

test('all receipts of a gift stay in the donor’s language', async () => {
  const { id, paymentUrl } = await giving.open([donationItem(10, 'month')], { language: 'es' });
  await giving.provider.pay(paymentUrl);
  await giving.provider.deliver();
  await giving.provider.press('clock', { months: '1' });
  await giving.provider.deliver();
  await db.kysely.updateTable('checkouts').set({ language: null }).where('id', '=', id).execute();
  // Other tests' gifts renew as well.
  const issuedReceipt = await db.kysely.selectFrom('receipts').select('number').where('checkout_id', '=', id).execute();
  expect(issuedReceipt).toHaveLength(2);
  for (const { number } of issuedReceipt) {
    const official = 'No goods or services were provided in exchange for this gift.';
    const translation = { language: 'es', statement: expect.stringContaining('bienes') };
    expect((await receiptAt(number)).document).toMatchObject({ statement: official, translation });
    const { sent, mail } = testMailer();
    await mail(number);
    expect(sent[0]?.subject).toMatch(/^Su donación a Ithaca Climate Fund: recibo n\.º \d+$/);
    expect(sent[0]?.text).toContain('Se le cobrarán $10.00 cada mes hasta que la detenga.');
    expect(sent[0]?.text).toContain(`https://fund.example/es/orgs/${orgId}/checkouts/${id}?receipt=`);
    expect(sent[0]?.text).toMatch(/https:\/\/fund\.example\/es\/orgs\/[\w-]+\/gifts\/\w+/);
    const [file] = sent[0]?.attachments ?? [];
    expect(file?.name).toMatch(/^recibo-\d+\.pdf$/);
    const pdf = Buffer.from(file?.base64 ?? '', 'base64').toString('latin1');
    expect(pdf).toContain('/Lang (es-US)');
  }
});

test('a payer’s name adds no link to the email', async () => {
  const lure = 'Your account was suspended. Confirm at https://evil.example';
  const { paymentUrl } = await giving.open();
  await giving.provider.pay(paymentUrl, undefined, lure);
  await giving.provider.deliver();
  const number = lastIssued();
  expect((await receiptAt(number)).document).toMatchObject({ donor: null });
  const { sent, mail } = testMailer();
  await mail(number);
  expect(sent[0]?.text).toContain('Hello,');
  expect(JSON.stringify(sent)).not.toMatch(/suspended|evil/);
});

test('a receipt with a final email status isn’t sent again', async () => {
  await giving.openPaid();
  const number = lastIssued();
  const { sent, mail } = testMailer();
  await mail(number);
  await mail(number);
  await Promise.all([mail(number), mail(number)]);
  expect(sent).toHaveLength(1);
  await mail(number, { again: 'once-more' });
  await mail(number, { again: 'once-more' });
  expect(sent).toHaveLength(2);
  expect(new Set(sent.map(({ messageKey }) => messageKey)).size).toBe(2);
  expect(await mailsOf(number)).toMatchObject([{ status: 'sent' }, { status: 'sent' }]);
});

test('a temporarily rejected email is retried with the same key', async () => {
  await giving.openPaid();
  const number = lastIssued();
  const keys: string[] = [];
  const { mail } = testMailer(async ({ messageKey }) => {
    keys.push(messageKey);
    if (keys.length < 3) throw new Error('try later');
  });
  await expect(mail(number)).rejects.toThrow('try later');
  await expect(mail(number)).rejects.toThrow('try later');
  expect(await receiptAt(number)).toMatchObject({ delivery: 'pending' });
  await mail(number);
  expect(new Set(keys).size).toBe(1);
  expect(await mailsOf(number)).toMatchObject([{ status: 'sent', attempts: 3 }]);
  expect(await receiptAt(number)).toMatchObject({ delivery: 'sent' });
});

test('a receipt email is given up after the last try', async () => {
  await giving.openPaid();
  const number = lastIssued();
  const { mail } = testMailer(async () => {
    throw Object.assign(new Error('no connection'), { code: 'ETIMEDOUT' });
  });
  await expect(mail(number, { at: { isLast: true } })).rejects.toThrow('no connection');
  expect(await receiptAt(number)).toMatchObject({ delivery: 'failed', delivery_error_code: 'ETIMEDOUT' });
});

test('a permanently rejected email isn’t retried', async () => {
  await giving.openPaid();
  const number = lastIssued();
  const rejectingMailer = testMailer(async () => {
    throw new MailRejected('550');
  });
  await expect(rejectingMailer.mail(number)).rejects.toThrow(MailRejected);
  expect(await receiptAt(number)).toMatchObject({ delivery: 'rejected', delivery_error_code: '550' });
  const { sent, mail } = testMailer();
  await mail(number);
  expect(sent).toEqual([]);
});

test('an invalid address is rejected before it reaches the mail server', async () => {
  await giving.openPaid();
  const number = lastIssued();
  await db.kysely
    .updateTable('receipts')
    .set({ email: 'payer@example.org\r\nBcc: all@example.org' })
    .where('number', '=', number)
    .where('org_id', '=', orgId)
    .execute();
  const { sent, mail } = testMailer();
  await expect(mail(number)).rejects.toThrow(MailRejected);
  expect(sent).toEqual([]);
  expect(await receiptAt(number)).toMatchObject({ delivery: 'rejected', delivery_error_code: 'address' });
});

test('a missing receipt isn’t emailed, and the job succeeds', async () => {
  const { sent, mail } = testMailer();
  await mail(9999);
  expect(sent).toEqual([]);
});

test('a receipt sent while the database failed isn’t sent again', async () => {
  await giving.openPaid();
  // Recording the success works at the third try.
  await sql`create sequence tries`.execute(db.kysely);
  await sql`create function go_away() returns trigger language plpgsql as $$
    begin
      if new.status = 'sent' and nextval('tries') < 3 then
        raise exception 'terminating' using errcode = '57P01';
      end if;
      return new;
    end $$`.execute(db.kysely);
  await sql`create trigger away before update on receipt_emails for each row execute function go_away()`.execute(
    db.kysely,
  );
  const { sent, mail } = testMailer();
  await mail(lastIssued());
  await mail(lastIssued());
  expect(sent).toHaveLength(1);
});
