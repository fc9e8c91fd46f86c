// @spec decisions.3
import { expect, test } from 'vitest';
import type { Giving as GivingResponse } from '#contract/schemas/users.ts';
import { donationItem } from '#domain/cart.ts';
import { dayOf, dayText } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { composeReceipt } from '#domain/receipt.ts';
import { recordCharge } from '#server/features/payments/record-charge.ts';
import { listUserReceipts } from '#server/features/receipts/receipt-sources.store.ts';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import { returnEmail, sendReturnedGiftEmail } from '#server/features/receipts/send-returned-gift-email.job.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { call } from '#test/support/call.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { signIn } from '#test/support/sign-in.ts';

const jobs = createJobRecorder();
const setup: DonationSetup = await startDonationSetup({ jobs });
const { db, deps, app, provider, orgId } = setup;
const donor = await signIn(deps, { email: 'payer@example.org' });

async function payCart(cart = [donationItem(100)], pay = (url: string) => provider.pay(url)) {
  const checkout = await setup.openCheckout(cart, { orgId, as: donor });
  await pay(checkout.paymentUrl);
  await provider.resolveDebits('settle');
  await provider.deliverEvents();
  return { ...checkout, charge: await provider.readChargeId(checkout.paymentUrl) };
}

async function refund(charge: string, dollars?: number): Promise<string> {
  const { id } = await provider.stripe.refunds.create({ charge, ...(dollars && { amount: dollars * 100 }) });
  await provider.deliverEvents();
  return id;
}

const payByDebit = (url: string) => provider.payByDebit(url);

let processedCount = 0;

/** Sends the emails queued since the last call and returns them. */
async function sendNewEmails(): Promise<Email[]> {
  const sentEmails: Email[] = [];
  const mailer = { send: async (email: Email) => void sentEmails.push(email) };
  const queuedEmails = jobs.findPayloads(sendReturnedGiftEmail);
  for (const data of queuedEmails.slice(processedCount)) await sendReturnedGiftEmail.run({ ...deps, mailer }, data);
  processedCount = queuedEmails.length;
  return sentEmails;
}

async function readGift(checkoutId: string) {
  const response = await call(app, 'readGiving', { params: { userid: donor.userId }, as: donor });
  return response.json<GivingResponse>().gifts.find(({ checkoutid }) => checkoutid === checkoutId);
}

async function readReceiptText(checkoutId: string): Promise<string> {
  const sources = await listUserReceipts(db.kysely, donor);
  const source = sources.find(({ checkout_id }) => checkout_id === checkoutId);
  const sentEmails: Email[] = [];
  const mailer = { send: async (email: Email) => void sentEmails.push(email) };
  const mailingId = crypto.randomUUID();
  await sendReceiptEmail.run({ ...deps, mailer }, { orgId, receiptNumber: source?.number ?? 0, mailingId });
  return sentEmails[0]?.text ?? '';
}

const today = () => dayText(dayOf(deps.now(), 'America/New_York'));

test('the donor is notified of each refund once, and the receipt and My giving show the remainder', async () => {
  const { id, charge } = await payCart();
  const { givenOn, receiptNumber } = (await readGift(id)) ?? { givenOn: '' };
  await refund(charge, 40);
  await recordCharge(deps, charge);
  const [email, ...otherEmails] = await sendNewEmails();
  expect(otherEmails).toEqual([]);
  expect(email).toMatchObject({ to: 'payer@example.org', subject: 'Your gift to Ithaca Climate Fund: refund' });
  expect(email?.text).toContain('We refunded $40.00 of your gift to Ithaca Climate Fund.');
  expect(email?.text).toContain(
    `Refunded: $40.00\nGift: $100.00\nDate of gift: ${dayText(givenOn)}\nReceipt number: ${receiptNumber}\nDeductible amount now: $60.00\n`,
  );
  expect(email?.text).toMatch(/Where your gift went:\nhttps:\S+\/homes\n/);
  // Test payments aren't gifts, and their emails say so.
  expect(email?.text).toContain('Test payment: no money moved.');
  expect(await readReceiptText(id)).toContain(
    `Amount: $100.00\n${today()}: Refunded $40.00.\nDeductible amount now: $60.00\n`,
  );
  expect(await readGift(id)).toMatchObject({
    amount: 100,
    returned: 40,
    pendingReturn: 0,
    paymentStatus: 'paid',
    notes: [{ text: 'Refunded $40.00.' }],
  });
  await refund(charge);
  expect((await sendNewEmails()).map(({ text }) => /^Deductible amount.*$/m.exec(text)?.[0])).toEqual([
    'Deductible amount now: $0.00',
  ]);
  expect(await readGift(id)).toMatchObject({ returned: 100, paymentStatus: 'refunded', notes: [{}, {}] });
  expect(await readReceiptText(id)).toContain('Refunded $60.00.\nDeductible amount now: $0.00\n');
});

