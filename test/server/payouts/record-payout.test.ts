// @spec decisions.3
import fc from 'fast-check';
import { sql } from 'kysely';
import type Stripe from 'stripe';
import { afterEach, expect, test, vi } from 'vitest';
import type { CheckoutSums } from '#contract/schemas/checkout-records.ts';
import type { BodyInput } from '#contract/schemas.ts';
import type { Account } from '#domain/books.ts';
import { donationItem } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { splitCents } from '#domain/payout.ts';
import { recordCharge } from '#server/features/payments/record-charge.ts';
import { listPayoutsToReassign } from '#server/features/payouts/payouts.store.ts';
import { recordPayout } from '#server/features/payouts/record-payout.ts';
import { readPayoutList } from '#server/features/provider-events/read-payout-list.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call } from '#test/support/call.ts';
import { DAY } from '#test/support/clock.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { pickRunCount } from '#test/support/run-count.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const setup: DonationSetup = await startDonationSetup();
const { app, db, deps, orgId, provider } = setup;
const { stripe } = provider;
const otherOrgId = await addOrg(db);
const { log } = createLogSpy();

const INSTANT_BALANCE_CARD = '4000 0000 0000 0077';

async function give(dollars: number, recipientId = orgId) {
  const checkout = await setup.openCheckout([donationItem(dollars)], { orgId: recipientId });
  await provider.pay(checkout.paymentUrl, INSTANT_BALANCE_CARD);
  return provider.readChargeId(checkout.paymentUrl);
}

async function payOut() {
  await provider.submitDashboardForm('payouts', {});
  const [payout] = (await stripe.payouts.list({ limit: 1 })).data;
  if (!payout) throw new Error('Nothing was paid out.');
  return payout;
}

/** @param orgIdPattern '%' for all organizations */
async function readBalances(orgIdPattern = orgId): Promise<Partial<Record<Account, number>>> {
  const { rows } = await sql<{ account: Account; cents: number }>`
    select l.account, sum(l.cents)::int8 as cents from ledger_lines l join ledger_entries e on e.id = l.entry_id
    where e.org_id like ${orgIdPattern} group by l.account`.execute(db.kysely);
  return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]));
}

const countPayoutEntries = async () =>
  (await db.kysely.selectFrom('payout_entries').select('entry_id').execute()).length;

/** Pays out the remaining balance so each test starts clean. */
afterEach(async () => {
  await provider.deliverEvents();
  const { available } = await stripe.balance.retrieve();
  if ((available[0]?.amount ?? 0) > 0) await payOut();
  await provider.deliverEvents();
  expect(await setup.findDifferences()).toEqual([]);
  expect(await listPayoutsToReassign(db.kysely)).toEqual([]);
});

test('each organization gets its share of a payout: gifts minus fees, refunds, and disputes', async () => {
  const [initialBalances, otherBalances] = [await readBalances(), await readBalances(otherOrgId)];
  const charge = await give(100);
  const disputedGift = await give(40);
  await give(60, otherOrgId);
  await provider.submitDashboardForm(`charges/${charge}`, { action: 'refund', amount: '10.00' });
  await provider.submitDashboardForm(`charges/${disputedGift}`, { action: 'dispute' });
  const payout = await payOut();
  await provider.deliverEvents();
  // $140 less fees of $3.20, $1.46, and $15, the refund, and the dispute; $60 less $2.04.
  const [ownShare, otherShare] = [14_000 - 320 - 146 - 1500 - 1000 - 4000, 6000 - 204];
  expect(payout.amount).toBe(ownShare + otherShare);
  expect((await readBalances()).bank).toBe((initialBalances.bank ?? 0) + ownShare);
  expect((await readBalances(otherOrgId)).bank).toBe((otherBalances.bank ?? 0) + otherShare);
  expect((await readBalances()).provider ?? 0).toBe(initialBalances.provider ?? 0);
  const rows = await db.kysely
    .selectFrom('payout_movements')
    .innerJoin('payments', 'payments.entry_id', 'payout_movements.entry_id')
    .select(['kind', 'payout_movements.org_id', 'payments.payout_id as named'])
    .where('payout_movements.payout_id', '=', payout.id)
    .execute();
  expect(rows.map(({ kind, org_id }) => `${kind} ${org_id === orgId ? 'here' : 'there'}`).sort()).toEqual([
    'dispute here',
    'payment here',
    'payment here',
    'payment there',
    'refund here',
  ]);
  expect(new Set(rows.map(({ named: id }) => id))).toEqual(new Set([payout.id]));
  await provider.submitDashboardForm(`disputes/${(await stripe.disputes.list({ charge: disputedGift })).data[0]?.id}`, {
    outcome: 'win',
  });
});

