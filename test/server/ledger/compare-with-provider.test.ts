// @spec decisions.3
import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { donationItem } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { formatComparison } from '#scripts/provider/comparison-lines.ts';
import { compareWithProvider } from '#server/features/ledger/compare-with-provider.ts';
import { summarizeMonthEnds } from '#server/features/ledger/month-ends.ts';
import { readOperationEvents, recordOperationEvent } from '#server/features/operation/operation.store.ts';
import { recordComparison, runNightlyComparison } from '#server/features/operation/verify-books.ts';
import { readAccountFees } from '#server/features/payouts/record-account-fees.ts';
import { readPayoutList } from '#server/features/provider-events/read-payout-list.ts';
import type { BalanceMovement } from '#server/gateways/payments/balance-facts.ts';
import type { PaymentLine } from '#server/gateways/payments/payments.ts';
import { createStripePayments } from '#server/gateways/payments/stripe-payments.ts';
import { runWithTriggersDisabled } from '#test/support/as-owner.ts';
import { unreachableProvider } from '#test/support/build-app.ts';
import { parseSessionId } from '#test/support/card-provider.ts';
import { DAY, HOUR } from '#test/support/clock.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { backUpTables } from '#test/support/table-backup.ts';

const setup: DonationSetup = await startDonationSetup({ livemode: false });
const { db, deps, provider } = setup;

async function makePaidGift(cart = [donationItem(25)]) {
  const checkout = await setup.openCheckout(cart);
  await provider.pay(checkout.paymentUrl);
  await provider.deliverEvents();
  return { ...checkout, charge: await provider.readChargeId(checkout.paymentUrl) };
}

async function compare() {
  await readAccountFees(deps);
  const comparison = await compareWithProvider(deps);
  if (comparison instanceof Failure) throw comparison;
  return comparison;
}

/** Damages the books, returns the reported differences, and restores the books. */
async function compareDamagedBooks(damage: RawBuilder<unknown>): Promise<string[]> {
  await runWithTriggersDisabled(db, (tx) => damage.execute(tx));
  const comparison = await compare();
  await restoreBooks();
  return formatComparison(comparison, false).filter((line) => line.includes('the books have'));
}

/** Pays for an unknown checkout. @returns its charge */
async function payOtherInstallation(installation: string, line: Partial<PaymentLine> = {}): Promise<string> {
  const otherInstallation = createStripePayments({ ...provider.options, installation });
  const otherCheckout = await otherInstallation.createSession({
    orgId: setup.orgId,
    orgName: 'Other',
    checkoutId: `of-${installation}`,
    cart: '',
    userId: undefined,
    giftKey: 'key',
    lines: [{ name: 'Donation', description: 'A gift', amount: 900, ...line }],
    successUrl: 'https://other.example/',
    cancelUrl: 'https://other.example/',
    expiresAt: new Date(setup.clock.now().getTime() + 3_600_000),
  });
  if (otherCheckout instanceof Failure) throw otherCheckout;
  await provider.pay(otherCheckout.url);
  return provider.readChargeId(otherCheckout.url);
}

async function readClosedUntil(): Promise<Date | null | undefined> {
  const query = sql<{ until: Date | null }>`select books_closed_until(${setup.orgId}, false) as until`;
  return (await query.execute(db.kysely)).rows[0]?.until;
}

const plainGift = await makePaidGift();
const refundedGift = await makePaidGift([donationItem(40)]);
const monthlyGift = await makePaidGift([donationItem(10, 'month'), donationItem(5)]);
const disputedGift = await makePaidGift([donationItem(60)]);
const refund = await provider.stripe.refunds.create({ charge: refundedGift.charge, amount: 1500 });
await provider.submitDashboardForm(`charges/${disputedGift.charge}`, { action: 'dispute' });
await provider.submitDashboardForm('clock', { months: '1' });
await provider.deliverEvents();
await readAccountFees(deps);
const restoreBooks = await backUpTables(db);

