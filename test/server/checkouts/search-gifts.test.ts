// @spec 2.checkouts-screen 7.search-checkouts decisions.3
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { NEXT_CURSOR_HEADER, POSITION_HEADER } from '#contract/calls.ts';
import type { CheckoutSums, CheckRecord, ListedGift, ListedRenewal } from '#contract/schemas/checkout-records.ts';
import type { Pledge } from '#contract/schemas/pledges.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { newId } from '#server/db/new-id.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addGift, addRenewal, MONTHLY_CART } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addPledge } from '#test/support/builders/pledge.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { testDatabase } from '#test/support/database.ts';
import { signIn } from '#test/support/sign-in.ts';
import { runs } from '#test/support/sizes.ts';

const db = await testDatabase();
const deps = await testDeps(db);
const app = await buildTestApp(deps);

type SearchBody = NonNullable<BodyInput<'searchCheckouts'>>;

async function fund() {
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
type Fund = Awaited<ReturnType<typeof fund>>;

const march = (day: number) => new Date(Date.UTC(2026, 2, day, 12));

/** Receives a check for $80.50 with this number. */
function receive({ orgid, as }: Fund, pledgeid: string, checkNumber: string, receivedOn = '2026-03-12') {
  return call(app, 'receivePledge', {
    params: { orgid, pledgeid },
    as,
    body: { amount: 80.5, receivedOn, checkNumber },
  });
}

test('checkouts and checks form one list, with checks sorted by the day they were received', async () => {
  const ours = await fund();
  const card = await addCheckout(db, ours.orgid, { created_at: march(11), total_cents: 5000 });
  const pledged = await addPledge(db, ours.orgid, { created_at: march(10), amount_cents: 20_000 });
  const received = await addPledge(db, ours.orgid, { created_at: march(2), amount_cents: 10_000 });
  await receive(ours, received, '1077');
  expect((await ours.search()).ids).toEqual([received, card, pledged]);
  expect((await ours.search({ sort: 'amount' })).ids).toEqual([pledged, received, card]);
  expect((await ours.search({ sort: 'amount', order: 'asc' })).ids).toEqual([card, received, pledged]);
  expect((await ours.search({ kind: 'card' })).ids).toEqual([card]);
  expect((await ours.search({ kind: 'check' })).ids).toEqual([received, pledged]);
  expect((await ours.search({ from: '2026-03-12' })).ids).toEqual([received]);
  const specified = await call(app, 'searchCheckouts', { params: { orgid: ours.orgid }, as: ours.as, body: {} });
  expect(specified.json<ListedGift[]>().map(({ id }) => id)).toEqual([card]);
});

test('a gift is found by the number of its receipt or check, and by name, email, amount, and id', async () => {
  const ours = await fund();
  const { checkoutId: card } = await addGift(db, ours.orgid, {
    display_name: 'Clara Card',
    email: 'clara@example.org',
  });
  const check = await addPledge(db, ours.orgid, { name: 'Clara Check', email: 'clara@example.org' });
  const { receiptNumber: number } = (await receive(ours, check, 'A-1077')).json<Pledge>();
  const finds = async (query: string) => (await ours.search({ query })).ids.toSorted();
  for (const query of [`${number}`, `no. ${number}`, `Receipt no. ${number}`, 'A-1077', 'clara check', '80.50', check])
    expect(await finds(query), query).toEqual([check]);
  expect(await finds('clara')).toEqual([card, check].toSorted());
  expect(await finds('clara@example.org')).toEqual([card, check].toSorted());
  expect(await finds('A-1078')).toEqual([]);
  const other = await fund();
  expect((await other.search({ query: `${number}` })).ids).toEqual([]);
});

test('a number matches receipts, check numbers, and amounts', async () => {
  const ours = await fund();
  const byNumber = await addPledge(db, ours.orgid, { created_at: march(3) });
  await receive(ours, byNumber, '250');
  const byAmount = await addCheckout(db, ours.orgid, { created_at: march(1), total_cents: 25_000 });
  const both = await addPledge(db, ours.orgid, { created_at: march(2), amount_cents: 25_000, check_number: '250' });
  expect((await ours.search({ query: '250' })).ids).toEqual([byNumber, both, byAmount]);
  expect((await ours.search({ query: '#250' })).ids).toEqual([byNumber, both]);
});

test('check statuses narrow a search, and paid gifts include received checks', async () => {
  const ours = await fund();
  const unpaid = await addCheckout(db, ours.orgid, { created_at: march(9) });
  const paid = await addCheckout(db, ours.orgid, { created_at: march(8), payment_status: 'paid' });
  const received = await addPledge(db, ours.orgid);
  await receive(ours, received, '1', '2026-03-07');
  const pledged = await addPledge(db, ours.orgid, { created_at: march(6) });
  const suspicious = await addPledge(db, ours.orgid, { created_at: march(5), suspicious: true });
  const canceled = await addPledge(db, ours.orgid, { created_at: march(4), status: 'withdrawn' });
  const bounced = await addPledge(db, ours.orgid, { created_at: march(3), status: 'withdrawn', bounced: true });
  expect((await ours.search({ status: 'paid' })).ids).toEqual([paid, received]);
  expect((await ours.search({ status: 'unpaid' })).ids).toEqual([unpaid]);
  expect((await ours.search({ status: 'pledged' })).ids).toEqual([pledged]);
  expect((await ours.search({ status: 'suspicious' })).ids).toEqual([suspicious]);
  expect((await ours.search({ status: 'withdrawn' })).ids).toEqual([canceled]);
  expect((await ours.search({ status: 'bounced' })).ids).toEqual([bounced]);
  expect((await ours.search({ status: 'disputed', kind: 'check' })).ids).toEqual([]);
  expect((await ours.search({ group: 'received' })).ids).toEqual([paid, received, pledged, bounced]);
  expect((await ours.search({ group: 'attempts' })).ids).toEqual([unpaid, suspicious, canceled]);
});

test('pages in every order contain each gift once, forward and back, and report their position in the list', async () => {
  const ours = await fund();
  let recurring = '';
  for (let count = 0; count < 23; count += 1) {
    if (count % 3 === 1) recurring = newId();
    // Some gifts share a time or an amount.
    const [at, cents] = [march(1 + (count % 4)), 1000 * (1 + (count % 3))];
    if (count % 3 === 0) await addPledge(db, ours.orgid, { created_at: at, amount_cents: cents });
    else if (count % 3 === 1) await addCheckout(db, ours.orgid, { id: recurring, created_at: at, total_cents: cents });
    else await addRenewal(db, ours.orgid, { checkoutId: recurring, at, cents });
  }
  const order = fc.record({
    sort: fc.constantFrom('date' as const, 'amount' as const),
    order: fc.constantFrom('asc' as const, 'desc' as const),
    max: fc.integer({ min: 1, max: 30 }),
  });
  await fc.assert(
    fc.asyncProperty(order, async (body) => {
      const all = (await ours.search({ ...body, max: 50 })).ids;
      expect(new Set(all).size).toBe(23);
      let ids: string[] = [];
      let cursorRef: string | undefined;
      do {
        const page = await ours.search({ ...body, cursorRef });
        expect(page.position).toBe(ids.length);
        if (cursorRef !== undefined) {
          const before = await ours.search({ ...body, cursorRef: page.ids[0], isNext: false });
          expect(before.ids).toEqual(ids.slice(-body.max));
          expect(before.position).toBe(ids.length - before.ids.length);
        }
        ids = [...ids, ...page.ids];
        cursorRef = page.next === undefined ? undefined : String(page.next);
      } while (cursorRef !== undefined);
      expect(ids).toEqual(all);
    }),
    { numRuns: runs(4, 40) },
  );
});

/** Creates a fund with a monthly gift that began on March 14 and renewed on April 14, May 14, and June 14. */
async function recurringFund() {
  const ours = await fund();
  const { checkoutId, ledgerEntryId } = await addGift(db, ours.orgid, {
    cart: MONTHLY_CART,
    display_name: 'Fatima Noor',
    email: 'fatima@example.org',
    created_at: march(14),
  });
  const renew = (month: number, renewal: Partial<Parameters<typeof addRenewal>[2]> = {}) =>
    addRenewal(db, ours.orgid, {
      checkoutId,
      at: new Date(Date.UTC(2026, month - 1, 14, 12)),
      cents: 1000,
      feeCents: 59,
      ...renewal,
    });
  const renewals = [
    await renew(4),
    await renew(5, { status: 'refunded', returnedCents: 1000 }),
    await renew(6, { status: 'lost', returnedCents: 1000, cents: 1200 }),
  ] as const;
  return { ...ours, checkoutId, ledgerEntryId, renewals };
}

async function receiptNumberOf(entryId: string): Promise<string> {
  const receipts = db.kysely.selectFrom('receipts').where('ledger_entry_id', '=', entryId);
  return `${(await receipts.select('printed_number').executeTakeFirstOrThrow()).printed_number}`;
}

test('each renewal is a row with its own date, amount, status, and receipt', async () => {
  const ours = await recurringFund();
  const { checkoutId, orgid, as } = ours;
  const [april, may, june] = ours.renewals;
  const ids = [june, may, april];
  const finds = async (body: SearchBody) => (await ours.search(body)).ids;
  expect(await finds({})).toEqual([...ids, checkoutId]);
  expect(await finds({ kind: 'online' })).toEqual([...ids, checkoutId]);
  expect(await finds({ kind: 'card' })).toEqual([checkoutId]);
  expect(await finds({ kind: 'check' })).toEqual([]);
  expect(await finds({ from: '2026-05-14', to: '2026-05-14' })).toEqual([may]);
  expect(await finds({ query: '12.00' })).toEqual([june]);
  expect(await finds({ query: await receiptNumberOf(april) })).toEqual([april]);
  expect(await finds({ query: `no. ${await receiptNumberOf(ours.ledgerEntryId)}` })).toEqual([checkoutId]);
  expect(await finds({ query: 'fatima noor' })).toEqual([...ids, checkoutId]);
  expect(await finds({ query: 'fatima@example.org' })).toEqual([...ids, checkoutId]);
  expect(await finds({ query: may })).toEqual([may]);
  expect(await finds({ query: checkoutId })).toEqual([...ids, checkoutId]);
  expect(await finds({ status: 'paid' })).toEqual([april, checkoutId]);
  expect(await finds({ status: 'refunded' })).toEqual([may]);
  expect(await finds({ status: 'disputed' })).toEqual([june]);
  expect(await finds({ group: 'received' })).toEqual([...ids, checkoutId]);
  expect(await finds({ group: 'attempts' })).toEqual([]);
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
  const other = await fund();
  expect((await other.search({ query: may })).ids).toEqual([]);
  const foreign = { params: { orgid: other.orgid }, as: other.as, body: { cursorRef: may } };
  expect(outcomeOf(await call(app, 'searchCheckouts', foreign))).toEqual([400, 'unknown-cursor']);
});

test('the sums above the list match its rows', async () => {
  const ours = await recurringFund();
  const rowsOf = async (body: SearchBody) =>
    (
      await call(app, 'searchCheckouts', {
        params: { orgid: ours.orgid },
        as: ours.as,
        body: { kind: 'online', ...body },
      })
    ).json<ListedRenewal[]>();
  for (const body of [{}, { from: '2026-04-14', to: '2026-05-14' }, { status: 'refunded' }, { query: '25' }] as const) {
    const rows = await rowsOf(body);
    const gross = rows.reduce((sum, { total }) => sum + total, 0);
    const refunded = rows.reduce((sum, row) => sum + row.refunded, 0);
    const fees = (59 * rows.filter(({ checkoutid }) => checkoutid !== undefined).length) / 100;
    expect(await ours.sums(body), JSON.stringify(body)).toEqual({
      checkouts: rows.length,
      gross,
      refunded,
      fees,
      disputed: 0,
      net: Math.round((gross - refunded - fees) * 100) / 100,
    });
  }
  expect(await ours.sums({ from: '2026-04-14', to: '2026-05-14' })).toMatchObject({ checkouts: 2, gross: 20 });
  expect(await ours.sums({ kind: 'card' })).toMatchObject({ checkouts: 1, gross: 25, refunded: 0, fees: 0 });
});

test('renewals disappear with their checkout and are found by their donor’s new name', async () => {
  const ours = await recurringFund();
  const [april] = ours.renewals;
  const change = (columns: { display_name?: string | null; email?: null; deleted_at?: Date }) =>
    db.kysely.updateTable('checkouts').set(columns).where('id', '=', ours.checkoutId).execute();
  await change({ display_name: 'Fatima Haddad' });
  expect((await ours.search({ query: 'haddad' })).ids).toHaveLength(4);
  expect((await ours.search({ query: 'noor' })).ids).toEqual([]);
  await change({ display_name: null, email: null, deleted_at: march(20) });
  expect((await ours.search()).ids).toEqual([]);
  expect((await ours.search({ query: april })).ids).toEqual([]);
  const payments = db.kysely
    .selectFrom('payments')
    .where('checkout_id', '=', ours.checkoutId)
    .where('renewal', '=', true);
  expect(await payments.select('search_vector').execute()).toEqual(Array(3).fill({ search_vector: '' }));
  expect(await ours.sums()).toMatchObject({ checkouts: 0, gross: 0 });
});

test('the exported file has a line for each renewal with its own receipt', async () => {
  const ours = await recurringFund();
  const [april, may, june] = ours.renewals;
  const query = { kind: 'online', order: 'asc' } as const;
  const { body } = await call(app, 'downloadCheckouts', { params: { orgid: ours.orgid }, query, as: ours.as });
  const cells = body
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','));
  expect(cells.map((line) => [line[0], line.at(-4), line.at(-3), line.at(-1)])).toEqual([
    ['2026-03-14', '0.00', await receiptNumberOf(ours.ledgerEntryId), ours.checkoutId],
    ['2026-04-14', '0.00', await receiptNumberOf(april), april],
    ['2026-05-14', '10.00', await receiptNumberOf(may), may],
    ['2026-06-14', '10.00', await receiptNumberOf(june), june],
  ]);
  expect(body).toContain('"Donation (recurring: monthly), renewal"');
});

