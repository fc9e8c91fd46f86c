// @spec 7.create-checkout
import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import type { CheckoutRecord } from '#contract/schemas/checkout-records.ts';
import type { Giving as GivingResponse } from '#contract/schemas/users.ts';
import { donationItem } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import type { TributeInput } from '#domain/tribute.ts';
import type { AppDeps } from '#server/deps.ts';
import { findLostRecords } from '#server/features/recovery/find-lost-records.ts';
import { recover } from '#server/features/recovery/recover.ts';
import { sendTributeCard } from '#server/features/tributes/send-tribute-card.job.ts';
import { sweepTributes } from '#server/features/tributes/tributes.ts';
import { type Email, EmailRejectedError } from '#server/gateways/email/mailer.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { DAY } from '#test/support/clock.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { extractLinks, extractVisibleText } from '#test/support/email-text.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';
import { backUpTables } from '#test/support/table-backup.ts';

const jobs = createJobRecorder();
const setup: DonationSetup = await startDonationSetup({ jobs, livemode: false });
const { db, deps, app, orgId, provider } = setup;
const edith = await signIn(deps, { editorOf: [orgId] });

const CARD = {
  email: 'grace@example.org',
  name: 'Grace',
  message: 'For your birthday.\nWith love',
  signature: 'Dora D.',
};
const HONOR: TributeInput = { kind: 'honor', name: 'Ada Lovelace', card: CARD };

async function openCheckout(tribute: unknown = HONOR, cart = [donationItem(25)], as?: SignedInPerson) {
  const response = await setup.call(
    'POST',
    callPath('createCheckout', { orgid: orgId }),
    tribute === null ? { cart } : { cart, tribute },
    as,
  );
  return { response, ...response.json<{ id: string; url: string }>() };
}

async function openAndPay(...args: Parameters<typeof openCheckout>): Promise<string> {
  const { id, url } = await openCheckout(...args);
  await provider.pay(url);
  await provider.deliverEvents();
  return id;
}

const cardJobs = (checkoutId: string) =>
  jobs.findPayloads(sendTributeCard).filter((job) => job.checkoutId === checkoutId);

/** The cards of test payments, including all payments in these tests, are sent only if there is a development mailbox. */
const MAILBOX: Pick<AppDeps, 'mailbox'> = { mailbox: { list: async () => [], read: async () => undefined } };

/** Runs the latest job for a card. */
async function sendCard(
  checkoutId: string,
  send?: (email: Email) => Promise<void>,
  attempt?: { isLastAttempt: boolean },
  mailbox = MAILBOX,
) {
  const sentEmails: Email[] = [];
  const mailer = { send: send ?? (async (email: Email) => void sentEmails.push(email)) };
  const job = cardJobs(checkoutId).at(-1);
  if (job) await sendTributeCard.run({ ...deps, mailer, ...mailbox }, job, attempt);
  return sentEmails;
}

const readRecord = async (checkoutId: string) =>
  (
    await call(app, 'readCheckoutRecord', { params: { orgid: orgId, checkoutid: checkoutId }, as: edith })
  ).json<CheckoutRecord>();
const readReceiptDocuments = async (checkoutId: string) => {
  const receipts = db.kysely.selectFrom('receipts').select('document').where('checkout_id', '=', checkoutId);
  return (await receipts.orderBy('number').execute()).map(({ document }) => document);
};
const sendTo = async (checkoutId: string, email: string) =>
  readOutcome(
    await call(app, 'sendCardTo', { params: { orgid: orgId, checkoutid: checkoutId }, as: edith, body: { email } }),
  );

