// @spec 2.checkouts-screen 7.search-checkouts decisions.3
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { NEXT_CURSOR_HEADER, POSITION_HEADER } from '#contract/calls.ts';
import type { CheckoutSums, CheckRecord, ListedGift, ListedRenewal } from '#contract/schemas/checkout-records.ts';
import type { Pledge } from '#contract/schemas/pledges.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { newId } from '#server/db/new-id.ts';
import { runWithTriggersDisabled } from '#test/support/as-owner.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addGift, addRenewal, MONTHLY_CART } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { pickRunCount } from '#test/support/run-count.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const deps = await createTestDeps(db);
const app = await buildTestApp(deps);

type SearchBody = NonNullable<BodyInput<'searchCheckouts'>>;

async function createFund() {
  const orgid = await addOrg(db);
  const as = await signIn(deps, { editorOf: [orgid] });
  const search = async (body: SearchBody = {}) => {
    const response = await call(app, 'searchCheckouts', { params: { orgid }, as, body: { kind: 'all', ...body } });
    return {
      ids: response.json<ListedGift[]>().map(({ id }) => id),
      next: response.headers[NEXT_CURSOR_HEADER],
      position: Number(response.headers[POSITION_HEADER] ?? Number.NaN),
    };
  };
  const sums = async (body: BodyInput<'sumCheckouts'> = {}) =>
    (await call(app, 'sumCheckouts', { params: { orgid }, as, body: { kind: 'all', ...body } })).json<CheckoutSums>();
  return { orgid, as, search, sums };
}
type Fund = Awaited<ReturnType<typeof createFund>>;

const march = (day: number) => new Date(Date.UTC(2026, 2, day, 12));

/** Receives a pledged check for $80.50 with this check number. */
function receiveCheck({ orgid, as }: Fund, pledgeid: string, checkNumber: string, receivedOn = '2026-03-12') {
  return call(app, 'receivePledge', {
    params: { orgid, pledgeid },
    as,
    body: { amount: 80.5, receivedOn, checkNumber },
  });
}

test('checkouts and checks form one list, with checks sorted by the day they were received', async () => {
  const ourFund = await createFund();
  const card = await addCheckout(db, ourFund.orgid, { created_at: march(11), total_cents: 5000 });
  const pledgedCheck = await addPledge(db, ourFund.orgid, { created_at: march(10), amount_cents: 20_000 });
  const receivedCheck = await addPledge(db, ourFund.orgid, { created_at: march(2), amount_cents: 10_000 });
  await receiveCheck(ourFund, receivedCheck, '1077');
  expect((await ourFund.search()).ids).toEqual([receivedCheck, card, pledgedCheck]);
  expect((await ourFund.search({ sort: 'amount' })).ids).toEqual([pledgedCheck, receivedCheck, card]);
  expect((await ourFund.search({ sort: 'amount', order: 'asc' })).ids).toEqual([card, receivedCheck, pledgedCheck]);
  expect((await ourFund.search({ kind: 'card' })).ids).toEqual([card]);
  expect((await ourFund.search({ kind: 'check' })).ids).toEqual([receivedCheck, pledgedCheck]);
  expect((await ourFund.search({ from: '2026-03-12' })).ids).toEqual([receivedCheck]);
  const defaultSearch = await call(app, 'searchCheckouts', {
    params: { orgid: ourFund.orgid },
    as: ourFund.as,
    body: {},
  });
  expect(defaultSearch.json<ListedGift[]>().map(({ id }) => id)).toEqual([card]);
});

test('a gift is found by the number of its receipt or check, and by name, email, amount, and id', async () => {
  const ourFund = await createFund();
  const { checkoutId: card } = await addGift(db, ourFund.orgid, {
    display_name: 'Clara Card',
    email: 'clara@example.org',
  });
  const check = await addPledge(db, ourFund.orgid, { name: 'Clara Check', email: 'clara@example.org' });
  const { receiptNumber: number } = (await receiveCheck(ourFund, check, 'A-1077')).json<Pledge>();
  const findIds = async (query: string) => (await ourFund.search({ query })).ids.toSorted();
  for (const query of [`${number}`, `no. ${number}`, `Receipt no. ${number}`, 'A-1077', 'clara check', '80.50', check])
    expect(await findIds(query), query).toEqual([check]);
  expect(await findIds('clara')).toEqual([card, check].toSorted());
  expect(await findIds('clara@example.org')).toEqual([card, check].toSorted());
  expect(await findIds('A-1078')).toEqual([]);
  const otherFund = await createFund();
  expect((await otherFund.search({ query: `${number}` })).ids).toEqual([]);
});