const arrivalDay = (payout: Stripe.Payout) => new Date(payout.arrival_date * 1000).toISOString().slice(0, 10);

const HEADINGS = ['Kind', 'Gross', 'Fee', 'Net', 'Refunded', 'Payout', 'Arrived at the bank', 'Paid out'];

async function exportLedgerLines(exportedOrgId: string, as: SignedInPerson): Promise<string[]> {
  const csv = (await call(app, 'downloadLedger', { params: { orgid: exportedOrgId }, as })).body
    .trimEnd()
    .split('\r\n');
  const names = (csv[0] ?? '').replace(/^\ufeff/, '').split(',');
  const lines = csv.slice(1).map((line) => HEADINGS.map((name) => line.split(',')[names.indexOf(name)]).join(' '));
  return lines.sort();
}

test('the ledger table has fees, net, refunds, and payout columns, and a search totals them', async () => {
  const exportedOrgId = await addOrg(db);
  const as = await signIn(deps, { editorOf: [exportedOrgId] });
  const gifts = [await give(100, exportedOrgId), await give(40, exportedOrgId), await give(25, exportedOrgId)];
  await provider.submitDashboardForm(`charges/${gifts[0]}`, { action: 'refund', amount: '10.00' });
  await provider.submitDashboardForm(`charges/${gifts[1]}`, { action: 'dispute' });
  const payout = await payOut();
  await provider.deliverEvents();
  const [id, day] = [payout.id, arrivalDay(payout)];
  expect(await exportLedgerLines(exportedOrgId, as)).toEqual([
    `dispute 0.00  0.00  ${id} ${day} `,
    `fee 0.00 15.00 -15.00  ${id} ${day} `,
    `payment 100.00 3.20 96.80 10.00 ${id} ${day} `,
    `payment 25.00 1.03 23.97 0.00 ${id} ${day} `,
    `payment 40.00 1.46 38.54 0.00 ${id} ${day} `,
    `payout 0.00    ${id} ${day} 94.31`,
    `refund -10.00  -10.00  ${id} ${day} `,
  ]);
  const fetchSums = async (body: BodyInput<'sumCheckouts'>) =>
    (await call(app, 'sumCheckouts', { params: { orgid: exportedOrgId }, as, body })).json<CheckoutSums>();
  // The net equals the payout amount.
  expect(await fetchSums({})).toEqual({
    checkouts: 3,
    gross: 165,
    refunded: 10,
    fees: 20.69,
    disputed: 40,
    net: 94.31,
  });
  expect(await fetchSums({ query: '$100' })).toEqual({
    checkouts: 1,
    gross: 100,
    refunded: 10,
    fees: 3.2,
    disputed: 0,
    net: 86.8,
  });
  expect(await fetchSums({ status: 'disputed' })).toMatchObject({ checkouts: 1, gross: 40, fees: 16.46 });
  expect(await fetchSums({ to: '2000-01-01' })).toEqual({
    checkouts: 0,
    gross: 0,
    refunded: 0,
    fees: 0,
    disputed: 0,
    net: 0,
  });
  // Test money can't be paid out.
  await sql`insert into payment_mode (livemode) values (true)`.execute(db.kysely);
  expect(await fetchSums({})).toMatchObject({ checkouts: 3, gross: 0, fees: 0 });
  await sql`delete from payment_mode`.execute(db.kysely);
});

test('a payout that is recorded concurrently, and before its payments, is posted once', async () => {
  const [initialBalances, entries] = [await readBalances(), await countPayoutEntries()];
  await give(50);
  const payout = await payOut();
  const recordings = await Promise.all([1, 2, 3].map(() => recordPayout(deps, payout.id)));
  expect(recordings).toEqual([1, 2, 3].map(() => ({ outcome: 'recorded' })));
  await provider.deliverEvents();
  await recordPayout(deps, payout.id);
  expect(await countPayoutEntries()).toBe(entries + 1);
  expect((await readBalances()).bank).toBe((initialBalances.bank ?? 0) + payout.amount);
});