test('the card is emailed once, when the gift is paid, and names the donor but not the amount', async () => {
  const { id, url } = await openCheckout();
  await sweepTributes(deps);
  expect(cardJobs(id)).toEqual([]);
  expect((await readRecord(id)).tribute?.card).toMatchObject({ status: 'unpaid' });
  expect(await sendTo(id, 'other@example.org')).toEqual([409, 'card-not-paid']);
  await provider.pay(url);
  await provider.deliverEvents();
  for (const event of await provider.listSessionEvents()) await provider.redeliver(event.id);
  await sweepTributes(deps);
  expect(cardJobs(id)).toHaveLength(1);
  const [card] = await sendCard(id);
  expect(await sendCard(id)).toEqual([]);
  expect(card).toMatchObject({ to: 'grace@example.org', subject: 'A gift in honor of Ada Lovelace' });
  expect(card?.text).toContain('Dear Grace,');
  expect(card?.text).toContain('Dora D. made a gift to Ithaca Climate Fund in honor of Ada Lovelace.');
  expect(card?.text).toContain('> For your birthday.\n> With love\n> – Dora D.');
  expect(card?.text).toContain(`https://fund.example/orgs/${orgId}`);
  expect(card?.text).toContain('We send it only once.');
  expect(card?.text).toContain('Test payment: no card was charged');
  expect(`${card?.text}${card?.html}`).not.toMatch(/25\.00|\$25|payer@example\.org|Paula/);
  expect((await readRecord(id)).tribute).toMatchObject({
    kind: 'honor',
    name: 'Ada Lovelace',
    card: { ...CARD, status: 'sent', code: null },
  });
});

test('a card without name, message, and signature is anonymous', async () => {
  const id = await openAndPay({ kind: 'memory', name: 'Ada', card: { email: CARD.email } });
  const [card] = await sendCard(id);
  expect(card?.text).toMatch(/^Hello,\n\nA gift in memory of Ada\n/);
  expect(card?.text).toContain('An anonymous donor made a gift');
  expect(card?.text).not.toContain('>');
});

test('the card is in the donor’s language', async () => {
  const id = await openAndPay();
  await db.kysely.updateTable('checkouts').set({ language: 'es' }).where('id', '=', id).execute();
  const [card] = await sendCard(id);
  expect(card?.subject).toBe('Una donación en honor de Ada Lovelace');
  expect(card?.text).toContain(`\nhttps://fund.example/es/orgs/${orgId}\n`);
});

test('a renewal’s receipt has the same tribute, and no card is sent', async () => {
  const id = await openAndPay(HONOR, [donationItem(25, 'month')]);
  await provider.submitDashboardForm('clock', { months: '1' });
  await provider.deliverEvents();
  const tribute = { kind: 'honor', name: 'Ada Lovelace' };
  expect(await readReceiptDocuments(id)).toMatchObject([{ tribute }, { tribute }]);
  expect(cardJobs(id)).toHaveLength(1);
});

test('without a card, nothing is sent, and without a tribute, the receipt doesn’t mention one', async () => {
  const giftWithoutCard = await openAndPay({ kind: 'memory', name: 'Ada' });
  const giftWithoutTribute = await openAndPay(null);
  expect([...cardJobs(giftWithoutCard), ...cardJobs(giftWithoutTribute)]).toEqual([]);
  expect((await readRecord(giftWithoutCard)).tribute).toEqual({ kind: 'memory', name: 'Ada', card: null });
  expect((await readRecord(giftWithoutTribute)).tribute).toBeNull();
  expect(await readReceiptDocuments(giftWithoutTribute)).not.toHaveProperty('0.tribute');
  expect(await sendTo(giftWithoutCard, 'other@example.org')).toEqual([404, 'card-not-found']);
});

test('a failed bank debit sends nothing', async () => {
  const { id, url } = await openCheckout();
  await provider.payByDebit(url);
  await provider.deliverEvents();
  await provider.resolveDebits('fail');
  await provider.deliverEvents();
  await sweepTributes(deps);
  expect(cardJobs(id)).toEqual([]);
});

