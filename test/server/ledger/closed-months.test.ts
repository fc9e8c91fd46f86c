// @spec decisions.3
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Statement } from '#contract/schemas/books.ts';
import type { CheckoutRecord } from '#contract/schemas/checkout-records.ts';
import type { FirstSteps } from '#contract/schemas/first-steps.ts';
import type { OrgSettings } from '#contract/schemas/orgs.ts';
import { checkLines } from '#domain/books.ts';
import { donationItem } from '#domain/cart.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { recordOperationEvent } from '#server/features/operation/operation.store.ts';
import { runNightlyComparison } from '#server/features/operation/verify-books.ts';
import { runWithTriggersDisabled } from '#test/support/as-owner.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addGrant } from '#test/support/builders/grant.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call } from '#test/support/call.ts';
import { DAY } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { startDonationSetup } from '#test/support/donation-setup.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { signIn } from '#test/support/sign-in.ts';

const MAY = new Date('2026-05-04T12:00:00Z');

test('an entry for a closed month is booked when it’s reported, in its organization’s time zone and payment mode', async () => {
  const db = await createTestDatabase();
  await recordOperationEvent(db.kysely, 'provider-agreed-test', new Date('2026-05-01T06:00:00Z'));
  const postPayment = (orgId: string, occurredAt: string, livemode = false) =>
    inTransaction(db, async (tx) => {
      const entry = { orgId, kind: 'payment', amount: 500, carbon: 0, currency: 'usd', livemode } as const;
      const times = { occurredAt: new Date(occurredAt), reportedAt: MAY };
      const id = await postEntry(tx, { ...entry, ...times, fact: `${orgId} ${occurredAt} ${livemode}` });
      const bookedQuery = tx
        .selectFrom('ledger_entries')
        .select('booked_at')
        .where('id', '=', id ?? '');
      return (await bookedQuery.executeTakeFirstOrThrow()).booked_at.toISOString();
    });
  const newYork = await addOrg(db);
  expect(await postPayment(newYork, '2026-05-01T03:59:59.999Z')).toBe(MAY.toISOString());
  expect(await postPayment(newYork, '2026-05-01T04:00:00.000Z')).toBe('2026-05-01T04:00:00.000Z');
  expect(await postPayment(newYork, '2026-03-03T12:00:00.000Z', true)).toBe('2026-03-03T12:00:00.000Z');
  // In that time zone it's still April.
  const losAngeles = await addOrg(db, { time_zone: 'America/Los_Angeles' });
  expect(await postPayment(losAngeles, '2026-05-01T03:59:59.999Z')).toBe('2026-05-01T03:59:59.999Z');
  expect(await postPayment(losAngeles, '2026-04-01T06:59:59.999Z')).toBe(MAY.toISOString());
  const sample = await addOrg(db, { is_sample: true });
  expect(await postPayment(sample, '2025-03-03T12:00:00.000Z')).toBe('2025-03-03T12:00:00.000Z');
});