test('a number matches receipts, check numbers, and amounts', async () => {
  const ourFund = await createFund();
  const checkWithNumber = await addPledge(db, ourFund.orgid, { created_at: march(3) });
  await receiveCheck(ourFund, checkWithNumber, '250');
  const checkoutWithAmount = await addCheckout(db, ourFund.orgid, { created_at: march(1), total_cents: 25_000 });
  const checkWithBoth = await addPledge(db, ourFund.orgid, {
    created_at: march(2),
    amount_cents: 25_000,
    check_number: '250',
  });
  expect((await ourFund.search({ query: '250' })).ids).toEqual([checkWithNumber, checkWithBoth, checkoutWithAmount]);
  expect((await ourFund.search({ query: '#250' })).ids).toEqual([checkWithNumber, checkWithBoth]);
});

test('check statuses narrow a search, and paid gifts include received checks', async () => {
  const ourFund = await createFund();
  const unpaidCheckout = await addCheckout(db, ourFund.orgid, { created_at: march(9) });
  const paidCheckout = await addCheckout(db, ourFund.orgid, { created_at: march(8), payment_status: 'paid' });
  const receivedCheck = await addPledge(db, ourFund.orgid);
  await receiveCheck(ourFund, receivedCheck, '1', '2026-03-07');
  const pledgedCheck = await addPledge(db, ourFund.orgid, { created_at: march(6) });
  const suspiciousCheck = await addPledge(db, ourFund.orgid, { created_at: march(5), suspicious: true });
  const canceledCheck = await addPledge(db, ourFund.orgid, { created_at: march(4), status: 'withdrawn' });
  const bouncedCheck = await addPledge(db, ourFund.orgid, { created_at: march(3), status: 'withdrawn', bounced: true });
  expect((await ourFund.search({ status: 'paid' })).ids).toEqual([paidCheckout, receivedCheck]);
  expect((await ourFund.search({ status: 'unpaid' })).ids).toEqual([unpaidCheckout]);
  expect((await ourFund.search({ status: 'pledged' })).ids).toEqual([pledgedCheck]);
  expect((await ourFund.search({ status: 'suspicious' })).ids).toEqual([suspiciousCheck]);
  expect((await ourFund.search({ status: 'withdrawn' })).ids).toEqual([canceledCheck]);
  expect((await ourFund.search({ status: 'bounced' })).ids).toEqual([bouncedCheck]);
  expect((await ourFund.search({ status: 'disputed', kind: 'check' })).ids).toEqual([]);
  expect((await ourFund.search({ group: 'received' })).ids).toEqual([
    paidCheckout,
    receivedCheck,
    pledgedCheck,
    bouncedCheck,
  ]);
  expect((await ourFund.search({ group: 'attempts' })).ids).toEqual([unpaidCheckout, suspiciousCheck, canceledCheck]);
});

test('pages in every sort order contain each gift once, forward and back, and report their position in the list', async () => {
  const ourFund = await createFund();
  let recurringCheckoutId = '';
  for (let count = 0; count < 23; count += 1) {
    if (count % 3 === 1) recurringCheckoutId = newId();
    // Some gifts share a time or an amount.
    const [givenAt, cents] = [march(1 + (count % 4)), 1000 * (1 + (count % 3))];
    if (count % 3 === 0) await addPledge(db, ourFund.orgid, { created_at: givenAt, amount_cents: cents });
    else if (count % 3 === 1)
      await addCheckout(db, ourFund.orgid, { id: recurringCheckoutId, created_at: givenAt, total_cents: cents });
    else await addRenewal(db, ourFund.orgid, { checkoutId: recurringCheckoutId, chargedAt: givenAt, cents });
  }
  const order = fc.record({
    sort: fc.constantFrom('date' as const, 'amount' as const),
    order: fc.constantFrom('asc' as const, 'desc' as const),
    max: fc.integer({ min: 1, max: 30 }),
  });
  await fc.assert(
    fc.asyncProperty(order, async (body) => {
      const allIds = (await ourFund.search({ ...body, max: 50 })).ids;
      expect(new Set(allIds).size).toBe(23);
      let ids: string[] = [];
      let cursorRef: string | undefined;
      do {
        const page = await ourFund.search({ ...body, cursorRef });
        expect(page.position).toBe(ids.length);
        if (cursorRef !== undefined) {
          const previousPage = await ourFund.search({ ...body, cursorRef: page.ids[0], isNext: false });
          expect(previousPage.ids).toEqual(ids.slice(-body.max));
          expect(previousPage.position).toBe(ids.length - previousPage.ids.length);
        }
        ids = [...ids, ...page.ids];
        cursorRef = page.next === undefined ? undefined : String(page.next);
      } while (cursorRef !== undefined);
      expect(ids).toEqual(allIds);
    }),
    { numRuns: pickRunCount(4, 40) },
  );
});