test('the donor and editors see that a card was rejected, and it can be sent to another address', async () => {
  const dora = await signIn(deps);
  const id = await openAndPay(HONOR, [donationItem(25)], dora);
  const readFirstGift = async () =>
    (await call(app, 'readGiving', { params: { userid: dora.userId }, as: dora })).json<GivingResponse>().gifts[0];
  const reject = async () => {
    throw new EmailRejectedError('550');
  };
  await expect(sendCard(id, reject)).rejects.toThrow();
  expect(await sendCard(id)).toEqual([]);
  expect((await readRecord(id)).tribute?.card).toMatchObject({ status: 'rejected', code: '550' });
  expect(await setup.readCheckout(id, undefined, dora)).toMatchObject({
    tribute: { kind: 'honor', name: 'Ada Lovelace', card: { email: CARD.email, status: 'rejected' } },
  });
  expect((await readFirstGift())?.tribute).toMatchObject({ card: { status: 'rejected' } });
  expect(await sendTo(id, 'grace@example')).toEqual([422, 'invalid-email']);
  expect(await sendTo(id, ' right@example.org ')).toEqual([200]);
  const [card] = await sendCard(id);
  expect(card?.to).toBe('right@example.org');
  expect(await sendCard(id)).toEqual([]);
  expect((await readRecord(id)).tribute?.card).toMatchObject({ email: 'right@example.org', status: 'sent' });
});

test('a test payment sends no card to real people', async () => {
  const dora = await signIn(deps);
  const id = await openAndPay(HONOR, [donationItem(25)], dora);
  expect(await sendCard(id, undefined, undefined, {})).toEqual([]);
  expect((await readRecord(id)).tribute?.card).toMatchObject({ status: 'test', code: null });
  expect((await setup.readCheckout(id, undefined, dora)).tribute?.card).toMatchObject({ status: 'test' });
  expect(await sendCard(id)).toEqual([]);
});

test('a card is retried while the mail server is unreachable and finally marked as failed', async () => {
  const id = await openAndPay();
  const fail = async () => {
    throw new Error('unreachable');
  };
  await expect(sendCard(id, fail)).rejects.toThrow();
  expect((await readRecord(id)).tribute?.card).toMatchObject({ status: 'sending' });
  await expect(sendCard(id, fail, { isLastAttempt: true })).rejects.toThrow();
  expect((await readRecord(id)).tribute?.card).toMatchObject({ status: 'failed' });
});

