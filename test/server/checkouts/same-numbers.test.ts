import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { createElement } from 'react';
import { expect, test } from 'vitest';
import type { MonthlyStatement } from '#contract/schemas/books.ts';
import type { CheckoutRecord, ListedCheckout } from '#contract/schemas/checkout-records.ts';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Overview } from '#contract/schemas/treasury.ts';
import type { Giving as MyGiving } from '#contract/schemas/users.ts';
import { feeToAdd } from '#domain/card-fee.ts';
import { type CartItem, cartCarbon, cartTotal, donationItem, MINIMUM_CHECKOUT, offsetItem } from '#domain/cart.ts';
import { OFFSET_TYPES } from '#domain/emissions.ts';
import { effectSentence } from '#domain/gift-effect.ts';
import { formatCents, formatWhole, formatWholeDollars, poundsOf } from '#domain/money.ts';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call } from '#test/support/call.ts';
import { startGiving } from '#test/support/giving.ts';
import { wordsOf } from '#test/support/render-element.ts';
import { signIn } from '#test/support/sign-in.ts';
import { runs } from '#test/support/sizes.ts';
import { GiftSummary } from '#web/routes/checkout/gift-summary.tsx';
import { Stats } from '#web/routes/home/sections.tsx';
import { GiftList } from '#web/routes/me/gift-list.tsx';

const giving = await startGiving();
const { app, db, deps, provider } = giving;

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
  .filter((items) => cartTotal(items) >= MINIMUM_CHECKOUT);
const journey = fc.record({
  items: cart,
  coversFee: fc.boolean(),
  returned: fc.double({ min: 0, max: 1, noNaN: true }),
});

const TYPICAL_GRANT = 110_000;

/** A new organization, its editor, and a donor who has just paid. */
async function give(items: readonly CartItem[], coversFee: boolean) {
  const orgid = await addOrg(db, { typical_grant_cents: TYPICAL_GRANT });
  const email = `dora-${randomUUID()}@example.org`;
  const [edith, dora] = [await signIn(deps, { editorOf: [orgid] }), await signIn(deps, { email })];
  const { id, paymentUrl } = await giving.open(items, { orgId: orgid, as: dora, coversFee });
  const cardPage = await (await fetch(paymentUrl)).text();
  await provider.pay(paymentUrl);
  await provider.deliver();
  return { orgid, edith, dora, id, cardPage };
}

type Given = Awaited<ReturnType<typeof give>>;

async function mailsOf({ orgid }: Given): Promise<readonly Mail[]> {
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void sent.push(mail), close: async () => {} };
  await sendReceiptEmail.run(
    { ...deps, mailer },
    { orgId: orgid, receiptNumber: giving.queuedReceipts.at(-1) ?? 0 },
    { isLast: false },
  );
  return sent;
}

/** The cents and pounds that each page or export shows as received and remaining. */
async function surfaces({ orgid, edith, dora, id }: Given) {
  const params = { orgid };
  const asEditor = { params, as: edith };
  const csv = (await call(app, 'downloadLedger', asEditor)).body.split('\r\n').slice(1, -1);
  const cells = csv.map((line) => line.split(',')).filter(([, , , kind]) => kind !== 'fee');
  const org = (await call(app, 'readOrg', { params })).json<Org>();
  const [listed] = (await call(app, 'searchCheckouts', { ...asEditor, body: {} })).json<ListedCheckout[]>();
  const record = (
    await call(app, 'readCheckoutRecord', { params: { orgid, checkoutid: id }, as: edith })
  ).json<CheckoutRecord>();
  const { columns } = (await call(app, 'readOverview', { ...asEditor, query: {} })).json<Overview>();
  const month = (await call(app, 'readMonth', asEditor)).json<MonthlyStatement>();
  const { gifts } = (await call(app, 'readGiving', { params: { userid: dora.userId }, as: dora })).json<MyGiving>();
  const chartValues = columns.flatMap(({ kinds }) => Object.values(kinds));
  const add = (values: readonly (number | undefined)[]) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  const cents = (dollars: number | undefined) => Math.round((dollars ?? Number.NaN) * 100);
  return {
    org,
    gifts,
    kept: {
      stats: cents(org.stats.funds),
      csv: cents(add(cells.map(([, , , , gross]) => Number(gross)))),
      list: cents(listed && listed.total - listed.refunded),
      record: cents(add(record.payments.map(({ amount, refunded }) => amount - refunded))),
      chart: cents(add(chartValues.map(({ amount }) => amount))),
      statement: cents(month.all.gifts + month.all.refunds),
      mine: cents(add(gifts.map(({ amount, returned }) => amount - returned))),
    },
    pounds: {
      stats: org.stats.co2,
      csv: add(cells.map((line) => Number(line[13]))),
      chart: add(chartValues.map(({ carbon }) => carbon)),
      mine: add(gifts.map(({ carbon }) => carbon)),
    },
    fees: { statement: cents(month.all.fees), record: cents(add(record.payments.map(({ fee }) => fee ?? 0))) },
  };
}