/** Creates a fund with a monthly gift that began on March 14 and renewed on April 14, May 14, and June 14. */
async function createRecurringFund() {
  const ourFund = await createFund();
  const { checkoutId, ledgerEntryId } = await addGift(db, ourFund.orgid, {
    cart: MONTHLY_CART,
    display_name: 'Fatima Noor',
    email: 'fatima@example.org',
    created_at: march(14),
  });
  const renew = (month: number, renewal: Partial<Parameters<typeof addRenewal>[2]> = {}) =>
    addRenewal(db, ourFund.orgid, {
      checkoutId,
      chargedAt: new Date(Date.UTC(2026, month - 1, 14, 12)),
      cents: 1000,
      feeCents: 59,
      ...renewal,
    });
  const renewals = [
    await renew(4),
    await renew(5, { status: 'refunded', returnedCents: 1000 }),
    await renew(6, { status: 'lost', returnedCents: 1000, cents: 1200 }),
  ] as const;
  return { ...ourFund, checkoutId, ledgerEntryId, renewals };
}

async function readReceiptNumber(entryId: string): Promise<string> {
  const receipts = db.kysely.selectFrom('receipts').where('ledger_entry_id', '=', entryId);
  return `${(await receipts.select('printed_number').executeTakeFirstOrThrow()).printed_number}`;
}

test('each renewal is a row with its own date, amount, status, and receipt', async () => {
  const ourFund = await createRecurringFund();
  const { checkoutId, orgid, as } = ourFund;
  const [april, may, june] = ourFund.renewals;
  const ids = [june, may, april];
  const findIds = async (body: SearchBody) => (await ourFund.search(body)).ids;
  expect(await findIds({})).toEqual([...ids, checkoutId]);
  expect(await findIds({ kind: 'online' })).toEqual([...ids, checkoutId]);
  expect(await findIds({ kind: 'card' })).toEqual([checkoutId]);
  expect(await findIds({ kind: 'check' })).toEqual([]);
  expect(await findIds({ from: '2026-05-14', to: '2026-05-14' })).toEqual([may]);
  expect(await findIds({ query: '12.00' })).toEqual([june]);
  expect(await findIds({ query: await readReceiptNumber(april) })).toEqual([april]);
  expect(await findIds({ query: `no. ${await readReceiptNumber(ourFund.ledgerEntryId)}` })).toEqual([checkoutId]);
  expect(await findIds({ query: 'fatima noor' })).toEqual([...ids, checkoutId]);
  expect(await findIds({ query: 'fatima@example.org' })).toEqual([...ids, checkoutId]);
  expect(await findIds({ query: may })).toEqual([may]);
  expect(await findIds({ query: checkoutId })).toEqual([...ids, checkoutId]);
  expect(await findIds({ status: 'paid' })).toEqual([april, checkoutId]);
  expect(await findIds({ status: 'refunded' })).toEqual([may]);
  expect(await findIds({ status: 'disputed' })).toEqual([june]);
  expect(await findIds({ group: 'received' })).toEqual([...ids, checkoutId]);
  expect(await findIds({ group: 'attempts' })).toEqual([]);
  const [row] = (
    await call(app, 'searchCheckouts', { params: { orgid }, as, body: { kind: 'online', status: 'refunded' } })
  ).json<ListedRenewal[]>();
  expect(row).toMatchObject({
    id: may,
    checkoutid: checkoutId,
    total: 10,
    refunded: 10,
    paymentStatus: 'refunded',
    displayName: 'Fatima Noor',
    createdTimestamp: '2026-05-14T12:00:00.000Z',
  });
  expect(row?.cart).toHaveLength(1);
  const otherFund = await createFund();
  expect((await otherFund.search({ query: may })).ids).toEqual([]);
  const otherFundRequest = { params: { orgid: otherFund.orgid }, as: otherFund.as, body: { cursorRef: may } };
  expect(readOutcome(await call(app, 'searchCheckouts', otherFundRequest))).toEqual([400, 'unknown-cursor']);
});