test('matching books have no difference, and every sum equals the provider’s', async () => {
  const { sums, differences } = await compare();
  expect(differences).toEqual([]);
  expect(sums.map(({ kind, currency }) => [kind, currency])).toEqual([
    ['charges', 'usd'],
    ['refunds', 'usd'],
    ['disputes', 'usd'],
    ['fees', 'usd'],
    ['payouts', 'usd'],
  ]);
  for (const { bookCents, providerCents } of sums) expect(bookCents).toBe(providerCents);
  expect(sums.slice(0, 3).map(({ bookCents }) => bookCents)).toEqual([2500 + 4000 + 1500 + 6000 + 1000, -1500, -6000]);
  const lines = formatComparison(await compare(), false);
  expect(lines[0]).toBe('At the payment provider, test payments:');
  expect(lines[1]).toBe('  charges   books $150.00, provider $150.00');
  expect(lines.at(-1)).toBe('No differences from the payment provider.');
});

test('the month-end line adds up to the provider’s balance and explains the difference from the books', async () => {
  const now = () => new Date('2026-04-20T12:00:00Z');
  const comparison = await compareWithProvider({ ...deps, now });
  if (comparison instanceof Failure) throw comparison;
  const [monthEnd] = comparison.monthEnds;
  if (!monthEnd) throw new Error('There is no month-end.');
  const { data } = await provider.stripe.balanceTransactions.list({
    created: { lt: Date.parse('2026-04-01T04:00:00Z') / 1000 },
    limit: 100,
  });
  const balance = data.reduce((sum, { net }) => sum + net, 0);
  expect(monthEnd).toMatchObject({
    month: '2026-03',
    timeZone: 'America/New_York',
    currency: 'usd',
    openingBalance: 0,
  });
  expect([monthEnd.netMovement, monthEnd.bookCents, monthEnd.gaps]).toEqual([balance, balance, []]);
  const monthEndOptions = {
    timeZone: 'America/New_York',
    now: new Date('2026-05-02T12:00:00Z'),
    resolvedKeys: new Set<string>(),
  };
  const movements: BalanceMovement[] = [];
  await provider.payments.listMovements(async (page) => void movements.push(...page));
  const lateMovements = movements.map((movement) =>
    movement.kind === 'payout' ? { ...movement, occurredAt: new Date('2026-04-30T12:00:00Z') } : movement,
  );
  const reserve = {
    ...lateMovements[0],
    kind: 'other',
    type: 'reserve_hold',
    amount: -2500,
    fee: 0,
  } as BalanceMovement;
  const [april] = summarizeMonthEnds([], [...lateMovements, reserve], monthEndOptions);
  if (!april) throw new Error('There is no month-end.');
  expect(april.gaps.reduce((sum, { amount }) => sum + amount, 0)).toBe(
    april.bookCents - april.openingBalance - april.netMovement,
  );
  expect(april.gaps).toContainEqual({ name: 'reserve', amount: 2500 });
  const lines = formatComparison(
    { ...comparison, monthEnds: [{ ...monthEnd, openingBalance: 100, bookCents: monthEnd.bookCents + 2600 }] },
    false,
  );
  expect(lines).toContainEqual(
    expect.stringMatching(/^ {2}End of March 2026, America\/New_York: \$1\.00 \+ .* in the books$/),
  );
});

const selectLines = (fact: RawBuilder<unknown>) => sql`entry_id in (select id from ledger_entries where fact ${fact})`;

test.each([
  [
    'an unposted refund',
    selectLines(sql`= ${`refund:${refund.id}`}`),
    `refund ${refund.id} of charge ${refundedGift.charge}: the books have nothing, the provider has -$15.00`,
  ],
  [
    'a missing payment',
    selectLines(sql`= ${`checkout-session:${parseSessionId(plainGift.paymentUrl)}`}`),
    `charge ${plainGift.charge}: the books have nothing, the provider has $25.00`,
  ],
  [
    'a missing renewal',
    selectLines(sql`like 'invoice:%'`),
    /^charge ch_\w+: the books have nothing, the provider has \$10\.00$/,
  ],
  [
    'a missing dispute',
    selectLines(sql`like 'dispute:%'`),
    /^dispute \w+ of charge ch_\w+: the books have nothing, the provider has -\$60\.00$/,
  ],
])('compareWithProvider finds %s', async (_name, entries, difference) => {
  const lostReport = await compareDamagedBooks(sql`delete from ledger_lines where ${entries}`);
  expect(lostReport).toEqual([typeof difference === 'string' ? difference : expect.stringMatching(difference)]);
});