test('checks and grants still post to a reconciled month until a treasurer closes the month', async () => {
  const db = await createTestDatabase();
  await recordOperationEvent(db.kysely, 'provider-agreed-test', new Date('2026-05-01T06:00:00Z'));
  const orgId = await addOrg(db, { time_zone: 'America/New_York' });
  const grantId = await addGrant(db, orgId);
  let count = 0;
  const post = async (kind: 'check' | 'grant' | 'promise' | 'reversal' | 'payment', occurredAt: string) => {
    count += 1;
    const amount = { check: 500, payment: 500, reversal: -500, grant: 0, promise: 0 }[kind];
    const lines = { check: checkLines(500), reversal: checkLines(-500), grant: { bank: -500, grants: 500 } };
    const fact = `${kind === 'reversal' ? 'check-reversal' : 'test'}:${count}`;
    const entry = { orgId, kind, fact, amount, carbon: 0, currency: 'usd', livemode: false };
    return inTransaction(db, async (tx) => {
      const id = await postEntry(tx, {
        ...entry,
        ...(kind in lines ? { lines: lines[kind as keyof typeof lines] } : {}),
        ...(amount === 0 ? { grantId } : {}),
        occurredAt: new Date(occurredAt),
        reportedAt: MAY,
      });
      const query = tx
        .selectFrom('ledger_entries')
        .select('booked_at')
        .where('id', '=', id ?? '');
      return (await query.executeTakeFirstOrThrow()).booked_at.toISOString();
    });
  };
  const changeMonth = (action: 'closed' | 'reopened', month: string) =>
    db.kysely
      .insertInto('month_changes')
      .values({ org_id: orgId, month, action, reason: action === 'closed' ? null : 'A check was missing' })
      .execute();
  const april = '2026-04-20T12:00:00.000Z';
  for (const kind of ['check', 'reversal', 'grant', 'promise'] as const) expect(await post(kind, april)).toBe(april);
  expect(await post('payment', april)).toBe(MAY.toISOString());

  await changeMonth('closed', '2026-04');
  for (const kind of ['check', 'reversal', 'grant', 'promise'] as const) {
    expect(await post(kind, april)).toBe(MAY.toISOString());
    // Earlier months are closed too.
    expect(await post(kind, '2026-01-20T12:00:00.000Z')).toBe(MAY.toISOString());
  }
  // The month ends at midnight in New York.
  expect(await post('check', '2026-05-01T03:59:59.999Z')).toBe(MAY.toISOString());
  expect(await post('check', '2026-05-01T04:00:00.000Z')).toBe('2026-05-01T04:00:00.000Z');

  await changeMonth('reopened', '2026-04');
  expect(await post('check', april)).toBe(april);
});

test('another time zone is rejected once a month with entries is closed, whose amounts don’t change', async () => {
  const db = await createTestDatabase();
  const deps = await createTestDeps(db, { now: () => MAY });
  const app = await buildTestApp(deps);
  /** Adds an organization with a gift. The gift’s date is April 30 in New York and May 1 in Tokyo. */
  const addFund = async (occurredAt: string) => {
    const orgId = await addOrg(db, { time_zone: 'America/New_York' });
    const entry = { orgId, kind: 'payment', fact: orgId, amount: 500, carbon: 0, currency: 'usd' } as const;
    await inTransaction(db, (tx) => postEntry(tx, { ...entry, occurredAt: new Date(occurredAt), reportedAt: MAY }));
    const as = await signIn(deps, { editorOf: [orgId] });
    const params = { orgid: orgId };
    return {
      changeMonth: (action: 'closed' | 'reopened') =>
        db.kysely
          .insertInto('month_changes')
          .values({
            org_id: orgId,
            month: '2026-04',
            action,
            reason: action === 'closed' ? null : 'A check was missing',
          })
          .execute(),
      readApril: async () => (await call(app, 'readStatement', { params, query: { period: '2026-04' }, as })).json(),
      readTimeZoneFacts: async () => {
        const settings = (await call(app, 'readOrgSettings', { params, as })).json<OrgSettings>();
        const steps = (await call(app, 'readFirstSteps', { params, as })).json<FirstSteps>();
        return [settings.canChangeTimeZone, steps.find(({ step }) => step === 'time-zone')?.state];
      },
      edit: (body: object) => call(app, 'editOrg', { params, as, body }),
    };
  };
  const evening = '2026-05-01T02:00:00Z';
  const rejection = { status: 409, code: 'time-zone-in-books', field: 'timeZone' };

  const fund = await addFund(evening);
  expect((await fund.edit({ timeZone: 'Asia/Tokyo' })).statusCode).toBe(200);
  expect((await fund.edit({ timeZone: 'America/New_York' })).statusCode).toBe(200);
  expect(await fund.readTimeZoneFacts()).toEqual([true, 'open']);
  await fund.changeMonth('closed');
  expect(await fund.readTimeZoneFacts()).toEqual([false, 'done']);
  const april = await fund.readApril();
  expect(april).toMatchObject({ all: { gifts: 5 } });
  expect((await fund.edit({ timeZone: 'Asia/Tokyo', name: 'Hill Fund' })).json()).toMatchObject(rejection);
  expect(await fund.readApril()).toEqual(april);
  expect((await fund.edit({ timeZone: 'America/New_York', name: 'Hill Fund' })).json()).toMatchObject({
    name: 'Hill Fund',
  });
  await fund.changeMonth('reopened');
  expect((await fund.edit({ timeZone: 'Asia/Tokyo' })).statusCode).toBe(200);

  const [oldFund, newFund] = [await addFund(evening), await addFund(MAY.toISOString())];
  await recordOperationEvent(db.kysely, 'provider-agreed-test', new Date('2026-05-01T06:00:00Z'));
  expect((await oldFund.edit({ timeZone: 'Asia/Tokyo' })).json()).toMatchObject(rejection);
  expect((await newFund.edit({ timeZone: 'Asia/Tokyo' })).statusCode).toBe(200);
});

