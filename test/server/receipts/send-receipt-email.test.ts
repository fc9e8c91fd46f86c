// @spec decisions.3
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { donationItem } from '#domain/cart.ts';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import { type Email, EmailRejectedError } from '#server/gateways/email/mailer.ts';
import type { JobAttempt } from '#server/jobs/define-job.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';

const setup: DonationSetup = await startDonationSetup();
const { db, deps, orgId } = setup;

type EmailOptions = { readonly mailingId?: string; readonly attempt?: JobAttempt; readonly now?: () => Date };

function testMailer(send?: (email: Email) => Promise<void>) {
  const sentEmails: Email[] = [];
  const mailer = { send: send ?? (async (email: Email) => void sentEmails.push(email)) };
  const emailReceipt = (receiptNumber: number, { mailingId = 'first', attempt }: EmailOptions = {}) =>
    sendReceiptEmail.run({ ...deps, mailer }, { orgId, receiptNumber, mailingId }, attempt);
  return { sentEmails, emailReceipt };
}

const lastReceiptNumber = () => setup.queuedReceipts.at(-1) ?? 0;
const readReceipt = (number: number) =>
  db.kysely
    .selectFrom('receipts')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('number', '=', number)
    .executeTakeFirstOrThrow();
const readReceiptEmails = (number: number) =>
  db.kysely
    .selectFrom('receipt_emails')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('number', '=', number)
    .orderBy('last_attempt_at')
    .execute();

