import { createElement, type ReactElement } from 'react';
import { afterEach, expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import type { AttentionItem } from '#contract/schemas/attention.ts';
import type { BankMonth } from '#contract/schemas/bank.ts';
import type { CheckoutRecord, CheckRecord } from '#contract/schemas/checkout-records.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Pledge } from '#contract/schemas/pledges.ts';
import type { UndeliveredReceipt } from '#contract/schemas/receipts.ts';
import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import type { Site } from '#contract/schemas/site.ts';
import type { Giving as MyGiving } from '#contract/schemas/users.ts';
import { donationItem } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { RECURRING_GIFT_STATUSES, recurringGiftLabel } from '#domain/recurring-gift.ts';
import { addMonths } from '#domain/statement.ts';
import { recordSession } from '#server/features/payments/record-session.ts';
import { recordPayout } from '#server/features/payouts/record-payout.ts';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import { sendTributeCard } from '#server/features/tributes/send-tribute-card.job.ts';
import { EmailRejectedError } from '#server/gateways/email/mailer.ts';
import { EVENT_TYPES } from '#server/gateways/payments/stripe-events.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { INSTALLATION, parseSessionId } from '#test/support/card-provider.ts';
import { HOUR } from '#test/support/clock.ts';
import { type DonationSetup, type OpenedCheckout, startDonationSetup } from '#test/support/donation-setup.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import * as shown from '#test/support/render-element.ts';
import { signIn } from '#test/support/sign-in.ts';
import { AttentionSection } from '#web/attention/attention-section.tsx';
import { toPaymentNotice, toPaymentState } from '#web/payment/payment-state.ts';
import { CheckoutPage } from '#web/routes/checkout/checkout-page.tsx';
import type { CheckoutData } from '#web/routes/checkout/route.ts';
import { PayoutDetails } from '#web/routes/editor/books/payout-dialog.tsx';
import { CheckDetails } from '#web/routes/editor/checkouts/check-record-dialog.tsx';
import { undeliveredQuery } from '#web/routes/editor/checkouts/checkout-queries.ts';
import { PaymentList } from '#web/routes/editor/checkouts/payment-list.tsx';
import { ReceiptsTab } from '#web/routes/editor/checkouts/receipts-tab.tsx';
import { RecurringGiftSection } from '#web/routes/editor/checkouts/recurring-gift-section.tsx';
import { TributeSection } from '#web/routes/editor/checkouts/tribute-section.tsx';
import {
  describeEvent,
  EVENT_LABELS,
  getCheckoutLabel,
  PAYMENT_LABELS,
  PLEDGE_LABELS,
} from '#web/routes/editor/treasury-labels.ts';
import { RecurringGiftPage } from '#web/routes/gift/recurring-gift-page.tsx';
import { GiftList } from '#web/routes/me/gift-list.tsx';
import { RecurringGifts } from '#web/routes/me/recurring-gifts.tsx';

/**
 * Every payment state that a screen can show, reached by actions of the provider, the donor, or an editor. The screens
 * are rendered from real responses.
 */
const jobs = createJobRecorder();
const setup: DonationSetup = await startDonationSetup({ jobs });
const { db, deps, app, clock, orgId, provider } = setup;
const donor = await signIn(deps, { email: 'payer@example.org' });
const edith = await signIn(deps, { editorOf: [orgId], email: 'edith@example.net', name: 'Edith Editor' });

const DECLINED_ON_RENEWAL = '4000 0000 0000 0341';
const AVAILABLE_IMMEDIATELY = '4000 0000 0000 0077';

const readOrgAndSite = async () => ({
  org: (await call(app, 'readOrg', { params: { orgid: orgId } })).json<Org>(),
  site: (await call(app, 'readSite', { params: {} })).json<Site>(),
});
/** Empty cells, because editors write their texts. */
const NO_CELLS = { ask: { html: '' }, thanks: { html: '' } } as CheckoutData['cells'];

/** All text rendered so far. */
let renderedTexts = '';

function renderWords(element: ReactElement, context?: Parameters<typeof shown.renderVisibleText>[1]): string {
  const words = shown.renderVisibleText(element, context);
  renderedTexts += words;
  return words;
}

/** Renders the editors' dialog for a check. */
async function renderCheckDialog(pledgeid: string): Promise<string> {
  const record = (
    await call(app, 'readCheckRecord', { params: { orgid: orgId, pledgeid }, as: edith })
  ).json<CheckRecord>();
  return renderWords(createElement(CheckDetails, { orgId, record }));
}

async function listChecks(body: object = {}): Promise<Pledge[]> {
  const input = { params: { orgid: orgId }, as: edith, body: { ...body, kind: 'check' } } as const;
  return (await call(app, 'searchCheckouts', input)).json<Pledge[]>();
}

type GiftOptions = { readonly method?: 'card' | 'debit'; readonly card?: string; readonly isMonthly?: boolean };

async function openCheckout({ isMonthly }: GiftOptions = {}): Promise<OpenedCheckout> {
  return setup.openCheckout([donationItem(100, isMonthly ? 'month' : 'no')], { orgId, as: donor });
}

async function payCheckout(options: GiftOptions = {}): Promise<OpenedCheckout & { readonly charge: string }> {
  const checkout = await openCheckout(options);
  if (options.method === 'debit') await provider.payByDebit(checkout.paymentUrl);
  else await provider.pay(checkout.paymentUrl, options.card);
  await provider.resolveDebits('settle');
  await provider.deliverEvents();
  return { ...checkout, charge: await provider.readChargeId(checkout.paymentUrl) };
}

async function press(path: string, fields: Record<string, string>): Promise<void> {
  await provider.submitDashboardForm(path, fields);
  await provider.deliverEvents();
}

/** The donor's view on the payment page and on the page where the payment started. */
async function readDonorView({ id }: OpenedCheckout) {
  const checkout = await setup.readCheckout(id, undefined, donor);
  const state = toPaymentState(checkout, false);
  return {
    page: renderWords(
      createElement(CheckoutPage, {
        ...(await readOrgAndSite()),
        checkout,
        cells: NO_CELLS,
        receiptKey: undefined,
      }),
    ),
    notice: state === undefined ? '' : toPaymentNotice(state, orgId).text,
  };
}

const readMyGiving = async () =>
  (await call(app, 'readGiving', { params: { userid: donor.userId }, as: donor })).json<MyGiving>();

async function renderMyGiving({ id }: OpenedCheckout): Promise<string> {
  const gifts = (await readMyGiving()).gifts.filter(({ checkoutid }) => checkoutid === id);
  return renderWords(createElement(GiftList, { gifts, offsetters: [] }));
}

/** Reads a checkout's status, history, payments, and recurring gift as editors see them. */
async function readEditorView({ id }: OpenedCheckout) {
  const response = await call(app, 'readCheckoutRecord', { params: { orgid: orgId, checkoutid: id }, as: edith });
  const record = response.json<CheckoutRecord>();
  const status = getCheckoutLabel(record).label;
  renderedTexts += ` ${status} `;
  return {
    status,
    history: record.history.map((event) => Object.values(describeEvent(event)).join(': ')),
    payments: renderWords(createElement(PaymentList, { orgId, payments: record.payments, onRefund: undefined })),
    gift: record.recurringGift
      ? renderWords(createElement(RecurringGiftSection, { orgId, checkoutId: id, gift: record.recurringGift }))
      : '',
  };
}

// Moving the clock would renew the gifts of all earlier tests.
afterEach(async () => {
  await provider.endSubscriptions();
  await provider.deliverEvents();
});

test('the card processor’s events about a checkout are shown in words', () => {
  const checkoutEvents = EVENT_TYPES.filter((type) => !type.startsWith('payout.'));
  expect(checkoutEvents.filter((type) => EVENT_LABELS[type] === undefined)).toEqual([]);
});

test('a card payment is shown as not paid, declined, paid, and over', async () => {
  const checkout = await openCheckout();
  for (const card of [undefined, '4000 0000 0000 0002']) {
    if (card) await provider.pay(checkout.paymentUrl, card);
    const { page, notice } = await readDonorView(checkout);
    expect(page).toContain('We are confirming your payment');
    expect(page).toContain('Not confirmed yet');
    expect(notice).toContain('We haven’t received your $100.00 yet.');
    expect((await readEditorView(checkout)).status).toBe('Not paid');
  }
  await provider.pay(checkout.paymentUrl);
  await provider.deliverEvents();
  const { page, notice } = await readDonorView(checkout);
  expect(page).toContain('Your $100.00 will help warm a neighbor’s home.');
  expect(page).toContain('Paid');
  expect(notice).toBe('Thank you! We’ve received your gift of $100.00. Would you tell us why you gave?');
  expect(await renderMyGiving(checkout)).toContain('Paid');
  expect(await readEditorView(checkout)).toMatchObject({
    status: 'Paid',
    payments: expect.stringContaining('Fee $3.20'),
  });
  expect(
    readOutcome(await call(app, 'completeCheckout', { params: { orgid: orgId, checkoutid: checkout.id } })),
  ).toEqual([200]);
  expect(await readDonorView(checkout)).toMatchObject({
    page: expect.stringContaining('We’ve received your gift.'),
    notice: 'Thank you! We’ve received your gift of $100.00.',
  });
});

test('a payment page that isn’t paid in time is shown as expired', async () => {
  const checkout = await openCheckout();
  await provider.expireSession(checkout.paymentUrl);
  await provider.deliverEvents();
  const { page, notice } = await readDonorView(checkout);
  expect(page).toContain('This checkout has expired');
  expect(page).toContain('Nothing was charged');
  expect(notice).toContain('wasn’t paid in time. Nothing was charged.');
  expect((await readEditorView(checkout)).status).toBe('Expired');
});

test('a bank debit is shown as pending, then paid or failed', async () => {
  for (const outcome of ['settle', 'fail'] as const) {
    const checkout = await openCheckout();
    await provider.payByDebit(checkout.paymentUrl);
    await provider.deliverEvents();
    const pendingViews = await readDonorView(checkout);
    expect(pendingViews.page).toContain('Your bank payment is on its way.');
    expect(pendingViews.notice).toContain('Your bank payment of $100.00 is on its way.');
    expect(await renderMyGiving(checkout)).toContain('Bank payment on its way');
    expect((await readEditorView(checkout)).status).toBe('Bank payment pending');
    await provider.resolveDebits(outcome);
    await provider.deliverEvents();
    const { page, notice } = await readDonorView(checkout);
    expect(page).toContain(outcome === 'settle' ? 'Your $100.00 will help warm' : 'Your payment didn’t go through');
    expect(notice).toContain(outcome === 'settle' ? 'We’ve received your gift' : 'didn’t go through. Nothing was');
    expect((await readEditorView(checkout)).status).toBe(outcome === 'settle' ? 'Paid' : 'Failed');
  }
});

test('a refund is shown as pending, partial, full, or failed', async () => {
  const gift = await payCheckout();
  await provider.stripe.refunds.create({ charge: gift.charge, amount: 4000 });
  await provider.deliverEvents();
  expect(await readEditorView(gift)).toMatchObject({
    status: 'Partly refunded',
    payments: expect.stringMatching(/Partly refunded.*Returned \$40\.00.*\$40\.00 was refunded on/),
  });
  expect(await renderMyGiving(gift)).toMatch(/Refunded \$40\.00\..*Partly refunded: \$40\.00 of \$100\.00/);
  await provider.stripe.refunds.create({ charge: gift.charge });
  await provider.deliverEvents();
  expect((await readEditorView(gift)).status).toBe('Refunded');
  expect(await renderMyGiving(gift)).toMatch(/\$100\.00 Refunded/);
  const { page, notice } = await readDonorView(gift);
  expect(page).toContain('Your gift was refunded');
  expect(notice).toBe('');

  const debit = await payCheckout({ method: 'debit' });
  const { id } = await provider.stripe.refunds.create({ charge: debit.charge, amount: 1000 });
  await provider.deliverEvents();
  expect((await readEditorView(debit)).payments).toContain('is pending at the card processor.');
  expect(await renderMyGiving(debit)).toContain('Refund on its way: $10.00 of $100.00');
  await press(`refunds/${id}`, { outcome: 'fail' });
  expect(await readEditorView(debit)).toMatchObject({
    status: 'Paid',
    payments: expect.stringMatching(/The refund of \$10\.00 on .* failed\. The fund keeps the money\./),
  });
  expect(await renderMyGiving(debit)).toContain('Paid');

  await press('uncovered-refunds', { hold: 'yes' });
  const uncoveredCheckout = await payCheckout();
  await provider.stripe.refunds.create({ charge: uncoveredCheckout.charge, amount: 3000 });
  await provider.deliverEvents();
  expect(await readEditorView(uncoveredCheckout)).toMatchObject({
    status: 'Paid',
    payments: expect.stringMatching(/A refund of \$30\.00, made on .*, is pending at the card processor\./),
  });
  expect(await renderMyGiving(uncoveredCheckout)).toContain('Refund on its way: $30.00 of $100.00');
  await press('uncovered-refunds', { hold: 'no' });
  expect((await readEditorView(uncoveredCheckout)).status).toBe('Partly refunded');
  expect(await renderMyGiving(uncoveredCheckout)).toContain('Partly refunded: $30.00 of $100.00');
});

test('a dispute is shown as open, won, or lost, and a debit as returned by the bank', async () => {
  for (const outcome of ['win', 'lose', 'return'] as const) {
    const gift = await payCheckout(outcome === 'return' ? { method: 'debit' } : {});
    if (outcome === 'return') await press(`charges/${gift.charge}`, { action: 'return' });
    else {
      await press(`charges/${gift.charge}`, { action: 'dispute' });
      expect(await readEditorView(gift)).toMatchObject({
        status: 'Disputed',
        payments: expect.stringContaining('The donor’s bank is holding the money while it decides.'),
      });
      expect(await renderMyGiving(gift)).toContain('Disputed');
      expect((await readDonorView(gift)).page).toContain('A payment was disputed');
      const { data } = await provider.stripe.disputes.list({ charge: gift.charge });
      await press(`disputes/${data[0]?.id ?? ''}`, { outcome });
    }
    const { status, payments, history } = await readEditorView(gift);
    expect(status).toBe(outcome === 'win' ? 'Paid' : 'Dispute lost');
    if (outcome !== 'return') {
      const lastEntry =
        outcome === 'win' ? 'Dispute recorded: $0.00 · Money returned' : 'Dispute recorded: -$100.00 · Lost';
      const disputeEntries = history.filter((event) => event.startsWith('Dispute recorded'));
      expect(disputeEntries).toEqual(['Dispute recorded: $0.00 · Money held back', lastEntry]);
    }
    if (outcome === 'win') {
      expect(payments).toMatch(/dispute of \$100\.00 on .* was won\. The money was returned to the fund\./);
      expect(await renderMyGiving(gift)).toContain('Paid');
    } else {
      expect(payments).toMatch(/Dispute lost.* lost\. The money went back to the donor\./);
      expect(await renderMyGiving(gift)).toContain('Reversed by the bank');
      // The wording also fits a decided dispute.
      expect((await readDonorView(gift)).page).toContain('If it’s returned, the payment won’t count as a gift.');
    }
  }
});

test('a recurring gift is shown as active, paused, past due, and ended by donor, editor, or provider', async () => {
  const openGift = async ({ id }: OpenedCheckout) => {
    const row = db.kysely.selectFrom('subscriptions').select('page_key').where('checkout_id', '=', id);
    const { page_key: giftkey } = await row.executeTakeFirstOrThrow();
    const params = { orgid: orgId, giftkey };
    const readViews = async () => {
      const gift = (await call(app, 'readRecurringGift', { params })).json<RecurringGift>();
      const ownGifts = (await readMyGiving()).recurring.filter((candidate) => candidate.giftkey === giftkey);
      return {
        page: renderWords(
          createElement(RecurringGiftPage, {
            ...(await readOrgAndSite()),
            gift,
            giftKey: giftkey,
            savedChange: undefined,
          }),
        ),
        myGiving: renderWords(createElement(RecurringGifts, { gifts: ownGifts })),
        editors: (await readEditorView({ id, paymentUrl: '' })).gift,
      };
    };
    return { params, readViews };
  };
  const expectEverywhere = async (
    views: ReturnType<Awaited<ReturnType<typeof openGift>>['readViews']>,
    label: string,
    donorSentence: string,
    editorSentence = '',
  ) => {
    const { page, myGiving, editors } = await views;
    for (const text of [page, myGiving]) expect(text).toContain(donorSentence);
    expect(editors).toContain(editorSentence);
    for (const text of [page, editors]) expect(text).toContain(label);
  };

  const unknownGift = await openCheckout({ isMonthly: true });
  await provider.pay(unknownGift.paymentUrl);
  const readSubscription = async () => new Failure('payment-unavailable');
  await recordSession(
    { ...deps, payments: { ...deps.payments, readSubscription } },
    parseSessionId(unknownGift.paymentUrl),
  );
  expect((await readEditorView(unknownGift)).gift).toMatch(
    /Status not available yet.* The card processor hasn’t reported it yet\./,
  );

  const gift = await openGift(await payCheckout({ isMonthly: true }));
  await expectEverywhere(gift.readViews(), 'Active', 'The next charge will be around', 'Next charge ');
  await call(app, 'pauseRecurringGift', { params: gift.params, body: { paused: true } });
  await expectEverywhere(
    gift.readViews(),
    'Paused',
    'Paused. We won’t charge you until you resume.',
    'Until the donor resumes it.',
  );
  await call(app, 'stopRecurringGift', { params: gift.params });
  await expectEverywhere(gift.readViews(), 'Ended', 'This gift has ended. You won’t be charged again.');

  const checkout = await payCheckout({ isMonthly: true });
  await call(app, 'stopRecurringGiftOfCheckout', { params: { orgid: orgId, checkoutid: checkout.id }, as: edith });
  await expectEverywhere(
    (await openGift(checkout)).readViews(),
    'Ended',
    'This gift has ended. You won’t be charged again.',
  );

  const failingGift = await openGift(await payCheckout({ isMonthly: true, card: DECLINED_ON_RENEWAL }));
  await press('clock', { months: '1' });
  await expectEverywhere(failingGift.readViews(), 'Past due', 'We’ll try again around', 'Next try ');
  for (let week = 0; week < 6; week += 1) await press('clock', { seconds: String(7 * 24 * 60 * 60) });
  await expectEverywhere(
    failingGift.readViews(),
    'Ended',
    'This gift ended because we couldn’t charge it.',
    'The card could not be charged.',
  );
});

test('a check is shown as pledged, canceled, received, bounced, and pledged again after a mistake', async () => {
  const pledge = { name: 'Chester Check', email: 'chester@example.org', amount: 75 };
  await call(app, 'pledgeCheck', { params: { orgid: orgId }, body: pledge });
  const params = { orgid: orgId, pledgeid: (await listChecks())[0]?.id ?? '' };
  const renderDialog = () => renderCheckDialog(params.pledgeid);
  const receiveCheck = async () =>
    call(app, 'receivePledge', { params, as: edith, body: { amount: 75, receivedOn: '2026-03-12' } });
  const reverseCheck = async (cause: 'bounced' | 'mistake') => {
    const entryId = (await listChecks())[0]?.entryid ?? '';
    await call(app, 'reversePledge', {
      params,
      as: edith,
      body: { entryid: entryId, cause, reason: 'No such account' },
    });
  };
  const withdrawCheck = (withdrawn: boolean) => call(app, 'withdrawPledge', { params, as: edith, body: { withdrawn } });

  expect(await renderDialog()).toMatch(/Status Waiting .*Pledged /);
  await withdrawCheck(true);
  expect(await renderDialog()).toContain('Status Canceled');
  await withdrawCheck(false);
  await receiveCheck();
  expect(await renderDialog()).toMatch(/Status Received .*Receipt no\. \d+/);
  await reverseCheck('mistake');
  expect(await renderDialog()).toMatch(/Status Waiting .*Reversed .*No such account/);
  await receiveCheck();
  await reverseCheck('bounced');
  expect(await renderDialog()).toMatch(/Status Bounced .*Reversed .*No such account/);
});

test('a suspicious pledge is listed separately until an editor accepts it', async () => {
  const pledge = { name: 'Perry Prank', email: 'perry@example.org', amount: 999_999 };
  await call(app, 'pledgeCheck', { params: { orgid: orgId }, body: pledge });
  const [suspiciousPledge] = await listChecks({ status: 'suspicious' });
  const params = { orgid: orgId, pledgeid: suspiciousPledge?.id ?? '' };
  expect(await renderCheckDialog(params.pledgeid)).toContain('Status Suspicious');
  await call(app, 'withdrawPledge', { params, as: edith, body: { withdrawn: false } });
  expect(await renderCheckDialog(params.pledgeid)).toContain('Status Waiting');
  expect(await listChecks({ status: 'suspicious' })).toEqual([]);
});

test('a tribute card is shown as unpaid, sending, sent, rejected, failed, or test', async () => {
  const tribute = { kind: 'honor', name: 'Ada Lovelace', card: { email: 'grace@example.org' } };
  const body = { cart: [donationItem(25)], tribute };
  const response = await setup.call('POST', callPath('createCheckout', { orgid: orgId }), body, donor);
  const { id, url } = response.json<{ id: string; url: string }>();
  const renderTribute = async () => {
    const { tribute: shownTribute } = (
      await call(app, 'readCheckoutRecord', { params: { orgid: orgId, checkoutid: id }, as: edith })
    ).json<CheckoutRecord>();
    if (!shownTribute) throw new Error('The checkout has no tribute.');
    return renderWords(createElement(TributeSection, { orgId, checkoutId: id, tribute: shownTribute }));
  };
  expect(await renderTribute()).toContain('We’ll email a card to grace@example.org once the payment goes through.');
  await provider.pay(url);
  await provider.deliverEvents();
  // Tribute cards for test payments go only to the mailbox.
  const mailboxDeps = { mailbox: { list: async () => [], read: async () => undefined } };
  const sendCard = async (failure?: Error, emailDeps: object = mailboxDeps) => {
    expect(await renderTribute()).toContain('The card is on its way to');
    const job = jobs.findPayloads(sendTributeCard).findLast(({ checkoutId }) => checkoutId === id);
    const sendEmail = failure ? () => Promise.reject(failure) : async () => {};
    const mailer = { send: sendEmail };
    if (job) await sendTributeCard.run({ ...deps, mailer, ...emailDeps }, job, { isLastAttempt: true }).catch(() => {});
  };
  const sendCardTo = (email: string) =>
    call(app, 'sendCardTo', { params: { orgid: orgId, checkoutid: id }, as: edith, body: { email } });
  await sendCard(new EmailRejectedError('550'));
  expect(await renderTribute()).toMatch(/We couldn’t deliver the card to grace@example\.org\./);
  await sendCardTo('hopper@example.org');
  await sendCard(new Error('out of reach'));
  expect(await renderTribute()).toContain('We couldn’t deliver the card to hopper@example.org.');
  await sendCardTo('lamarr@example.org');
  await sendCard(undefined, {});
  expect(await renderTribute()).toContain('No card was emailed because this is a test payment.');
  await sendCardTo('murray@example.org');
  await sendCard();
  expect(await renderTribute()).toContain('The card was emailed to murray@example.org.');
  expect(await renderMyGiving({ id, paymentUrl: url })).toContain('The card was emailed to murray@example.org.');
});

test('a payout is shown as pending, matching, differing, not received, and included in a later one', async () => {
  const renderPayouts = async () => {
    const readBank = async (query: { month?: string }) =>
      (await call(app, 'readBankMonth', { params: { orgid: orgId }, query, as: edith })).json<BankMonth>();
    // The provider's clock is ahead.
    const { firstMonth, lastMonth } = await readBank({});
    const details: string[] = [];
    for (let month = firstMonth; month <= lastMonth; month = addMonths(month)) {
      for (const line of (await readBank({ month })).lines)
        if (line.kind === 'payout') details.push(renderWords(createElement(PayoutDetails, { orgId, payout: line })));
    }
    return details.join(' ');
  };
  const createPayout = async () => {
    await provider.submitDashboardForm('payouts', {});
    return (await provider.stripe.payouts.list({ limit: 1 })).data[0]?.id ?? '';
  };
  const recordPayoutWithChanges = async (id: string, changes: object) => {
    const payout = await deps.payments.readPayout(id);
    const readPayout = async () => ({ ...(payout as Exclude<typeof payout, Error | 'unknown'>), ...changes });
    await recordPayout({ ...deps, payments: { ...deps.payments, readPayout } }, id);
  };
  await payCheckout({ card: AVAILABLE_IMMEDIATELY });
  const firstPayout = await createPayout();
  await recordPayoutWithChanges(firstPayout, { status: 'in-transit' });
  expect(await renderPayouts()).toMatch(/Expected on .*On its way/);
  await provider.deliverEvents();
  expect(await renderPayouts()).toMatch(/Arrived on .*Adds up/);
  await press(`payouts/${firstPayout}`, {});
  expect(await renderPayouts()).toMatch(/Was expected on .*Returned by the bank.*A later payout includes this money\./);
  await payCheckout({ card: AVAILABLE_IMMEDIATELY });
  await createPayout();
  await provider.deliverEvents();
  expect(await renderPayouts()).toMatch(/This money was included in a later payout/);
  await payCheckout({ card: AVAILABLE_IMMEDIATELY });
  const wrongPayout = await createPayout();
  await recordPayoutWithChanges(wrongPayout, { amount: 1 });
  expect(await renderPayouts()).toContain('Doesn’t add up');
});

test('an attention item shows its reason and amount, then who resolved it and with what note', async () => {
  const metadata = { checkoutId: (await openCheckout()).id, orgId, installation: INSTALLATION };
  const { url } = await provider.stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://elsewhere.example',
    metadata,
    payment_intent_data: { metadata },
    line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 500, product_data: { name: 'Gift' } } }],
  });
  await provider.pay(url ?? '');
  await provider.deliverEvents();
  const readItems = async () =>
    (await call(app, 'readAttention', { params: { orgid: orgId }, as: edith })).json<AttentionItem[]>();
  const renderItems = async () =>
    renderWords(createElement(AttentionSection, { items: await readItems(), zone: 'UTC', onResolve: undefined }));
  expect(await renderItems()).toMatch(
    /1 payment needs attention .*\$5\.00 from Uma User Test payment .*The amount doesn’t match/,
  );
  const params = { orgid: orgId, itemid: (await readItems())[0]?.id ?? '' };
  await call(app, 'resolveAttention', { params, as: edith, body: { note: 'Refunded at the card processor' } });
  expect(await renderItems()).toMatch(
    /Recently resolved payments.*Resolved on .* by Edith Editor: Refunded at the card/,
  );
  await provider.stripe.refunds.create({ charge: await provider.readChargeId(url ?? ''), amount: 300 });
  await provider.deliverEvents();
  expect(await renderItems()).toMatch(
    /\$3\.00 from Uma User Test payment .*It was refunded or disputed, but was never counted\./,
  );
});