test('a pending payout doesn’t count toward the bank balance yet', async () => {
  const initialBalances = await readBalances();
  await give(20);
  const readAsInTransit: typeof deps.payments.readPayout = async (id) => {
    const facts = await deps.payments.readPayout(id);
    return facts instanceof Failure || facts === 'unknown' ? facts : { ...facts, status: 'in-transit' };
  };
  const payout = await payOut();
  await recordPayout({ ...deps, payments: { ...deps.payments, readPayout: readAsInTransit } }, payout.id);
  expect((await readBalances()).bank ?? 0).toBe(initialBalances.bank ?? 0);
  await provider.deliverEvents();
  expect((await readBalances()).bank).toBe((initialBalances.bank ?? 0) + payout.amount);
  // An older report changes nothing.
  await recordPayout({ ...deps, payments: { ...deps.payments, readPayout: readAsInTransit } }, payout.id);
  expect((await readBalances()).bank).toBe((initialBalances.bank ?? 0) + payout.amount);
});

test('a failed payout’s money returns to the balance and arrives with a later payout', async () => {
  const [initialBalances, otherBalances] = [await readBalances(), await readBalances(otherOrgId)];
  await give(30);
  await give(10, otherOrgId);
  const failedPayout = await payOut();
  await provider.deliverEvents();
  await provider.submitDashboardForm(`payouts/${failedPayout.id}`, {});
  await provider.deliverEvents();
  expect((await readBalances()).bank ?? 0).toBe(initialBalances.bank ?? 0);
  await give(5);
  const laterPayout = await payOut();
  await provider.deliverEvents();
  expect((await readBalances()).bank).toBe((initialBalances.bank ?? 0) + 3000 - 117 + 500 - 45);
  expect((await readBalances(otherOrgId)).bank).toBe((otherBalances.bank ?? 0) + 1000 - 59);
  expect(laterPayout.amount).toBe(failedPayout.amount + 500 - 45);
  const { replacement_payout_id } = await db.kysely
    .selectFrom('payouts')
    .select('replacement_payout_id')
    .where('id', '=', failedPayout.id)
    .executeTakeFirstOrThrow();
  expect(replacement_payout_id).toBe(laterPayout.id);
});

test('the ledger table names the payout that arrived after two others failed', async () => {
  const newOrgId = await addOrg(db);
  await give(100, newOrgId);
  const payouts = [await payOut()];
  await provider.deliverEvents();
  for (let failures = 0; failures < 2; failures += 1) {
    await provider.submitDashboardForm(`payouts/${payouts[0]?.id}`, {});
    setup.clock.advance(DAY);
    payouts.unshift(await payOut());
    await provider.deliverEvents();
  }
  const [last] = payouts;
  if (!last) throw new Error('Nothing was paid out.');
  const as = await signIn(deps, { editorOf: [newOrgId] });
  expect(await exportLedgerLines(newOrgId, as)).toContain(
    `payment 100.00 3.20 96.80 0.00 ${last.id} ${arrivalDay(last)} `,
  );
});

test('unreported payouts are found in the provider’s list, including those with late payments', async () => {
  const initialBalances = await readBalances();
  await give(70);
  const payout = await payOut();
  // An unknown charge makes its checkout look like another installation's.
  const paymentsWithoutCharge = { ...deps.payments, readCharge: async () => 'unknown' as const };
  await readPayoutList({ ...deps, payments: paymentsWithoutCharge }, log);
  expect((await readBalances()).bank ?? 0).toBe(initialBalances.bank ?? 0);
  await provider.deliverEvents();
  await readPayoutList(deps, log);
  expect((await readBalances()).bank).toBe((initialBalances.bank ?? 0) + payout.amount);
});

test('a late payment is assigned to the replacement payout', async () => {
  const initialBalances = await readBalances();
  const charge = await give(80);
  const failedPayout = await payOut();
  const depsWithoutCharge = { ...deps, payments: { ...deps.payments, readCharge: async () => 'unknown' as const } };
  await readPayoutList(depsWithoutCharge, log);
  await provider.submitDashboardForm(`payouts/${failedPayout.id}`, {});
  const laterPayout = await payOut();
  await readPayoutList(depsWithoutCharge, log);
  expect((await readBalances()).bank ?? 0).toBe(initialBalances.bank ?? 0);
  await recordCharge(deps, charge);
  await readPayoutList(deps, log);
  expect((await readBalances()).bank).toBe((initialBalances.bank ?? 0) + laterPayout.amount);
});