test('a paid gift emails its receipt to the payer with a link that keeps the checkout open', async () => {
  const { id } = await setup.openAndPay();
  const { sentEmails, emailReceipt } = testMailer();
  await emailReceipt(lastReceiptNumber());
  expect(sentEmails).toMatchObject([
    { to: 'payer@example.org', subject: expect.stringContaining('Ithaca Climate Fund') },
  ]);
  const [file] = sentEmails[0]?.attachments ?? [];
  expect(file).toMatchObject({ name: expect.stringMatching(/^receipt-\d+\.pdf$/), type: 'application/pdf' });
  expect(
    Buffer.from(file?.base64 ?? '', 'base64')
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  const [, key] = /\/checkouts\/[\w-]+\?receipt=([\w-]+)/.exec(sentEmails[0]?.text ?? '') ?? [];
  expect(sentEmails[0]?.text).toContain(`https://fund.example/orgs/${orgId}/checkouts/${id}?receipt=`);
  setup.clock.advance(25 * 60 * 60 * 1000);
  expect(await setup.readCheckout(id)).toMatchObject({ isOver: true });
  expect(await setup.readCheckout(id, key)).toMatchObject({ isOver: false });
});

test('a receipt asks for a story until a story with the donor’s address is public', async () => {
  await setup.openAndPay();
  const number = lastReceiptNumber();
  const emailWithStory = async (story: Parameters<typeof addOffsetter>[2]) => {
    const { sentEmails, emailReceipt } = testMailer();
    const storyId = await addOffsetter(db, orgId, story);
    await emailReceipt(number, { mailingId: storyId });
    await db.kysely.deleteFrom('offsetters').where('id', '=', storyId).execute();
    return sentEmails[0]?.text;
  };
  const invitation = 'Tell your neighbors why you gave.';
  const email = 'Payer@example.org';
  expect(await emailWithStory({ email: 'other@example.org' })).toContain(invitation);
  expect(await emailWithStory({ email, status: 'hidden' })).toContain(invitation);
  expect(await emailWithStory({ email, claim: 'pending' })).toContain(invitation);
  expect(await emailWithStory({ email })).not.toContain(invitation);
});

test('a monthly gift’s receipt has the next charge date', async () => {
  const { paymentUrl } = await setup.openCheckout([donationItem(25), donationItem(10, 'month')]);
  await setup.provider.pay(paymentUrl);
  await setup.provider.deliverEvents();
  const { sentEmails, emailReceipt } = testMailer();
  await emailReceipt(lastReceiptNumber());
  expect(sentEmails[0]?.text).toContain('Amount: $35.00');
  expect(sentEmails[0]?.text).toContain('You will be charged $10.00 every month until you stop it.');
  // The test clock runs from March 14 to 16.
  expect(sentEmails[0]?.text).toMatch(/^The next charge will be around April 1[4-6], 2026\.$/m);
});

test('all receipts for a gift stay in the donor’s language', async () => {
  const { id, paymentUrl } = await setup.openCheckout([donationItem(10, 'month')], { language: 'es' });
  await setup.provider.pay(paymentUrl);
  await setup.provider.deliverEvents();
  await setup.provider.submitDashboardForm('clock', { months: '1' });
  await setup.provider.deliverEvents();
  await db.kysely.updateTable('checkouts').set({ language: null }).where('id', '=', id).execute();
  // Other tests' gifts renew as well.
  const issuedReceipts = await db.kysely
    .selectFrom('receipts')
    .select('number')
    .where('checkout_id', '=', id)
    .execute();
  expect(issuedReceipts).toHaveLength(2);
  for (const { number } of issuedReceipts) {
    const officialStatement = 'No goods or services were provided in exchange for this gift.';
    const translation = { language: 'es', statement: expect.stringContaining('bienes') };
    expect((await readReceipt(number)).document).toMatchObject({ statement: officialStatement, translation });
    const { sentEmails, emailReceipt } = testMailer();
    await emailReceipt(number);
    expect(sentEmails[0]?.subject).toMatch(/^Su donación a Ithaca Climate Fund: recibo n\.º \d+$/);
    expect(sentEmails[0]?.text).toContain('Se le cobrarán $10.00 cada mes hasta que la cancele.');
    expect(sentEmails[0]?.text).toContain(`https://fund.example/es/orgs/${orgId}/checkouts/${id}?receipt=`);
    expect(sentEmails[0]?.text).toMatch(/https:\/\/fund\.example\/es\/orgs\/[\w-]+\/gifts\/\w+/);
    const [file] = sentEmails[0]?.attachments ?? [];
    expect(file?.name).toMatch(/^recibo-\d+\.pdf$/);
    const pdf = Buffer.from(file?.base64 ?? '', 'base64').toString('latin1');
    expect(pdf).toContain('/Lang (es-US)');
  }
});

test('a link in a payer’s name doesn’t appear in the email', async () => {
  const maliciousName = 'Your account was suspended. Confirm at https://evil.example';
  const { paymentUrl } = await setup.openCheckout();
  await setup.provider.pay(paymentUrl, undefined, maliciousName);
  await setup.provider.deliverEvents();
  const number = lastReceiptNumber();
  expect((await readReceipt(number)).document).toMatchObject({ donor: null });
  const { sentEmails, emailReceipt } = testMailer();
  await emailReceipt(number);
  expect(sentEmails[0]?.text).toContain('Hello,');
  expect(JSON.stringify(sentEmails)).not.toMatch(/suspended|evil/);
});

test('a receipt with a final email status isn’t sent again', async () => {
  await setup.openAndPay();
  const number = lastReceiptNumber();
  const { sentEmails, emailReceipt } = testMailer();
  await emailReceipt(number);
  await emailReceipt(number);
  await Promise.all([emailReceipt(number), emailReceipt(number)]);
  expect(sentEmails).toHaveLength(1);
  await emailReceipt(number, { mailingId: 'once-more' });
  await emailReceipt(number, { mailingId: 'once-more' });
  expect(sentEmails).toHaveLength(2);
  expect(new Set(sentEmails.map(({ messageKey }) => messageKey)).size).toBe(2);
  expect(await readReceiptEmails(number)).toMatchObject([{ status: 'sent' }, { status: 'sent' }]);
});

test('a temporarily rejected email is retried with the same key', async () => {
  await setup.openAndPay();
  const number = lastReceiptNumber();
  const keys: string[] = [];
  const { emailReceipt } = testMailer(async ({ messageKey }) => {
    keys.push(messageKey);
    if (keys.length < 3) throw new Error('try later');
  });
  await expect(emailReceipt(number)).rejects.toThrow('try later');
  await expect(emailReceipt(number)).rejects.toThrow('try later');
  expect(await readReceipt(number)).toMatchObject({ delivery: 'pending' });
  await emailReceipt(number);
  expect(new Set(keys).size).toBe(1);
  expect(await readReceiptEmails(number)).toMatchObject([{ status: 'sent', attempts: 3 }]);
  expect(await readReceipt(number)).toMatchObject({ delivery: 'sent' });
});

test('a receipt email is marked as failed after the last attempt', async () => {
  await setup.openAndPay();
  const number = lastReceiptNumber();
  const { emailReceipt } = testMailer(async () => {
    throw Object.assign(new Error('no connection'), { code: 'ETIMEDOUT' });
  });
  await expect(emailReceipt(number, { attempt: { isLastAttempt: true } })).rejects.toThrow('no connection');
  expect(await readReceipt(number)).toMatchObject({ delivery: 'failed', delivery_error_code: 'ETIMEDOUT' });
});

test('a permanently rejected email isn’t retried', async () => {
  await setup.openAndPay();
  const number = lastReceiptNumber();
  const rejectingMailer = testMailer(async () => {
    throw new EmailRejectedError('550');
  });
  await expect(rejectingMailer.emailReceipt(number)).rejects.toThrow(EmailRejectedError);
  expect(await readReceipt(number)).toMatchObject({ delivery: 'rejected', delivery_error_code: '550' });
  const { sentEmails, emailReceipt } = testMailer();
  await emailReceipt(number);
  expect(sentEmails).toEqual([]);
});

test('an invalid address is rejected before it reaches the mail server', async () => {
  await setup.openAndPay();
  const number = lastReceiptNumber();
  await db.kysely
    .updateTable('receipts')
    .set({ email: 'payer@example.org\r\nBcc: all@example.org' })
    .where('number', '=', number)
    .where('org_id', '=', orgId)
    .execute();
  const { sentEmails, emailReceipt } = testMailer();
  await expect(emailReceipt(number)).rejects.toThrow(EmailRejectedError);
  expect(sentEmails).toEqual([]);
  expect(await readReceipt(number)).toMatchObject({ delivery: 'rejected', delivery_error_code: 'address' });
});

test('a missing receipt isn’t emailed, and the job succeeds', async () => {
  const { sentEmails, emailReceipt } = testMailer();
  await emailReceipt(9999);
  expect(sentEmails).toEqual([]);
});

test('a receipt sent while the database failed isn’t sent again', async () => {
  await setup.openAndPay();
  // Recording the success fails twice and works on the third try.
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
  const { sentEmails, emailReceipt } = testMailer();
  await emailReceipt(lastReceiptNumber());
  await emailReceipt(lastReceiptNumber());
  expect(sentEmails).toHaveLength(1);
});