test('an entry off by a cent and one unknown to the provider are found', async () => {
  const damagedLine = sql`update ledger_lines set cents = cents + 1 where account = 'provider' and cents = 2500`;
  expect(await compareDamagedBooks(damagedLine)).toEqual([
    `charge ${plainGift.charge}: the books have $25.01, the provider has $25.00`,
  ]);
  const damagedFee = sql`update ledger_lines set cents = cents - 1 where account = 'provider' and cents = -103`;
  expect(await compareDamagedBooks(damagedFee)).toEqual([
    expect.stringMatching(/^fee txn_\w+ of charge ch_\w+: the books have -\$1\.04, the provider has -\$1\.03$/),
  ]);
  const inventCharge = sql`update payments set charge_id = 'ch_invented' where charge_id = ${plainGift.charge}`;
  expect((await compareDamagedBooks(inventCharge)).toSorted()).toEqual([
    `charge ${plainGift.charge}: the books have nothing, the provider has $25.00`,
    'charge ch_invented: the books have $25.00, the provider has nothing',
  ]);
});

test('a lost payment is reported along with its refunds and disputes', async () => {
  const linesFilter = selectLines(sql`= ${`checkout-session:${parseSessionId(monthlyGift.paymentUrl)}`}`);
  await runWithTriggersDisabled(db, (tx) => sql`delete from payments where ${linesFilter}`.execute(tx));
  await runWithTriggersDisabled(db, (tx) => sql`delete from ledger_lines where ${linesFilter}`.execute(tx));
  const { differences } = await compare();
  await restoreBooks();
  expect(differences).toMatchObject([
    { kind: 'charges', chargeId: monthlyGift.charge, owner: { checkoutId: monthlyGift.id } },
  ]);
});

test('a charge not yet on the provider’s balance isn’t a difference for two weeks', async () => {
  const { data } = await provider.stripe.balanceTransactions.list({ source: plainGift.charge });
  const lateCharge = data[0]?.id;
  const payments: typeof deps.payments = {
    ...provider.payments,
    listMovements: (onPage) =>
      provider.payments.listMovements((page) => onPage(page.filter(({ id }) => id !== lateCharge))),
    readCharge: async (id) => {
      const chargeFacts = await provider.payments.readCharge(id);
      if (chargeFacts instanceof Failure || chargeFacts === 'unknown') return chargeFacts;
      return { ...chargeFacts, charge: { ...chargeFacts.charge, settlement: undefined } };
    },
  };
  await runWithTriggersDisabled(db, (tx) =>
    sql`delete from ledger_lines where ${selectLines(sql`= ${`fee:${lateCharge}`}`)}`.execute(tx),
  );
  const comparison = await compareWithProvider({ ...deps, payments });
  const inTwoWeeks = () => new Date(setup.clock.now().getTime() + 14 * DAY);
  const laterComparison = await compareWithProvider({ ...deps, payments, now: inTwoWeeks });
  await restoreBooks();
  expect(comparison).toMatchObject({ differences: [] });
  expect(laterComparison).toMatchObject({
    differences: [{ kind: 'charges', id: plainGift.charge, bookCents: 2500, providerCents: undefined }],
  });
});

test('a payout that hasn’t reached the bank isn’t a difference', async () => {
  await makePaidGift();
  await provider.submitDashboardForm('clock', { seconds: String(2 * 86_400) });
  await provider.deliverEvents();
  expect((await provider.stripe.payouts.list({ status: 'in_transit' })).data).toHaveLength(1);
  expect((await compare()).differences).toEqual([]);
});

test('a gift recorded while the provider is read isn’t a difference', async () => {
  const payments: typeof deps.payments = {
    ...provider.payments,
    listMovements: async (onPage) => {
      const movements = await provider.payments.listMovements(onPage);
      setup.clock.advance(1000);
      await makePaidGift();
      return movements;
    },
  };
  expect(await compareWithProvider({ ...deps, payments })).toMatchObject({ differences: [] });
});

test('a payout with another installation’s charges is compared without them, and they are counted separately', async () => {
  await payOtherInstallation('another', { recurring: { unit: 'month', count: 1 } });
  await provider.submitDashboardForm('clock', { seconds: String(5 * 86_400) });
  await provider.deliverEvents();
  await readPayoutList(deps, createLogSpy().log);
  expect(await compare()).toMatchObject({ differences: [], foreignCharges: 1 });
  const lastDays = { since: new Date(setup.clock.now().getTime() + 40 * DAY) };
  expect(await compareWithProvider(deps, lastDays)).toMatchObject({ differences: [] });
});