test('a late payment is assigned to each replacement payout even after a provider outage', async () => {
  const initialBalances = await readBalances();
  const charge = await give(90);
  const depsWithoutCharge = { ...deps, payments: { ...deps.payments, readCharge: async () => 'unknown' as const } };
  const payouts = [await payOut()];
  await readPayoutList(depsWithoutCharge, log);
  for (let failures = 0; failures < 2; failures += 1) {
    await provider.submitDashboardForm(`payouts/${payouts[0]?.id}`, {});
    payouts.unshift(await payOut());
    await readPayoutList(depsWithoutCharge, log);
  }
  const [last, second] = payouts;
  expect((await readBalances()).bank ?? 0).toBe(initialBalances.bank ?? 0);
  await recordCharge(deps, charge);
  const readPayout: typeof deps.payments.readPayout = async (id) =>
    id === second?.id ? new Failure('payment-unavailable') : deps.payments.readPayout(id);
  await readPayoutList({ ...deps, payments: { ...deps.payments, readPayout } }, log);
  await readPayoutList(deps, log);
  expect((await readBalances()).bank).toBe((initialBalances.bank ?? 0) + (last?.amount ?? 0));
});

const readAttentionItems = (payoutId: string) =>
  db.kysely.selectFrom('attention_items').selectAll().where('subject', '=', `payout:${payoutId}`).execute();

async function payOutInstantly(amount: string) {
  await provider.submitDashboardForm('payouts', { by: 'instant', amount });
  const [payout] = (await stripe.payouts.list({ limit: 1 })).data;
  if (!payout) throw new Error('Nothing was paid out.');
  return payout;
}

test('an instant payout is split by each organization’s balance, and its fee is posted', async () => {
  const [initialBalances, otherBalances, totalBalances] = [
    await readBalances(),
    await readBalances(otherOrgId),
    await readBalances('%'),
  ];
  await give(100);
  await give(25, otherOrgId);
  await provider.deliverEvents();
  const [ownBefore, otherBefore] = [await readBalances(), await readBalances(otherOrgId)];
  const instantPayout = await payOutInstantly('60.00');
  await provider.deliverEvents();
  const [ownAfter, otherAfter] = [await readBalances(), await readBalances(otherOrgId)];
  const balanceMinusNewFees = (earlier: typeof ownBefore, current: typeof ownBefore) =>
    (earlier.provider ?? 0) - ((current.fees ?? 0) - (earlier.fees ?? 0));
  const [ownPart = 0, otherPart = 0] = splitCents(6000, [
    balanceMinusNewFees(ownBefore, ownAfter),
    balanceMinusNewFees(otherBefore, otherAfter),
  ]);
  expect(ownAfter.bank).toBe((initialBalances.bank ?? 0) + ownPart);
  expect(otherAfter.bank).toBe((otherBalances.bank ?? 0) + otherPart);
  expect(await db.kysely.selectFrom('account_fees').select('amount_cents').execute()).toEqual([{ amount_cents: 60 }]);
  expect(await readAttentionItems(instantPayout.id)).toEqual([]);
  const laterPayout = await payOut();
  await provider.deliverEvents();
  expect(laterPayout.amount).toBe(12_500 - 320 - 103 - 6000 - 60);
  expect((await readBalances('%')).bank).toBe((totalBalances.bank ?? 0) + 6000 + laterPayout.amount);
});

test('a manual payout that is already split isn’t read again', async () => {
  await give(100);
  await provider.deliverEvents();
  await payOutInstantly('60.00');
  await provider.deliverEvents();
  await readPayoutList(deps, log);
  const readPayout = vi.fn((id: string) => deps.payments.readPayout(id));
  await readPayoutList({ ...deps, payments: { ...deps.payments, readPayout } }, log);
  expect(readPayout).not.toHaveBeenCalled();
});