test('a Spanish gift’s refund email and receipt note are in Spanish', async () => {
  const { id, paymentUrl } = await setup.openCheckout([donationItem(100)], { orgId, as: donor, language: 'es' });
  await provider.pay(paymentUrl);
  await provider.deliverEvents();
  await refund(await provider.readChargeId(paymentUrl), 40);
  const [email] = await sendNewEmails();
  expect(email?.subject).toBe('Su donación a Ithaca Climate Fund: reembolso');
  expect(await readGift(id)).toMatchObject({ notes: [{ text: 'Se reembolsaron $40.00.' }] });
  expect(await readReceiptText(id)).toContain('Se reembolsaron $40.00.\nMonto deducible ahora: $60.00\n');
});

test.each([
  [6000, 'The deductible amount on receipt no. 1012 is now $60.00.'],
  [0, 'Receipt no. 1012 can no longer be used for your taxes.'],
])('with %s cents remaining, the email states the tax consequence', async (remaining, sentence) => {
  const document = composeReceipt({
    number: 1012,
    donee: deps.parent,
    orgName: 'Ithaca Climate Fund',
    donor: null,
    amount: 10_000,
    givenOn: '2026-11-21',
    issuedOn: '2026-11-21',
    currency: 'usd',
    nextChargeOn: undefined,
    testPayment: undefined,
    paymentMethod: { kind: 'card', items: [donationItem(100)] },
  });
  const { text } = returnEmail({
    document,
    remaining,
    email: 'paula@example.org',
    amount: 4000,
    status: 'succeeded',
    fileLink: 'https://fund.example/r',
    publicUrl: 'https://fund.example',
    messageKey: 'key',
  });
  expect(text).toContain(sentence);
});

test('a full refund is described as a full refund', async () => {
  const { charge } = await payCart([donationItem(50)]);
  await refund(charge);
  const [email] = await sendNewEmails();
  expect(email?.text).toContain('We refunded your $50.00 gift to Ithaca Climate Fund.');
});

test('a refund is emailed when it succeeds, and never if it fails first', async () => {
  for (const outcome of ['settle', 'fail'] as const) {
    const { id, charge } = await payCart([donationItem(50)], payByDebit);
    const refundId = await refund(charge, 10);
    expect(await sendNewEmails()).toEqual([]);
    expect(await readGift(id)).toMatchObject({ returned: 0, pendingReturn: 10, notes: [] });
    expect(await readReceiptText(id)).not.toContain('Deductible amount now');
    await provider.submitDashboardForm(`refunds/${refundId}`, { outcome });
    await provider.deliverEvents();
    expect(await sendNewEmails()).toHaveLength(outcome === 'fail' ? 0 : 1);
    expect(await readGift(id)).toMatchObject({ returned: outcome === 'fail' ? 0 : 10, pendingReturn: 0 });
  }
});

test('a refund that fails after its email gets a second email', async () => {
  const { id, charge } = await payCart([donationItem(50)], (url) => provider.pay(url, '4000 0000 0000 5126'));
  const refundId = await refund(charge);
  expect(await sendNewEmails()).toHaveLength(1);
  await provider.submitDashboardForm(`refunds/${refundId}`, { outcome: 'fail' });
  await provider.deliverEvents();
  const [email] = await sendNewEmails();
  expect(email?.text).toContain('Your refund of $50.00 from Ithaca Climate Fund failed.');
  expect(email?.text).toContain('Deductible amount now: $50.00');
  expect(await readGift(id)).toMatchObject({ returned: 0, paymentStatus: 'paid', notes: [{}, {}] });
});

