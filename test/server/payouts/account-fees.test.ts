import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { donationItem } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { formatComparison } from '#scripts/provider/comparison-lines.ts';
import { compareWithProvider } from '#server/features/ledger/compare-with-provider.ts';
import { readAccountFees, recordAccountFees } from '#server/features/payouts/record-account-fees.ts';
import { postAccountFees } from '#server/features/provider-events/post-account-fees.ts';
import { readPayoutList } from '#server/features/provider-events/read-payout-list.ts';
import type { BalanceMovement } from '#server/gateways/payments/balance-facts.ts';
import { runWithTriggersDisabled } from '#test/support/as-owner.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { DAY } from '#test/support/clock.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { backUpTables } from '#test/support/table-backup.ts';

const setup: DonationSetup = await startDonationSetup({ livemode: false });
const { db, deps, orgId, provider } = setup;
const { log } = createLogSpy();

async function give(dollars: number, recipientId = orgId, unit?: 'month') {
  const { paymentUrl } = await setup.openCheckout([donationItem(dollars, unit)], { orgId: recipientId });
  await provider.pay(paymentUrl);
  await provider.deliverEvents();
}

/** Makes a bank debit fail, which costs the account $4. */
async function failDebit() {
  const { paymentUrl } = await setup.openCheckout([donationItem(70)]);
  await provider.payByDebit(paymentUrl);
  await provider.resolveDebits('fail');
  await provider.deliverEvents();
}

async function passDays(days: number) {
  await provider.submitDashboardForm('clock', { seconds: String(days * 86_400) });
  await provider.deliverEvents();
  await postAccountFees(deps, log);
  await readPayoutList(deps, log);
}

async function compare() {
  const comparison = await compareWithProvider(deps);
  if (comparison instanceof Failure) throw comparison;
  return comparison;
}

async function selectAccountFees() {
  const { rows } = await sql<{ org_id: string; reason: string; cents: number; occurred_at: Date }>`
    select e.org_id, e.reason, l.cents, e.occurred_at from ledger_entries e
      join ledger_lines l on l.entry_id = e.id and l.account = 'fees'
    where e.fact like 'account-fee:%' order by e.occurred_at, e.fact`.execute(db.kysely);
  return rows;
}

test('a sole organization gets all account fees, each dated by its balance transaction', async () => {
  await give(100, orgId, 'month');
  await failDebit();
  await passDays(1);
  const { data } = await provider.stripe.balanceTransactions.list({ type: 'stripe_fee' });
  expect(data.map(({ amount, description }) => [amount, description])).toEqual([
    [-70, 'Billing - Usage Fee (2026-03-14)'],
    [-400, 'ACH Direct Debit failure fee'],
  ]);
  expect(await selectAccountFees()).toEqual(
    data
      .map(({ amount, description: reason, created }) => ({
        org_id: orgId,
        reason,
        cents: -amount,
        occurred_at: new Date(created * 1000),
      }))
      .toReversed(),
  );
  expect(await setup.findDifferences()).toEqual([]);
});

test('a fee is split among organizations by the last 30 days of charges and posted once', async () => {
  await passDays(31);
  const otherOrgId = await addOrg(db);
  await give(25, otherOrgId);
  const initialFees = await selectAccountFees();
  // The monthly gift was renewed for $100.
  await failDebit();
  await Promise.all([1, 2, 3].map(() => readAccountFees(deps)));
  await readAccountFees(deps);
  const parts = (await selectAccountFees()).slice(initialFees.length);
  expect(new Map(parts.map(({ org_id, cents }) => [org_id, cents]))).toEqual(
    new Map([
      [orgId, 320],
      [otherOrgId, 80],
    ]),
  );
  expect(await setup.findDifferences()).toEqual([]);
});