const expectSame = <Names extends object>(values: Names, expected: number) => {
  for (const [name, value] of Object.entries(values)) expect(value as number, name).toBeCloseTo(expected, 4);
};

test('cart, payment page, receipt, email, books, stats, lists, chart, statement, CSV, and My giving show the same numbers', async () => {
  await fc.assert(
    fc.asyncProperty(journey, async ({ items, coversFee, returned }) => {
      const cartTotalCents = cartTotal(items);
      const fee = coversFee && deps.cardFee ? feeToAdd(cartTotalCents, deps.cardFee) : 0;
      const total = cartTotalCents + fee;
      const pounds = poundsOf(cartCarbon(items));
      const gift = await give(items, coversFee);
      const { orgid, id, edith } = gift;
      expect(gift.cardPage).toContain(formatCents(total));
      const checkout = await giving.call('GET', `/api/orgs/${orgid}/checkouts/${id}`);
      expect(Math.round(checkout.json().total * 100)).toBe(total);
      const [mail] = await mailsOf(gift);
      expect(mail?.text).toContain(`Amount: ${formatCents(total)}`);
      const effect = effectSentence({
        carbon: cartCarbon(items),
        amount: cartTotalCents,
        typicalGrant: TYPICAL_GRANT,
      });
      expect(mail?.text).toContain(effect);
      const checkoutView = checkout.json<Checkout>();
      const shown = {
        checkout: checkoutView,
        stage: 'asking',
        tribute: undefined,
        receiptURL: undefined,
        typicalGrant: TYPICAL_GRANT / 100,
      } as const;
      expect(wordsOf(createElement(GiftSummary, shown))).toContain(effect);
      const paidSurfaces = await surfaces(gift);
      expectSame(paidSurfaces.kept, total);
      expectSame(paidSurfaces.pounds, pounds);
      expect(paidSurfaces.fees.statement).toBe(-paidSurfaces.fees.record);
      const home = wordsOf(createElement(Stats, { org: paidSurfaces.org, done: undefined }));
      expect(home).toContain(formatWholeDollars(total / 100));
      expect(home).toContain(formatWhole(pounds));
      expect(wordsOf(createElement(GiftList, { gifts: paidSurfaces.gifts, offsetters: [] }))).toContain(effect);

      const back = Math.round(total * returned);
      if (back === 0) return;
      const record = (
        await call(app, 'readCheckoutRecord', { params: { orgid, checkoutid: id }, as: edith })
      ).json<CheckoutRecord>();
      const entryid = record.payments[0]?.entryid ?? '';
      const body = { requestid: randomUUID(), entryid, amount: back / 100, reason: 'Asked for it' };
      const response = await call(app, 'refundPayment', { params: { orgid, checkoutid: id }, as: edith, body });
      expect(response.statusCode).toBe(200);
      await provider.deliver();
      const finalSurfaces = await surfaces(gift);
      expectSame(finalSurfaces.kept, total - back);
      expectSame(finalSurfaces.pounds, finalSurfaces.org.stats.co2);
      if (back === total) expect(finalSurfaces.org.stats.co2).toBe(0);
      else expect(finalSurfaces.org.stats.co2).toBeLessThanOrEqual(pounds);
      expect(await giving.differences()).toEqual([]);
    }),
    { numRuns: runs(2, 6) },
  );
});