test('the totals above the list match its rows', async () => {
  const ourFund = await createRecurringFund();
  const readRows = async (body: SearchBody) =>
    (
      await call(app, 'searchCheckouts', {
        params: { orgid: ourFund.orgid },
        as: ourFund.as,
        body: { kind: 'online', ...body },
      })
    ).json<ListedRenewal[]>();
  for (const body of [{}, { from: '2026-04-14', to: '2026-05-14' }, { status: 'refunded' }, { query: '25' }] as const) {
    const rows = await readRows(body);
    const gross = rows.reduce((sum, { total }) => sum + total, 0);
    const refunded = rows.reduce((sum, row) => sum + row.refunded, 0);
    const fees = (59 * rows.filter(({ checkoutid }) => checkoutid !== undefined).length) / 100;
    expect(await ourFund.sums(body), JSON.stringify(body)).toEqual({
      checkouts: rows.length,
      gross,
      refunded,
      fees,
      disputed: 0,
      net: Math.round((gross - refunded - fees) * 100) / 100,
    });
  }
  expect(await ourFund.sums({ from: '2026-04-14', to: '2026-05-14' })).toMatchObject({ checkouts: 2, gross: 20 });
  expect(await ourFund.sums({ kind: 'card' })).toMatchObject({ checkouts: 1, gross: 25, refunded: 0, fees: 0 });
});

test('renewals disappear with their checkout and are found by their donor’s new name', async () => {
  const ourFund = await createRecurringFund();
  const [april] = ourFund.renewals;
  const updateCheckout = (columns: { display_name?: string | null; email?: null; deleted_at?: Date }) =>
    db.kysely.updateTable('checkouts').set(columns).where('id', '=', ourFund.checkoutId).execute();
  await updateCheckout({ display_name: 'Fatima Haddad' });
  expect((await ourFund.search({ query: 'haddad' })).ids).toHaveLength(4);
  expect((await ourFund.search({ query: 'noor' })).ids).toEqual([]);
  await updateCheckout({ display_name: null, email: null, deleted_at: march(20) });
  expect((await ourFund.search()).ids).toEqual([]);
  expect((await ourFund.search({ query: april })).ids).toEqual([]);
  const payments = db.kysely
    .selectFrom('payments')
    .where('checkout_id', '=', ourFund.checkoutId)
    .where('renewal', '=', true);
  expect(await payments.select('search_vector').execute()).toEqual(Array(3).fill({ search_vector: '' }));
  expect(await ourFund.sums()).toMatchObject({ checkouts: 0, gross: 0 });
});

test('the exported file has a line for each renewal with its own receipt', async () => {
  const ourFund = await createRecurringFund();
  const [april, may, june] = ourFund.renewals;
  const query = { kind: 'online', order: 'asc' } as const;
  const { body } = await call(app, 'downloadCheckouts', { params: { orgid: ourFund.orgid }, query, as: ourFund.as });
  const cells = body
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','));
  expect(cells.map((line) => [line[0], line.at(-6), line.at(-3), line.at(-1)])).toEqual([
    ['2026-03-14', '0.00', await readReceiptNumber(ourFund.ledgerEntryId), ourFund.checkoutId],
    ['2026-04-14', '0.00', await readReceiptNumber(april), april],
    ['2026-05-14', '10.00', await readReceiptNumber(may), may],
    ['2026-06-14', '10.00', await readReceiptNumber(june), june],
  ]);
  expect(body).toContain('"Donation (recurring: monthly), renewal"');
});

test('the totals include checks and count a bounced check as returned', async () => {
  const ourFund = await createFund();
  await addGift(db, ourFund.orgid);
  const emptyFund = await createFund();
  const cardSums = await ourFund.sums({ kind: 'card' });
  const [depositedCheck, bouncedCheck] = [await addPledge(db, ourFund.orgid), await addPledge(db, ourFund.orgid)];
  await receiveCheck(ourFund, depositedCheck, '1');
  const { entryid } = (await receiveCheck(ourFund, bouncedCheck, '2')).json<Pledge>();
  const params = { orgid: ourFund.orgid, pledgeid: bouncedCheck };
  await call(app, 'reversePledge', {
    params,
    as: ourFund.as,
    body: { entryid, cause: 'bounced', reason: 'No account' },
  });
  const checkSums = { checkouts: 2, gross: 161, refunded: 80.5, fees: 0, disputed: 0, net: 80.5 };
  expect(await ourFund.sums({ kind: 'check' })).toEqual(checkSums);
  expect(await ourFund.sums()).toMatchObject({
    checkouts: 3,
    gross: (cardSums.gross ?? 0) + 161,
    net: (cardSums.net ?? 0) + 80.5,
  });
  expect(await emptyFund.sums({ kind: 'check', status: 'refunded' })).toMatchObject({ checkouts: 0, gross: 0, net: 0 });
});