test('the tribute is visible only to the payer and through the receipt link', async () => {
  const dora = await signIn(deps);
  const id = await openAndPay(HONOR, [donationItem(25)], dora);
  const { key } = await db.kysely
    .selectFrom('receipts')
    .select('key')
    .where('checkout_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(await setup.readCheckout(id, key)).toHaveProperty('tribute');
  const responses = [
    await setup.readCheckout(id),
    await setup.readCheckout(id, 'wrong-key'),
    await setup.readCheckout(id, undefined, edith),
  ];
  for (const response of responses) {
    expect(response).not.toHaveProperty('tribute');
    expect(JSON.stringify(response)).not.toMatch(/Ada|Grace|grace@/);
  }
});

test('addresses in a card are plain text without links', async () => {
  const card = { ...CARD, message: 'See https://evil.example or evil.example', signature: 'evil.example' };
  const [cardEmail] = await sendCard(await openAndPay({ kind: 'honor', name: 'evil.example', card }));
  expect(cardEmail && extractVisibleText(cardEmail.html)).toContain('See https://evil.example or evil.example');
  expect(cardEmail && extractLinks(cardEmail.html).filter((link) => link.includes('evil'))).toEqual([]);
});

test.each([
  [{ kind: 'honor', name: '' }, 422, 'no-honored-name', 'tribute.name'],
  [{ ...HONOR, card: { ...CARD, signature: 'Bank\u202Eof' } }, 422, 'text-unprintable', 'tribute.card.signature'],
  [{ ...HONOR, card: { ...CARD, name: 'a\nBcc: b' } }, 422, 'text-unprintable', 'tribute.card.name'],
  [{ ...HONOR, card: { ...CARD, email: 'a@b.example, c@d.example' } }, 422, 'invalid-email', 'tribute.card.email'],
  [{ ...HONOR, card: { name: 'Grace' } }, 400, 'invalid-input', 'tribute.card.email'],
  [{ kind: 'party', name: 'Ada' }, 400, 'invalid-input', 'tribute.kind'],
])('rejects a tribute of %j, reports the field, and stores nothing', async (tribute, status, code, field) => {
  const initialCheckouts = await db.kysely.selectFrom('checkouts').select('id').execute();
  const { response } = await openCheckout(tribute);
  expect([response.statusCode, response.json().code, response.json().field]).toEqual([status, code, field]);
  expect(await db.kysely.selectFrom('checkouts').select('id').execute()).toHaveLength(initialCheckouts.length);
});

test('deleting the checkout erases the tribute, and a pending card isn’t sent', async () => {
  const id = await openAndPay();
  expect(
    readOutcome(await call(app, 'deleteCheckout', { params: { orgid: orgId, checkoutid: id }, as: edith })),
  ).toEqual([200]);
  expect(await sendCard(id)).toEqual([]);
  expect(await db.kysely.selectFrom('tributes').select('name').where('checkout_id', '=', id).execute()).toEqual([]);
  expect(await readReceiptDocuments(id)).toMatchObject([{ tribute: { name: 'Ada Lovelace' } }]);
});

test('the ledger export has the name of the person honored', async () => {
  await openAndPay({ kind: 'memory', name: 'Ada, “Countess”' });
  const response = await call(app, 'downloadLedger', { params: { orgid: orgId }, as: edith });
  const [heading = '', ...lines] = response.body.split('\r\n');
  expect(heading).toContain(',Email,Tribute,Check number');
  expect(lines.filter((line) => line.includes('"In memory of Ada, “Countess”"'))).toHaveLength(1);
});

test('a restore rebuilds the honored name without the card, and sends no earlier card again', async () => {
  const pendingCheckout = await openCheckout();
  const restore = await backUpTables(db);
  await provider.pay(pendingCheckout.url);
  await provider.deliverEvents();
  const lostCheckout = await openAndPay();
  await restore();
  const cardCount = cardJobs(pendingCheckout.id).length;
  const lostGifts = await findLostRecords(deps);
  if (lostGifts instanceof Failure) throw lostGifts;
  await recover(deps, lostGifts);
  expect((await readRecord(lostCheckout)).tribute).toEqual({ kind: 'honor', name: 'Ada Lovelace', card: null });
  expect(await readReceiptDocuments(lostCheckout)).toMatchObject([
    { tribute: { kind: 'honor', name: 'Ada Lovelace' } },
  ]);
  expect((await readRecord(pendingCheckout.id)).tribute?.card).toMatchObject({ status: 'unknown' });
  expect(cardJobs(pendingCheckout.id)).toHaveLength(cardCount);
  const sessions = await provider.stripe.checkout.sessions.list({ limit: 5 });
  expect(JSON.stringify(sessions.data)).not.toMatch(/grace@example\.org|With love/);
});

test('an unpaid tribute is deleted after 30 days, and a paid one is kept', async () => {
  const [unpaidId, paidId] = [(await openCheckout()).id, await openAndPay({ kind: 'honor', name: 'Ada' })];
  await db.kysely.updateTable('checkouts').set({ payment_status: 'expired' }).where('id', '=', unpaidId).execute();
  setup.clock.advance(29 * DAY);
  await sweepTributes(deps);
  const readTributes = () =>
    db.kysely.selectFrom('tributes').select('checkout_id').where('checkout_id', 'in', [unpaidId, paidId]).execute();
  expect(await readTributes()).toHaveLength(2);
  setup.clock.advance(2 * DAY);
  await sweepTributes(deps);
  expect(await readTributes()).toEqual([{ checkout_id: paidId }]);
});