test('the sums include checks and count a bounced check as returned', async () => {
  const ours = await fund();
  await addGift(db, ours.orgid);
  const empty = await fund();
  const cards = await ours.sums({ kind: 'card' });
  const [deposited, bounced] = [await addPledge(db, ours.orgid), await addPledge(db, ours.orgid)];
  await receive(ours, deposited, '1');
  const { entryid } = (await receive(ours, bounced, '2')).json<Pledge>();
  const params = { orgid: ours.orgid, pledgeid: bounced };
  await call(app, 'reversePledge', {
    params,
    as: ours.as,
    body: { entryid, cause: 'bounced', reason: 'No account' },
  });
  const checks = { checkouts: 2, gross: 161, refunded: 80.5, fees: 0, disputed: 0, net: 80.5 };
  expect(await ours.sums({ kind: 'check' })).toEqual(checks);
  expect(await ours.sums()).toMatchObject({
    checkouts: 3,
    gross: (cards.gross ?? 0) + 161,
    net: (cards.net ?? 0) + 80.5,
  });
  expect(await empty.sums({ kind: 'check', status: 'refunded' })).toMatchObject({ checkouts: 0, gross: 0, net: 0 });
});

test('more than 10,000 gifts are not counted', async () => {
  const ours = await fund();
  await sql`insert into pledges (id, org_id, name, amount_cents, created_at)
    select ${newId()} || '-' || n, ${ours.orgid}, 'Dora', 100, timestamptz '2026-01-01' + n * interval '1 minute'
    from generate_series(1, 10000) n`.execute(db.kysely);
  expect(await ours.sums()).toMatchObject({ checkouts: 10_000, gross: 0 });
  const oldest = await ours.search({ order: 'asc', max: 1 });
  const last = await ours.search({ cursorRef: oldest.ids[0], isNext: false, max: 1 });
  expect(last.position).toBe(9998);
  await addPledge(db, ours.orgid);
  const none = { checkouts: null, gross: null, refunded: null, fees: null, disputed: null, net: null };
  expect(await ours.sums()).toEqual(none);
});