test('a receipt without an address and a rejected, failed, or overdue one are listed; a sent one is not', async () => {
  const testOrg = { id: await addOrg(db) };
  const email = 'rita@example.net';
  let editor = await signIn(deps, { editorOf: [testOrg.id], email });
  const renderReceipts = async () => {
    const response = await call(app, 'readUndelivered', { params: { orgid: testOrg.id }, as: editor });
    const context = shown.createPageContext();
    const { queryKey } = undeliveredQuery(context.api, testOrg.id);
    context.client.setQueryData(queryKey, shown.createLoadedList(response.json<UndeliveredReceipt[]>()));
    return renderWords(createElement(ReceiptsTab, { orgId: testOrg.id }), context);
  };
  const deliverReceipt = async (result: 'taken' | 'rejected' | 'failed') => {
    const job = jobs.findPayloads(sendReceiptEmail).findLast(({ orgId }) => orgId === testOrg.id);
    const sendEmail = async () => {
      if (result !== 'taken') throw result === 'rejected' ? new EmailRejectedError('550') : new Error('out of reach');
    };
    if (job) {
      await sendReceiptEmail
        .run({ ...deps, mailer: { send: sendEmail } }, job, { isLastAttempt: true })
        .catch(() => {});
    }
  };
  const makePaidGift = async () => setup.openAndPay({ orgId: testOrg.id });
  await makePaidGift();
  expect(await renderReceipts()).toContain('No receipts to send.');
  await deliverReceipt('taken');
  await makePaidGift();
  await deliverReceipt('rejected');
  expect(await renderReceipts()).toMatch(/Rejected by the mail server .*Code 550/);
  await makePaidGift();
  await deliverReceipt('failed');
  expect(await renderReceipts()).toContain('Couldn’t be emailed');
  await makePaidGift();
  clock.advance(24 * HOUR);
  // The editor's token has expired.
  editor = await signIn(deps, { userId: editor.userId, editorOf: [testOrg.id], email });
  const body = { name: 'Hanna Hand', email: '', amount: 20, received: { receivedOn: '2026-03-12' } };
  const params = { orgid: testOrg.id, pledgeid: 'hanna' };
  expect(readOutcome(await call(app, 'recordPledge', { params, as: editor, body }))).toEqual([200]);
  const finalView = await renderReceipts();
  expect(finalView).toContain('Waiting to be emailed');
  expect(finalView).toMatch(/Hanna Hand No email address/);
  expect(finalView.match(/Gift date /g)).toHaveLength(4);
});

test('the tests above cover every state of a payment, recurring gift, and check', () => {
  const labels = [...Object.values(PAYMENT_LABELS), ...Object.values(PLEDGE_LABELS)].map(({ label }) => label);
  const missingLabels = [...labels, ...RECURRING_GIFT_STATUSES.map((status) => recurringGiftLabel(status))].filter(
    (label) => !renderedTexts.includes(` ${label}`),
  );
  expect(missingLabels).toEqual([]);
});