test('more than 10,000 gifts are not counted', async () => {
  const ourFund = await createFund();
  const addPledges = sql`insert into pledges (id, org_id, name, email, amount_cents, created_at)
    select ${newId()} || '-' || n, ${ourFund.orgid}, 'Dora', 'dora@example.org', 100,
      timestamptz '2026-01-01' + n * interval '1 minute'
    from generate_series(1, 10000) n`;
  await runWithTriggersDisabled(db, (tx) => addPledges.execute(tx));
  expect(await ourFund.sums()).toMatchObject({ checkouts: 10_000, gross: 0 });
  expect(await ourFund.sums({ query: 'dora@example.org' })).toMatchObject({ checkouts: 10_000, gross: 0 });
  const oldest = await ourFund.search({ order: 'asc', max: 1 });
  const last = await ourFund.search({ cursorRef: oldest.ids[0], isNext: false, max: 1 });
  expect(last.position).toBe(9998);
  await addPledge(db, ourFund.orgid);
  const unknownSums = { checkouts: null, gross: null, refunded: null, fees: null, disputed: null, net: null };
  expect(await ourFund.sums()).toEqual(unknownSums);
});

test('a check’s record shows its history to people who may read the organization’s checks', async () => {
  const ourFund = await createFund();
  const pledgeid = await addPledge(db, ourFund.orgid);
  await receiveCheck(ourFund, pledgeid, '1077');
  const readRecord = (as = ourFund.as, orgid = ourFund.orgid) =>
    call(app, 'readCheckRecord', { params: { orgid, pledgeid }, as });
  const record = (await readRecord()).json<CheckRecord>();
  expect(record).toMatchObject({ status: 'received', checkNumber: '1077', receivedAmount: 80.5 });
  expect(record.history.map(({ kind }) => kind).toSorted()).toEqual(
    expect.arrayContaining(['entry', 'pledged', 'receipt']),
  );
  const otherFund = await createFund();
  expect(readOutcome(await readRecord(otherFund.as))).toEqual([403, 'forbidden']);
  expect(readOutcome(await readRecord(otherFund.as, otherFund.orgid))).toEqual([404, 'pledge-not-found']);
});

test('the exported file lists the gifts found by a search in list order, with safe cells', async () => {
  const ourFund = await createFund();
  const { checkoutId: card } = await addGift(db, ourFund.orgid, { display_name: '=Clara', created_at: march(11) });
  const fee = { fee_cents: 103, net_cents: 2397 };
  await db.kysely.updateTable('payments').set(fee).where('checkout_id', '=', card).execute();
  const check = await addPledge(db, ourFund.orgid, { name: 'Dora Donor', email: null });
  await receiveCheck(ourFund, check, '1077');
  await addPledge(db, ourFund.orgid, { status: 'withdrawn' });
  const download = (query: object = {}, as = ourFund.as) =>
    call(app, 'downloadCheckouts', { params: { orgid: ourFund.orgid }, query: { kind: 'all', ...query }, as });
  const response = await download({ group: 'received' });
  expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(response.headers['x-lines']).toBe('2');
  const [heading, ...lines] = response.body.trimEnd().split('\r\n');
  expect(heading).toBe(
    '\ufeffDate,Paid by,Name,Email,Cart,Status,Donation,Returned,Fee,Net,Receipt numbers,Check number,ID',
  );
  expect(lines).toEqual([
    expect.stringMatching(
      new RegExp(`^2026-03-12,check,Dora Donor,,Donation,received,80.50,0.00,0.00,80.50,\\d+,1077,${check}$`),
    ),
    expect.stringMatching(new RegExp(`^2026-03-11,online,'=Clara,.*,paid,25.00,0.00,1.03,23.97,.*,${card}$`)),
  ]);
  const backwards = await download({ from: '2026-03-02', to: '2026-03-01' });
  expect(readOutcome(backwards)).toEqual([422, 'days-out-of-order']);
  const exports = await db.kysely.selectFrom('activities').select('kind').where('org_id', '=', ourFund.orgid).execute();
  expect(exports.filter(({ kind }) => kind === 'export')).toHaveLength(1);
  const pageEditor = await signIn(deps, { editorOf: [ourFund.orgid], role: 'texts' });
  expect(readOutcome(await download({}, pageEditor))).toEqual([403, 'forbidden']);
});