test('a manual payout larger than all balances needs attention; resolving the item posts the payout', async () => {
  const initialTotals = await readBalances('%');
  const charge = await give(40);
  const payout = await payOutInstantly('30.00');
  await recordPayout(deps, payout.id);
  await readPayoutList(deps, log);
  expect(await readAttentionItems(payout.id)).toMatchObject([{ org_id: null, amount_cents: 3000, resolved_at: null }]);
  expect((await readBalances('%')).bank ?? 0).toBe(initialTotals.bank ?? 0);
  const resolution = { resolved_at: setup.clock.now(), resolution: 'manual', note: 'It is entirely ours.' } as const;
  await db.kysely.updateTable('attention_items').set(resolution).where('subject', '=', `payout:${payout.id}`).execute();
  await readPayoutList(deps, log);
  expect((await readBalances('%')).bank).toBe((initialTotals.bank ?? 0) + 3000);
  await recordCharge(deps, charge);
});

test('an instant payout that failed before it was reported isn’t included in the next payout', async () => {
  const initialTotals = await readBalances('%');
  await give(100);
  const failedPayout = await payOutInstantly('60.00');
  const laterPayout = await payOut();
  await provider.submitDashboardForm(`payouts/${failedPayout.id}`, {});
  await provider.deliverEvents();
  expect((await readBalances('%')).bank).toBe((initialTotals.bank ?? 0) + laterPayout.amount);
  expect(await setup.findDifferences()).toEqual([]);
});

test('a late payment splits a manual payout and corrects the next payout', async () => {
  const initialTotals = await readBalances('%');
  await give(45);
  const payout = await payOutInstantly('20.00');
  await recordPayout(deps, payout.id);
  expect(await readAttentionItems(payout.id)).toMatchObject([{ resolved_at: null }]);
  const depsWithoutCharge = { ...deps, payments: { ...deps.payments, readCharge: async () => 'unknown' as const } };
  const laterPayout = await payOut();
  await recordPayout(depsWithoutCharge, laterPayout.id);
  await provider.deliverEvents();
  await readPayoutList(deps, log);
  expect(await readAttentionItems(payout.id)).toMatchObject([{ note: 'Counted later.' }]);
  expect((await readBalances('%')).bank).toBe((initialTotals.bank ?? 0) + 2000 + laterPayout.amount);
});

const dollars = fc.integer({ min: 5, max: 900 });
const anyNumber = fc.nat({ max: 1000 });
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ action: fc.constantFrom('give' as const, 'give there' as const), number: dollars }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      action: fc.constantFrom('refund' as const, 'dispute' as const, 'fail' as const),
      number: anyNumber,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      action: fc.constantFrom('pay out' as const, 'instantly' as const, 'deliver' as const),
      number: anyNumber,
    }),
  },
);

test('the books match the provider’s balance and the bank to the cent, in any order of events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const charges: string[] = [];
      for (const nextStep of steps) {
        setup.clock.advance(1000);
        const charge = charges[nextStep.number % charges.length];
        // A request that the provider rejects, such as one for a second dispute, changes nothing.
        const press = (path: string, fields: Record<string, string>) =>
          provider.submitDashboardForm(path, fields).catch(() => {});
        if (nextStep.action === 'give') charges.push(await give(nextStep.number));
        if (nextStep.action === 'give there') charges.push(await give(nextStep.number, otherOrgId));
        if (nextStep.action === 'refund' && charge)
          await press(`charges/${charge}`, { action: 'refund', amount: '1.50' });
        if (nextStep.action === 'dispute' && charge) await press(`charges/${charge}`, { action: 'dispute' });
        if (nextStep.action === 'pay out') await press('payouts', {});
        if (nextStep.action === 'instantly') await press('payouts', { by: 'instant', amount: `${nextStep.number}.00` });
        if (nextStep.action === 'fail') {
          const { data } = await stripe.payouts.list({ limit: 3 });
          const payout = data[nextStep.number % data.length];
          if (payout) await press(`payouts/${payout.id}`, {});
        }
        if (nextStep.action === 'deliver') await provider.deliverEvents();
      }
      await provider.deliverEvents();
      await readPayoutList(deps, log);
      const books = await readBalances('%');
      const balance = await stripe.balance.retrieve();
      const providerCents = [...balance.available, ...balance.pending].reduce((sum, { amount }) => sum + amount, 0);
      expect(books.provider ?? 0).toBe(providerCents);
      let arrivedCents = 0;
      for await (const { status, amount } of stripe.payouts.list()) arrivedCents += status === 'paid' ? amount : 0;
      expect(books.bank ?? 0).toBe(arrivedCents);
      expect(await setup.findDifferences()).toEqual([]);
    }),
    { numRuns: pickRunCount(1, 6) },
  );
}, 60_000);