test('a payout with fees reconciles, and a missing share or fee is detected', async () => {
  await passDays(4);
  const { rows } = await sql<{ org_id: string | null; fees: number }>`
    select org_id, sum(fee_cents)::int8 as fees from payout_movements where kind = 'fee' group by 1`.execute(db.kysely);
  expect(rows.find(({ org_id }) => org_id === orgId)).toEqual({ org_id: orgId, fees: 70 + 400 + 70 + 320 });
  expect(rows.filter(({ org_id }) => org_id === null)).toEqual([]);
  expect((await compare()).differences).toEqual([]);
  expect(await setup.findDifferences()).toEqual([]);
  const restore = await backUpTables(db);
  const postedEntries = await db.kysely.selectFrom('payout_entries').selectAll().execute();
  const lostPayout = postedEntries[0]?.payout_id;
  const payoutEntryIds = sql`select entry_id from payout_entries where payout_id = ${lostPayout}`;
  await runWithTriggersDisabled(db, (tx) =>
    sql`delete from ledger_lines where entry_id in (${payoutEntryIds})`.execute(tx),
  );
  const feeEntryIds = sql`select id from ledger_entries where fact like 'account-fee:%' and org_id <> ${orgId}`;
  await runWithTriggersDisabled(db, (tx) =>
    sql`delete from ledger_lines where entry_id in (${feeEntryIds})`.execute(tx),
  );
  const lines = formatComparison(await compare(), false);
  const problems = (await setup.findDifferences()).map(({ subject, problem }) => `${subject} ${problem}`);
  await restore();
  expect(lines.filter((line) => line.includes('the books have'))).toEqual([
    expect.stringMatching(/^fee txn_\w+: the books have -\$3\.20, the provider has -\$4\.00$/),
    expect.stringMatching(new RegExp(`^payout ${lostPayout}: the books have .*, the provider has `)),
  ]);
  expect(problems).toContainEqual(
    expect.stringMatching(/^account fee txn_\w+ is 400 cents; its entries add up to 320$/),
  );
});

test('a fee is not posted if it predates every organization or no organization uses its currency', async () => {
  const initialFees = await selectAccountFees();
  const fee = { id: 'txn_early', amount: 99, currency: 'usd', description: 'Radar' };
  await recordAccountFees(deps, [{ ...fee, occurredAt: new Date(setup.clock.now().getTime() - 400 * DAY) }], false);
  await recordAccountFees(deps, [{ ...fee, id: 'txn_foreign', currency: 'eur', occurredAt: setup.clock.now() }], false);
  expect(await selectAccountFees()).toEqual(initialFees);
});

test('an account fee in another currency isn’t a difference', async () => {
  const fee: BalanceMovement = {
    id: 'txn_eur_fee',
    kind: 'fee',
    type: 'stripe_fee',
    description: 'Radar',
    subjectId: undefined,
    chargeId: undefined,
    intentId: undefined,
    origin: 'unmarked',
    isInTransit: false,
    amount: -99,
    fee: 0,
    currency: 'eur',
    occurredAt: setup.clock.now(),
  };
  const compareWith = async (movement: BalanceMovement) => {
    const listMovements: typeof deps.payments.listMovements = (onPage, since) =>
      provider.payments.listMovements((page) => onPage([...page, movement]), since);
    const comparison = await compareWithProvider({ ...deps, payments: { ...provider.payments, listMovements } });
    if (comparison instanceof Failure) throw comparison;
    return comparison.differences;
  };
  expect(await compareWith(fee)).toEqual([]);
  expect(await compareWith({ ...fee, currency: 'usd' })).toMatchObject([{ kind: 'fees', id: fee.id }]);
});

test('a fee is posted even if the first checkouts were deleted', async () => {
  const sumFees = async () => (await selectAccountFees()).reduce((sum, { cents }) => sum + cents, 0);
  const initialSum = await sumFees();
  const restore = await backUpTables(db);
  await runWithTriggersDisabled(db, (tx) => sql`delete from checkouts`.execute(tx));
  const fee = { id: 'txn_first', amount: 400, currency: 'usd', description: 'ACH Direct Debit failure fee' };
  await recordAccountFees(deps, [{ ...fee, occurredAt: setup.clock.now() }], false);
  const sum = await sumFees();
  await restore();
  expect(sum - initialSum).toBe(400);
});
