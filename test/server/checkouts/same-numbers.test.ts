import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { createElement } from 'react';
import { expect, test } from 'vitest';
import type { Statement } from '#contract/schemas/books.ts';
import type { CheckoutRecord, ListedCheckout } from '#contract/schemas/checkout-records.ts';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Overview } from '#contract/schemas/treasury.ts';
import type { Giving as MyGiving } from '#contract/schemas/users.ts';
import { calculateFeeToAdd } from '#domain/card-fee.ts';
import { type CartItem, cartCarbon, cartTotal, donationItem, MIN_CHECKOUT, offsetItem } from '#domain/cart.ts';
import { OFFSET_TYPES } from '#domain/emissions.ts';
import { effectSentence } from '#domain/gift-effect.ts';
import { formatCents, formatWhole, formatWholeDollars, toPounds } from '#domain/money.ts';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call } from '#test/support/call.ts';
import { startDonationSetup } from '#test/support/donation-setup.ts';
import { renderVisibleText } from '#test/support/render-element.ts';
import { pickRunCount } from '#test/support/run-count.ts';
import { signIn } from '#test/support/sign-in.ts';
import { GiftSummary } from '#web/routes/checkout/gift-summary.tsx';
import { Stats } from '#web/routes/home/sections.tsx';
import { GiftList } from '#web/routes/me/gift-list.tsx';

const setup = await startDonationSetup();
const { app, db, deps, provider } = setup;

const offset = fc
  .record({ type: fc.constantFrom(...OFFSET_TYPES), units: fc.integer({ min: 1, max: 90_000_000 }) })
  .map(({ type, units }) => offsetItem(type, units / 10_000));