test('a check’s record shows its history to people who may read the organization’s checks', async () => {
  const ours = await fund();
  const pledgeid = await addPledge(db, ours.orgid);
  await receive(ours, pledgeid, '1077');
  const read = (as = ours.as, orgid = ours.orgid) => call(app, 'readCheckRecord', { params: { orgid, pledgeid }, as });
  const record = (await read()).json<CheckRecord>();
  expect(record).toMatchObject({ status: 'received', checkNumber: '1077', receivedAmount: 80.5 });
  expect(record.history.map(({ kind }) => kind).toSorted()).toEqual(
    expect.arrayContaining(['entry', 'pledged', 'receipt']),
  );
  const other = await fund();
  expect(outcomeOf(await read(other.as))).toEqual([403, 'forbidden']);
  expect(outcomeOf(await read(other.as, other.orgid))).toEqual([404, 'pledge-not-found']);
});

test('the exported file lists the gifts found by a search in list order, with safe cells', async () => {
  const ours = await fund();
  const { checkoutId: card } = await addGift(db, ours.orgid, { display_name: '=Clara', created_at: march(11) });
  const check = await addPledge(db, ours.orgid, { name: 'Dora Donor', email: null });
  await receive(ours, check, '1077');
  await addPledge(db, ours.orgid, { status: 'withdrawn' });
  const download = (query: object = {}, as = ours.as) =>
    call(app, 'downloadCheckouts', { params: { orgid: ours.orgid }, query: { kind: 'all', ...query }, as });
  const response = await download({ group: 'received' });
  expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(response.headers['x-lines']).toBe('2');
  const [heading, ...lines] = response.body.trimEnd().split('\r\n');
  expect(heading).toBe('\ufeffDate,Paid by,Name,Email,Cart,Status,Donation,Returned,Receipt numbers,Check number,Id');
  expect(lines).toEqual([
    expect.stringMatching(new RegExp(`^2026-03-12,check,Dora Donor,,Donation,received,80.50,0.00,\\d+,1077,${check}$`)),
    expect.stringMatching(new RegExp(`^2026-03-11,online,'=Clara,.*,paid,.*,${card}$`)),
  ]);
  const backwards = await download({ from: '2026-03-02', to: '2026-03-01' });
  expect(outcomeOf(backwards)).toEqual([422, 'days-backwards']);
  const exports = await db.kysely.selectFrom('activities').select('kind').where('org_id', '=', ours.orgid).execute();
  expect(exports.filter(({ kind }) => kind === 'export')).toHaveLength(1);
  const pageEditor = await signIn(deps, { editorOf: [ours.orgid], role: 'texts' });
  expect(outcomeOf(await download({}, pageEditor))).toEqual([403, 'forbidden']);
});