test('a stale report that a failed refund succeeded posts nothing and sends no email', async () => {
  const { id, charge } = await payCart([donationItem(50)], payByDebit);
  await provider.stripe.refunds.create({ charge });
  const chargeFacts = await deps.payments.readCharge(charge);
  if (chargeFacts === 'unknown' || chargeFacts instanceof Failure) throw new Error('The charge cannot be read.');
  const recordWithStatus = (status: 'succeeded' | 'failed') => {
    const refunds = chargeFacts.refunds.map((item) => {
      const failedRefundCredit = { id: `txn_${id}`, amount: item.amount, fee: 0, settledAt: item.occurredAt };
      return { ...item, status, failedRefundCredit: status === 'failed' ? failedRefundCredit : undefined };
    });
    const chargeWithStatus = { ...chargeFacts, refunds };
    return recordCharge({ ...deps, payments: { ...deps.payments, readCharge: async () => chargeWithStatus } }, charge);
  };
  await recordWithStatus('failed');
  await recordWithStatus('succeeded');
  expect(await sendNewEmails()).toEqual([]);
  expect(await readGift(id)).toMatchObject({ returned: 0, pendingReturn: 0, paymentStatus: 'paid', notes: [] });
});

test('the donor is notified of a dispute won after a loss, and the gift counts again', async () => {
  const { id, charge } = await payCart();
  await provider.submitDashboardForm(`charges/${charge}`, { action: 'dispute' });
  const { data } = await provider.stripe.disputes.list({ charge });
  const subjects: string[] = [];
  for (const outcome of ['lose', 'appeal', 'win']) {
    await provider.submitDashboardForm(`disputes/${data[0]?.id ?? ''}`, { outcome });
    await provider.deliverEvents();
    subjects.push(...(await sendNewEmails()).map(({ subject }) => subject));
  }
  expect(subjects).toEqual([
    'Your gift to Ithaca Climate Fund: payment reversed',
    'Your gift to Ithaca Climate Fund: payment returned to us',
  ]);
  expect(await readGift(id)).toMatchObject({ returned: 0, paymentStatus: 'paid' });
});

test('the donor is notified when a dispute is lost or a debit returned', async () => {
  const { id, charge } = await payCart();
  await provider.submitDashboardForm(`charges/${charge}`, { action: 'dispute' });
  await provider.deliverEvents();
  expect(await sendNewEmails()).toEqual([]);
  expect(await readGift(id)).toMatchObject({ returned: 0, paymentStatus: 'disputed', notes: [] });
  const { data } = await provider.stripe.disputes.list({ charge });
  await provider.submitDashboardForm(`disputes/${data[0]?.id ?? ''}`, { outcome: 'lose' });
  await provider.deliverEvents();
  const returnedGift = await payCart([donationItem(50)], payByDebit);
  await provider.submitDashboardForm(`charges/${returnedGift.charge}`, { action: 'return' });
  await provider.deliverEvents();
  expect((await sendNewEmails()).map(({ text }) => /^Your bank .*$/m.exec(text)?.[0])).toEqual([
    'Your bank reversed $100.00 of your gift to Ithaca Climate Fund.',
    'Your bank reversed $50.00 of your gift to Ithaca Climate Fund.',
  ]);
  for (const checkoutId of [id, returnedGift.id])
    expect(await readGift(checkoutId)).toMatchObject({ paymentStatus: 'disputed', notes: [{}] });
});

test('the email about a refunded renewal links to the recurring gift', async () => {
  const { id, charge } = await payCart([donationItem(25, 'month')]);
  await provider.submitDashboardForm('clock', { months: '1' });
  await provider.deliverEvents();
  const payments = db.kysely.selectFrom('payments').select('charge_id').where('checkout_id', '=', id);
  const renewal = (await payments.execute()).find(({ charge_id }) => charge_id !== charge);
  await refund(renewal?.charge_id ?? '', 5);
  const [email] = await sendNewEmails();
  expect(email?.text).toMatch(/Manage your gift:\nhttps:\/\/fund\.example\/orgs\/[\w-]+\/gifts\//);
  const response = await call(app, 'readGiving', { params: { userid: donor.userId }, as: donor });
  const gifts = response.json<GivingResponse>().gifts.filter(({ checkoutid }) => checkoutid === id);
  expect(gifts.map(({ returned }) => returned)).toEqual([5, 0]);
  expect(email?.text).toContain(`Receipt number: ${gifts[0]?.receiptNumber}\n`);
});

test('an erased donor gets no email, even if one was already queued', async () => {
  const [queuedGift, laterGift] = [await payCart(), await payCart()];
  await refund(queuedGift.charge);
  const erasePayers = db.kysely.updateTable('checkouts').set({ payer_erased_at: deps.now(), email: null });
  await erasePayers.where('id', 'in', [queuedGift.id, laterGift.id]).execute();
  expect(await sendNewEmails()).toEqual([]);
  const emailCount = jobs.findPayloads(sendReturnedGiftEmail).length;
  await refund(laterGift.charge);
  expect(jobs.findPayloads(sendReturnedGiftEmail)).toHaveLength(emailCount);
});