const cart = fc
  .array(
    fc.oneof(
      offset,
      fc.integer({ min: 1, max: 2000 }).map((dollars) => donationItem(dollars)),
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .filter((items) => cartTotal(items) >= MIN_CHECKOUT);
const journey = fc.record({
  items: cart,
  coversFee: fc.boolean(),
  returnedShare: fc.double({ min: 0, max: 1, noNaN: true }),
});

const TYPICAL_GRANT = 110_000;

/** Creates an organization with an editor and a donor who has just paid. */
async function makePaidGift(items: readonly CartItem[], coversFee: boolean) {
  const orgId = await addOrg(db, { typical_grant_cents: TYPICAL_GRANT });
  const email = `dora-${randomUUID()}@example.org`;
  const [edith, dora] = [await signIn(deps, { editorOf: [orgId] }), await signIn(deps, { email })];
  const { id, paymentUrl } = await setup.openCheckout(items, { orgId, as: dora, coversFee });
  const cardPage = await (await fetch(paymentUrl)).text();
  await provider.pay(paymentUrl);
  await provider.deliverEvents();
  return { orgId, edith, dora, id, cardPage };
}

type PaidGift = Awaited<ReturnType<typeof makePaidGift>>;

async function sendReceipt({ orgId }: PaidGift): Promise<readonly Email[]> {
  const sentEmails: Email[] = [];
  const mailer = { send: async (email: Email) => void sentEmails.push(email) };
  await sendReceiptEmail.run(
    { ...deps, mailer },
    { orgId, receiptNumber: setup.queuedReceipts.at(-1) ?? 0, mailingId: 'first' },
    { isLastAttempt: false },
  );
  return sentEmails;
}

/** The cents and pounds that each page or export shows as received and remaining. */
async function readAmounts({ orgId, edith, dora, id }: PaidGift) {
  const params = { orgid: orgId };
  const editorRequest = { params, as: edith };
  const csvLines = (await call(app, 'downloadLedger', editorRequest)).body.split('\r\n').slice(1, -1);
  const cells = csvLines.map((line) => line.split(',')).filter(([, , , kind]) => kind !== 'fee');
  const org = (await call(app, 'readOrg', { params })).json<Org>();
  const [listedCheckout] = (await call(app, 'searchCheckouts', { ...editorRequest, body: {} })).json<
    ListedCheckout[]
  >();
  const record = (
    await call(app, 'readCheckoutRecord', { params: { orgid: orgId, checkoutid: id }, as: edith })
  ).json<CheckoutRecord>();
  const { columns } = (await call(app, 'readOverview', { ...editorRequest, query: {} })).json<Overview>();
  const statement = (await call(app, 'readStatement', editorRequest)).json<Statement>();
  const { gifts } = (await call(app, 'readGiving', { params: { userid: dora.userId }, as: dora })).json<MyGiving>();
  const chartValues = columns.flatMap(({ kinds }) => Object.values(kinds));
  const sumValues = (values: readonly (number | undefined)[]) =>
    values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  const toCents = (dollars: number | undefined) => Math.round((dollars ?? Number.NaN) * 100);
  return {
    org,
    gifts,
    remaining: {
      stats: toCents(org.stats.funds),
      csv: toCents(sumValues(cells.map(([, , , , gross]) => Number(gross)))),
      list: toCents(listedCheckout && listedCheckout.total - listedCheckout.refunded),
      record: toCents(sumValues(record.payments.map(({ amount, refunded }) => amount - refunded))),
      chart: toCents(sumValues(chartValues.map(({ amount }) => amount))),
      statement: toCents(statement.all.gifts + statement.all.refunds),
      myGiving: toCents(sumValues(gifts.map(({ amount, returned }) => amount - returned))),
    },
    pounds: {
      stats: org.stats.co2,
      csv: sumValues(cells.map((line) => Number(line[13]))),
      chart: sumValues(chartValues.map(({ carbon }) => carbon)),
      myGiving: sumValues(gifts.map(({ carbon }) => carbon)),
    },
    fees: {
      statement: toCents(statement.all.fees),
      record: toCents(sumValues(record.payments.map(({ fee }) => fee ?? 0))),
    },
  };
}

const expectSame = <Names extends object>(values: Names, expected: number) => {
  for (const [name, value] of Object.entries(values)) expect(value as number, name).toBeCloseTo(expected, 4);
};

test('cart, payment page, receipt, email, books, stats, lists, chart, statement, CSV, and My giving show the same numbers', async () => {
  await fc.assert(
    fc.asyncProperty(journey, async ({ items, coversFee, returnedShare }) => {
      const cartTotalCents = cartTotal(items);
      const fee = coversFee && deps.settings.cardFee ? calculateFeeToAdd(cartTotalCents, deps.settings.cardFee) : 0;
      const total = cartTotalCents + fee;
      const pounds = toPounds(cartCarbon(items));
      const gift = await makePaidGift(items, coversFee);
      const { orgId, id, edith } = gift;
      expect(gift.cardPage).toContain(formatCents(total));
      const checkout = await setup.call('GET', `/api/orgs/${orgId}/checkouts/${id}`);
      expect(Math.round(checkout.json().total * 100)).toBe(total);
      const [email] = await sendReceipt(gift);
      expect(email?.text).toContain(`Amount: ${formatCents(total)}`);
      const effect = effectSentence({
        carbon: cartCarbon(items),
        amount: cartTotalCents,
        typicalGrant: TYPICAL_GRANT,
      });
      expect(email?.text).toContain(effect);
      const checkoutView = checkout.json<Checkout>();
      const summaryProps = {
        checkout: checkoutView,
        stage: 'profile-form',
        tribute: undefined,
        receiptURL: undefined,
        typicalGrant: TYPICAL_GRANT / 100,
      } as const;
      expect(renderVisibleText(createElement(GiftSummary, summaryProps))).toContain(effect);
      const paidAmounts = await readAmounts(gift);
      expectSame(paidAmounts.remaining, total);
      expectSame(paidAmounts.pounds, pounds);
      expect(paidAmounts.fees.statement).toBe(-paidAmounts.fees.record);
      const homeText = renderVisibleText(createElement(Stats, { org: paidAmounts.org, grantResults: undefined }));
      expect(homeText).toContain(formatWholeDollars(total / 100));
      expect(homeText).toContain(formatWhole(pounds));
      expect(renderVisibleText(createElement(GiftList, { gifts: paidAmounts.gifts, offsetters: [] }))).toContain(
        effect,
      );

      const refundCents = Math.round(total * returnedShare);
      if (refundCents === 0) return;
      const record = (
        await call(app, 'readCheckoutRecord', { params: { orgid: orgId, checkoutid: id }, as: edith })
      ).json<CheckoutRecord>();
      const entryId = record.payments[0]?.entryid ?? '';
      const body = { requestid: randomUUID(), entryid: entryId, amount: refundCents / 100, reason: 'Asked for it' };
      const response = await call(app, 'refundPayment', { params: { orgid: orgId, checkoutid: id }, as: edith, body });
      expect(response.statusCode).toBe(200);
      await provider.deliverEvents();
      const finalAmounts = await readAmounts(gift);
      expectSame(finalAmounts.remaining, total - refundCents);
      expectSame(finalAmounts.pounds, finalAmounts.org.stats.co2);
      if (refundCents === total) expect(finalAmounts.org.stats.co2).toBe(0);
      else expect(finalAmounts.org.stats.co2).toBeLessThanOrEqual(pounds);
      expect(await setup.findDifferences()).toEqual([]);
    }),
    { numRuns: pickRunCount(2, 6) },
  );
});