test('another installation’s one-time charge is recognized without a request for it', async () => {
  await payOtherInstallation('a fourth');
  const [charge] = (await provider.stripe.charges.list({ limit: 1 })).data;
  const requestedIds: string[] = [];
  const readCharge: typeof deps.payments.readCharge = (id) => {
    requestedIds.push(id);
    return provider.payments.readCharge(id);
  };
  expect(await compareWithProvider({ ...deps, payments: { ...provider.payments, readCharge } })).toMatchObject({
    differences: [],
  });
  expect(charge).toBeDefined();
  expect(requestedIds).not.toContain(charge?.id);
});

test('a payout with another installation’s charges that fails weeks later isn’t a difference', async () => {
  await payOtherInstallation('a third');
  await provider.submitDashboardForm('clock', { seconds: String(5 * 86_400) });
  await provider.deliverEvents();
  const { payout_id: payoutId } = await db.kysely
    .selectFrom('payout_movements')
    .select('payout_id')
    .where('org_id', 'is', null)
    .orderBy('occurred_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const { created } = await provider.stripe.payouts.retrieve(payoutId);
  await provider.submitDashboardForm('clock', { seconds: String(20 * 86_400) });
  await provider.submitDashboardForm(`payouts/${payoutId}`, {});
  await provider.deliverEvents();
  const since = new Date(created * 1000 + 19 * DAY);
  expect(await compareWithProvider(deps, { since })).toMatchObject({ differences: [] });
});

test('reserves are listed separately, and a movement without an entry is a difference', async () => {
  const movementBase = { kind: 'other', subjectId: undefined, chargeId: undefined, intentId: undefined } as const;
  const movementDetails = { origin: 'unmarked', isInTransit: false, fee: 0, currency: 'usd', description: '' } as const;
  const startTime = setup.clock.now();
  const payments: typeof deps.payments = {
    ...provider.payments,
    listMovements: (onPage) =>
      provider.payments.listMovements((page) =>
        onPage([
          ...page,
          {
            ...movementBase,
            ...movementDetails,
            id: 'txn_1',
            type: 'reserve_hold',
            amount: -2500,
            occurredAt: startTime,
          },
          { ...movementBase, ...movementDetails, id: 'txn_2', type: 'topup', amount: 10_000, occurredAt: startTime },
          {
            ...movementBase,
            ...movementDetails,
            id: 'txn_3',
            type: 'something_new',
            amount: -700,
            occurredAt: startTime,
          },
        ]),
      ),
  };
  const comparison = await compareWithProvider({ ...deps, payments });
  if (comparison instanceof Failure) throw comparison;
  const lines = formatComparison(comparison, false);
  expect(lines).toContain('  Not in the books, since it still belongs to the fund: reserve -$25.00');
  expect(lines.filter((line) => line.includes('the books have'))).toEqual([
    'money added manually txn_2: the books have nothing, the provider has $100.00',
    'movement of the unknown type "something_new" txn_3: the books have nothing, the provider has -$7.00',
  ]);
});

test('returns a Failure if the provider is unreachable', async () => {
  expect(await compareWithProvider({ ...deps, payments: unreachableProvider })).toEqual(
    new Failure('payment-unavailable'),
  );
});

test('each night compares everything since both sides last agreed, and a difference stays until it’s resolved', async () => {
  const { loggedProblems, log } = createLogSpy();
  const timeAfterDays = (days: number) => new Date(setup.clock.now().getTime() + days * DAY);
  const sinceTimes: (Date | undefined)[] = [];
  let unassignedMovements: readonly BalanceMovement[] = [];
  const payments: typeof deps.payments = {
    ...provider.payments,
    listMovements: async (onPage, since) => {
      sinceTimes.push(since);
      return provider.payments.listMovements((page) => onPage([...page, ...unassignedMovements]), since);
    },
  };
  const compareAt = async (at: Date) => {
    await runNightlyComparison({ db, payments, livemode: false }, at, log);
    const events = await readOperationEvents(db.kysely);
    return { differences: events.get('provider-compared-test')?.count, agreed: events.get('provider-agreed-test')?.at };
  };
  const firstResult = await compareAt(timeAfterDays(1));
  expect(firstResult).toEqual({ differences: 0, agreed: new Date(timeAfterDays(1).getTime() - 2 * HOUR) });
  const movement = {
    id: 'txn_stray',
    kind: 'refund',
    type: 'refund',
    subjectId: 're_stray',
    chargeId: plainGift.charge,
    description: '',
  } as const;
  const movementDetails = {
    intentId: undefined,
    origin: 'ours',
    isInTransit: false,
    amount: -500,
    fee: 0,
    currency: 'usd',
  } as const;
  unassignedMovements = [{ ...movement, ...movementDetails, occurredAt: timeAfterDays(1) }];
  expect(await compareAt(timeAfterDays(2))).toEqual({ ...firstResult, differences: 1 });
  expect(await compareAt(timeAfterDays(3))).toEqual({ ...firstResult, differences: 1 });
  unassignedMovements = [];
  expect(await compareAt(timeAfterDays(4))).toEqual({
    differences: 0,
    agreed: new Date(timeAfterDays(4).getTime() - 2 * HOUR),
  });
  expect(sinceTimes.map((since) => since !== undefined)).toEqual([false, true, true, true]);
  expect(loggedProblems.filter((line) => line.includes('differ from the payment provider'))).toHaveLength(2);
  // A refund whose last movement is too new to compare delays the agreed moment to before its first movement.
  const earlyTime = new Date(timeAfterDays(4).getTime() + HOUR);
  const lateTime = new Date(timeAfterDays(5).getTime() - HOUR);
  unassignedMovements = [earlyTime, lateTime].map((occurredAt) => ({ ...movement, ...movementDetails, occurredAt }));
  expect(await compareAt(timeAfterDays(5))).toEqual({ differences: 0, agreed: earlyTime });
});

test('a full comparison clears the alarm and closes months up to two hours ago', async () => {
  const now = new Date(setup.clock.now().getTime() + 200 * DAY);
  await recordOperationEvent(db.kysely, 'provider-compared-test', setup.clock.now(), 1);
  const comparison = await compareWithProvider({ ...deps, now: () => now });
  if (comparison instanceof Failure) throw comparison;
  const readRecordedEvents = async () => {
    const events = await readOperationEvents(db.kysely);
    return [events.get('provider-compared-test'), events.get('provider-agreed-test')?.at];
  };
  await recordComparison(deps, comparison, now);
  const agreedAt = new Date(now.getTime() - 2 * HOUR);
  expect(await readRecordedEvents()).toEqual([{ at: now, count: 0 }, agreedAt]);
  const refundDifference = {
    kind: 'refunds',
    id: 're_1',
    currency: 'usd',
    type: undefined,
    chargeId: undefined,
  } as const;
  const amounts = { bookCents: undefined, providerCents: -500, owner: undefined };
  const nextDay = new Date(now.getTime() + DAY);
  const differences = [now, nextDay].map((lastMovedAt) => ({ ...refundDifference, ...amounts, lastMovedAt }));
  await recordComparison(deps, { ...comparison, differences, agreedUntil: nextDay }, nextDay);
  expect(await readRecordedEvents()).toEqual([{ at: nextDay, count: 1 }, agreedAt]);
});

test('a comparison that was recorded while the clock was ahead neither prevents the next one nor closes months', async () => {
  await db.kysely.deleteFrom('operation_events').execute();
  const { created } = await provider.stripe.charges.retrieve(plainGift.charge);
  const now = new Date(created * 1000 + 60 * DAY);
  const wrongTime = new Date(now.getTime() + 400 * DAY);
  await recordOperationEvent(db.kysely, 'provider-compared-test', wrongTime);
  await recordOperationEvent(db.kysely, 'provider-agreed-test', wrongTime);
  const lostEntries = selectLines(sql`= ${`checkout-session:${parseSessionId(plainGift.paymentUrl)}`}`);
  const restore = await backUpTables(db);
  await runWithTriggersDisabled(db, (tx) => sql`delete from ledger_lines where ${lostEntries}`.execute(tx));
  const compareAt = async (time: Date) => {
    await runNightlyComparison({ db, payments: provider.payments, livemode: false }, time, createLogSpy().log);
    const comparison = (await readOperationEvents(db.kysely)).get('provider-compared-test');
    return { comparison, closedUntil: await readClosedUntil() };
  };
  const comparisonWithLoss = await compareAt(now);
  await restore();
  expect(comparisonWithLoss).toEqual({ comparison: { at: now, count: 1 }, closedUntil: null });
  const nextDay = new Date(now.getTime() + DAY);
  const monthStart = new Date('2026-05-01T04:00:00Z');
  expect(await compareAt(nextDay)).toEqual({ comparison: { at: nextDay, count: 0 }, closedUntil: monthStart });
});

test('a pending or failed bank debit isn’t a difference', async () => {
  for (const outcome of ['settle', 'fail'] as const) {
    const { paymentUrl } = await setup.openCheckout([donationItem(70)]);
    await provider.payByDebit(paymentUrl);
    await provider.deliverEvents();
    expect((await compare()).differences).toEqual([]);
    await provider.resolveDebits(outcome);
    await provider.deliverEvents();
    expect((await compare()).differences).toEqual([]);
  }
});

test('a bank debit that settles after both sides agreed is compared, once its report is overdue', async () => {
  await db.kysely.deleteFrom('operation_events').execute();
  const { paymentUrl } = await setup.openCheckout([donationItem(80)]);
  await provider.payByDebit(paymentUrl);
  await provider.deliverEvents();
  const { created } = await provider.stripe.charges.retrieve(await provider.readChargeId(paymentUrl));
  const compareAfter = async (milliseconds: number) => {
    const now = new Date(created * 1000 + milliseconds);
    await runNightlyComparison({ db, payments: provider.payments, livemode: false }, now, createLogSpy().log);
    const events = await readOperationEvents(db.kysely);
    return { differences: events.get('provider-compared-test')?.count, agreed: events.get('provider-agreed-test')?.at };
  };
  const agreement = { differences: 0, agreed: new Date(created * 1000 + DAY - 2 * HOUR) };
  expect(await compareAfter(DAY)).toEqual(agreement);
  await provider.resolveDebits('settle');
  expect(new Date(created * 1000 + 2 * DAY).getUTCHours()).toBe(9);
  expect(await compareAfter(2 * DAY)).toEqual(agreement);
  expect(await compareAfter(2 * DAY + HOUR)).toEqual({ ...agreement, differences: 2 });
  expect(await compareAfter(3 * DAY + HOUR)).toEqual({ ...agreement, differences: 2 });
  await provider.deliverEvents();
  expect(await compareAfter(4 * DAY)).toEqual({
    differences: 0,
    agreed: new Date(created * 1000 + 4 * DAY - 2 * HOUR),
  });
});

test('a payout that arrives after both sides agreed is compared', async () => {
  await makePaidGift([donationItem(900)]);
  await provider.submitDashboardForm('clock', { seconds: String((2 * DAY) / 1000) });
  await provider.deliverEvents();
  const [payout] = (await provider.stripe.payouts.list({ status: 'in_transit' })).data;
  if (!payout) throw new Error('There is no payout.');
  const since = new Date(payout.created * 1000 + 6 * HOUR);
  const until = new Date(since.getTime() + 2 * DAY);
  const compareLater = async () => {
    await readAccountFees(deps);
    const comparison = await compareWithProvider({ ...deps, now: () => until }, { since, until });
    if (comparison instanceof Failure) throw comparison;
    return comparison.differences;
  };
  expect(await compareLater()).toEqual([]);
  await provider.submitDashboardForm('clock', { seconds: String(DAY / 1000) });
  expect(await compareLater()).toMatchObject([
    { kind: 'payouts', id: payout.id, bookCents: undefined, providerCents: -payout.amount },
  ]);
  await provider.deliverEvents();
  expect(await compareLater()).toEqual([]);
});

test('unassigned payments and unknown movements are differences until a person resolves them, and then the month closes', async () => {
  await db.kysely.deleteFrom('operation_events').execute();
  await db.kysely.deleteFrom('attention_items').execute();
  const charge = await payOtherInstallation(provider.options.installation);
  await provider.deliverEvents();
  const topUp: BalanceMovement = {
    id: 'txn_topup',
    kind: 'other',
    type: 'topup',
    description: '',
    subjectId: undefined,
    chargeId: undefined,
    intentId: undefined,
    origin: 'unmarked',
    isInTransit: false,
    amount: 10_000,
    fee: 0,
    currency: 'usd',
    occurredAt: setup.clock.now(),
  };
  const payments: typeof deps.payments = {
    ...provider.payments,
    listMovements: (onPage, since) => provider.payments.listMovements((page) => onPage([...page, topUp]), since),
  };
  const timeAfterDays = (days: number) => new Date(setup.clock.now().getTime() + (90 + days) * DAY);
  const compareAt = async (at: Date) => {
    await runNightlyComparison({ db, payments, livemode: false }, at, createLogSpy().log);
    const comparison = await compareWithProvider({ ...deps, payments, now: () => at });
    if (comparison instanceof Failure) throw comparison;
    const lines = formatComparison(comparison, false);
    return { ...comparison, lines, isClosed: (await readClosedUntil()) != null };
  };
  const resolveAllItems = async () => {
    const openItems = db.kysely.updateTable('attention_items').where('resolved_at', 'is', null);
    const resolvedItems = await openItems
      .set({ resolved_at: timeAfterDays(0), resolution: 'manual', note: 'Looked up' })
      .returningAll()
      .execute();
    return resolvedItems
      .map(({ subject, reason, amount_cents }) => `${subject.split(':')[0]}: ${reason}, ${amount_cents}`)
      .toSorted();
  };
  const initialComparison = await compareAt(timeAfterDays(0));
  expect(initialComparison.isClosed).toBe(false);
  expect(initialComparison.lines.filter((line) => line.includes('the books have'))).toEqual(
    expect.arrayContaining([
      `charge ${charge}: the books have nothing, the provider has $9.00`,
      'money added manually txn_topup: the books have nothing, the provider has $100.00',
    ]),
  );
  expect(await resolveAllItems()).toEqual([
    'movement: movement: money added manually, 10000',
    'session: no-checkout, 900',
  ]);
  const resolvedComparison = await compareAt(timeAfterDays(1));
  expect([resolvedComparison.differences, resolvedComparison.isClosed]).toEqual([[], true]);
  expect(resolvedComparison.lines).toContain('  Not in the books, because it was resolved manually: $108.44');
  const [monthEnd] = resolvedComparison.monthEnds;
  expect(monthEnd?.gaps).toContainEqual({ name: 'resolved manually', amount: -10_844 });
  const gaps = monthEnd?.gaps.reduce((sum, { amount }) => sum + amount, 0);
  expect(gaps).toBe((monthEnd?.bookCents ?? 0) - (monthEnd?.openingBalance ?? 0) - (monthEnd?.netMovement ?? 0));
  // A refund of the resolved charge needs attention again.
  for (const amount of [400, 500]) {
    await provider.stripe.refunds.create({ charge, amount });
    await provider.deliverEvents();
    expect((await compareAt(timeAfterDays(2))).differences).not.toEqual([]);
    expect(await resolveAllItems()).toHaveLength(1);
    expect((await compareAt(timeAfterDays(2))).differences).toEqual([]);
  }
});

test('a refund that waits for the provider’s balance isn’t a difference before or after its money leaves', async () => {
  await restoreBooks();
  await provider.submitDashboardForm('uncovered-refunds', { hold: 'yes' });
  const gift = await makePaidGift([donationItem(900)]);
  const pendingRefund = await provider.stripe.refunds.create({ charge: gift.charge, amount: 2000 });
  expect(pendingRefund).toMatchObject({ status: 'pending', pending_reason: 'insufficient_funds' });
  const readGiftDifferences = async () =>
    (await compare()).differences.filter(({ chargeId }) => chargeId === gift.charge);
  await provider.deliverEvents();
  expect(await readGiftDifferences()).toEqual([]);
  await provider.submitDashboardForm('clock', { seconds: String((3 * DAY) / 1000) });
  expect(await readGiftDifferences()).toMatchObject([{ kind: 'refunds', id: pendingRefund.id, providerCents: -2000 }]);
  await provider.deliverEvents();
  expect(await readGiftDifferences()).toEqual([]);
  await provider.submitDashboardForm('uncovered-refunds', { hold: 'no' });
});