test('a debit that settles after its month was closed changes a later statement, which shows the original date', async () => {
  const setup = await startDonationSetup({ livemode: false });
  const { db, app, clock, provider, orgId } = setup;
  await setup.openAndPay();
  clock.advance(16 * DAY);
  const debit = await setup.openCheckout([donationItem(70)]);
  await provider.payByDebit(debit.paymentUrl);
  await provider.deliverEvents();
  clock.advance(3 * DAY);
  const edith = await signIn(setup.deps, { editorOf: [orgId] });
  await runNightlyComparison(setup.deps, clock.now(), createLogSpy().log);
  const readMonth = async (name: string) =>
    (
      await call(app, 'readStatement', { params: { orgid: orgId }, query: { period: name }, as: edith })
    ).json<Statement>();
  const march = await readMonth('2026-03');
  await provider.resolveDebits('settle');
  await provider.deliverEvents();
  expect(await readMonth('2026-03')).toEqual(march);
  const lateDates = { bookedOn: '2026-04-02', datedOn: '2026-03-30' };
  expect(await readMonth('2026-04')).toMatchObject({
    lateEntries: [
      { kind: 'payment', amount: 70, ...lateDates },
      { kind: 'fee', amount: -0.56, ...lateDates },
    ],
  });
  const download = async (name: 'downloadLedger' | 'downloadQuickBooks', query: Record<string, string>) =>
    (await call(app, name, { params: { orgid: orgId }, query, as: edith })).body;
  expect(await download('downloadLedger', { from: '2026-04-01' })).toMatch(
    /\r\n2026-04-02,[^,]+,2026-03-30,payment,70.00/,
  );
  expect(await download('downloadQuickBooks', { period: '2026-04' })).toContain(
    'Gift receipt 1002 dated March 30 2026,70.00',
  );
  const record = await call(app, 'readCheckoutRecord', { params: { orgid: orgId, checkoutid: debit.id }, as: edith });
  expect(record.json<CheckoutRecord>().history).toContainEqual(
    expect.objectContaining({
      kind: 'entry',
      at: clock.now().toISOString(),
      datedTimestamp: expect.stringMatching('^2026-03-30'),
    }),
  );
  const { document } = await db.kysely
    .selectFrom('receipts')
    .select('document')
    .where('checkout_id', '=', debit.id)
    .executeTakeFirstOrThrow();
  expect(document).toMatchObject({ givenOn: '2026-03-30' });
  expect(await setup.findDifferences()).toEqual([]);
  const moveEntries = sql`update ledger_entries set booked_at = booked_at + interval '1 month' where checkout_id = ${debit.id}`;
  await runWithTriggersDisabled(db, (tx) => moveEntries.execute(tx));
  expect(await setup.findDifferences()).toHaveLength(2);
});
