// @spec decisions.3
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { donationItem, offsetItem, withRecurrence } from '#domain/cart.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { runWithTriggersDisabled } from '#test/support/as-owner.ts';
import { addGrant } from '#test/support/builders/grant.ts';
import { call } from '#test/support/call.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { signIn } from '#test/support/sign-in.ts';

const setup: DonationSetup = await startDonationSetup();
const { db, orgId, provider } = setup;

/** Damages the database, runs the check, and restores the database for the next test. */
async function verifyDamage(damage: RawBuilder<unknown>): Promise<readonly string[]> {
  const problems = await verifyAfterDamage((tx) => damage.execute(tx));
  expect(await setup.findDifferences()).toEqual([]);
  return problems;
}

/** The tables that tests damage; referenced tables come last. */
const DAMAGED_TABLES = [
  'receipt_number_gaps',
  'receipts',
  'payment_returns',
  'payments',
  'ledger_lines',
  'ledger_entries',
  'ledger_totals',
  'checkouts',
  'donors',
  'payout_movements',
  'provider_events',
  'activities',
  'grants',
] as const;

const backupOf = (table: string) => sql.table(`${table}_before`);

/** Copies the tables, once for many tests: copying and dropping them for each test took most of its time. */
async function backUpTables(): Promise<void> {
  for (const table of DAMAGED_TABLES) {
    await sql`drop table if exists ${backupOf(table)}`.execute(db.kysely);
    await sql`create table ${backupOf(table)} as table ${sql.table(table)}`.execute(db.kysely);
  }
}

async function verifyAfterDamage(damage: (tx: Transaction<Tables>) => Promise<unknown>): Promise<readonly string[]> {
  await runWithTriggersDisabled(db, damage);
  const problems = (await setup.findDifferences()).map(({ subject, problem }) => `${subject} ${problem}`);
  await runWithTriggersDisabled(db, async (tx) => {
    for (const table of DAMAGED_TABLES) {
      await sql`delete from ${sql.table(table)}`.execute(tx);
      const columns = COLUMNS.get(table);
      await sql`insert into ${sql.table(table)} (${columns}) select ${columns} from ${backupOf(table)}`.execute(tx);
    }
  });
  return problems;
}

/** Excludes generated columns, which can’t be written. */
async function readColumns(table: string) {
  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`.execute(db.kysely);
  return sql.join(rows.map(({ name }) => sql.ref(name)));
}

const COLUMNS = new Map(
  await Promise.all(DAMAGED_TABLES.map(async (table) => [table, await readColumns(table)] as const)),
);
const gifts = [await setup.openAndPay(), await setup.openAndPay(), await setup.openAndPay()];
const unpaidCheckout = await setup.openCheckout();
await provider.stripe.refunds.create({ charge: await provider.readChargeId(gifts[1]?.paymentUrl ?? ''), amount: 500 });
await provider.deliverEvents();
// Moves the clock far enough for the payout to arrive.
await provider.submitDashboardForm('clock', { seconds: String(5 * 86_400) });
await provider.deliverEvents();
const firstCheckoutId = gifts[0]?.id ?? '';
await backUpTables();

test('verify-ledger finds no difference after regular gifts', async () => {
  expect(await setup.findDifferences()).toEqual([]);
});

test.each([
  ['a total', sql`update ledger_totals set amount_cents = amount_cents + 1`, /^totals store 7001 cents/],
  ['the totals’ carbon', sql`update ledger_totals set carbon = carbon + 1`, /^totals store/],
  ['the totals’ entry count', sql`update ledger_totals set entries = entries - 1`, /^totals store/],
  [
    'a donor’s sum',
    sql`update donors set amount_cents = amount_cents + 1 where amount_cents > 0`,
    /^donor \S+ stores 3 gifts and 7001 cents, .* add up to 3 and 7000/,
  ],
  ['a donor’s number of gifts', sql`update donors set gifts = gifts - 1`, /^donor \S+ stores 2 gifts/],
  ['a donor’s last gift', sql`update donors set last_gift_at = last_gift_at + interval '1 day'`, /^donor \S+ stores/],
  [
    'a merged donor',
    sql`insert into donors (id, org_id, merged_into_id, gifts, amount_cents)
      select 'merged', org_id, id, gifts, amount_cents from donors`,
    /^donor merged stores 3 gifts and 7000 cents, .* add up to 0 and 0/,
  ],
  [
    'a checkout’s total',
    sql`update checkouts set total_cents = 1 where id = ${firstCheckoutId}`,
    /differs from checkout/,
  ],
  ['a checkout’s carbon', sql`update checkouts set carbon = 1 where id = ${firstCheckoutId}`, /differs from checkout/],
  ['a payment’s carbon', sql`update ledger_entries set carbon = 7 where kind = 'payment'`, /differs from checkout/],
  [
    'a paid checkout',
    sql`update checkouts set payment_status = 'failed' where id = ${firstCheckoutId}`,
    /differs from checkout/,
  ],
  [
    'an unpaid checkout',
    sql`update checkouts set payment_status = 'paid' where id = ${unpaidCheckout.id}`,
    /is paid but has 0 payment entries/,
  ],
  ['a missing receipt', sql`delete from receipts where number = 3`, /has no receipt/],
  ['a receipt’s amount', sql`update receipts set amount_cents = 1 where number = 1`, /differs from receipt 1/],
  [
    'a paid session hidden by "expired"',
    sql`update checkouts set payment_status = 'expired' where id = ${firstCheckoutId}`,
    /differs from checkout/,
  ],
  [
    'an entry off by a cent',
    sql`update ledger_entries set amount_cents = 2501 where checkout_id = ${firstCheckoutId} and kind = 'payment'`,
    /reported 2500/,
  ],
  [
    'a line off by a cent',
    sql`update ledger_lines set cents = cents + 1 where account = 'provider' and cents = 2500`,
    /has lines that sum to 1/,
  ],
  [
    'a charge off by a cent',
    sql`update payments set amount_cents = 2501 where checkout_id = ${firstCheckoutId}`,
    /differs from its charge/,
  ],
  ['a missing charge', sql`delete from payments where checkout_id = ${firstCheckoutId}`, /has no charge/],
  [
    'an unposted refund',
    sql`update payments set returned_cents = 100 where checkout_id = ${firstCheckoutId}`,
    /returned 100 cents; its entries returned 0/,
  ],
  [
    'a refund without its return',
    sql`delete from payment_returns`,
    /returned 500 cents; its refunds and lost disputes returned 0/,
  ],
  [
    'a reported refund without its entry',
    sql`delete from ledger_entries where kind = 'refund'`,
    /has no entry for refund re_/,
  ],
  [
    'an invented check',
    sql`insert into ledger_entries (id, org_id, kind, fact, amount_cents, carbon, occurred_at, booked_at)
      values ('invented', ${orgId}, 'check', 'invented', 100000000, 0, now(), now())`,
    /is a check that no editor recorded/,
  ],
  [
    'a payout’s amount at the bank',
    sql`update ledger_lines set cents = cents + 1 where account = 'bank'`,
    /^payout po_\w+ transferred 6691 cents to the bank; its entries transferred 6692/,
  ],
  [
    'an invented payout',
    sql`insert into ledger_entries (id, org_id, kind, fact, amount_cents, carbon, occurred_at, booked_at)
      values ('invented', ${orgId}, 'payout', 'invented', 0, 0, now(), now())`,
    /^entry invented has no payout/,
  ],
  [
    'a payout’s contents',
    sql`delete from payout_movements where kind = 'refund'`,
    /^payout po_\w+ is 6691 cents; its movements add up to 7191/,
  ],
  ['a gap between receipts', sql`update receipts set number = 7 where number = 3`, /^receipts total 3, .* 1 to 7/],
  [
    'the last receipt',
    sql`delete from receipts where number = 3`,
    /^test receipts total 2, numbered from 1001 to 1002/,
  ],
  [
    'a gap between the donee’s numbers',
    sql`update receipts set printed_number = 1009 where number = 2`,
    /^test receipts total 3, numbered from 1001 to 1009; 1001 to 1003 were issued/,
  ],
  [
    'a receipt with a skipped number',
    sql`insert into receipt_number_gaps (series, first, last) values ('test', 1002, 1002)`,
    /^receipt 1002 has a skipped number/,
  ],
  [
    'the amount on a document',
    sql`update receipts set document = document || '{"amount": 1}'`,
    /differs from its document/,
  ],
  [
    'a receipt’s donor',
    sql`update receipts set name = 'Eve', email = 'eve@example.org' where number = 1`,
    /differs from its document/,
  ],
  [
    'a stored event',
    sql`update provider_events set payload = jsonb_set(payload, '{data,object,amount_total}', '9900')
      where subject_kind = 'session'`,
    /event evt_\w+ reported 9900/,
  ],
  ['the donor on a document', sql`update receipts set document = document || '{"donor": "Eve"}'`, /differs from its/],
])('verify-ledger detects tampering: %s', async (_name, damage, problem) => {
  expect(await verifyDamage(damage)).toContainEqual(expect.stringMatching(problem));
});

describe('renewals, grants, and adjustments', () => {
  beforeAll(async () => {
    const monthly = await setup.openCheckout([
      withRecurrence(offsetItem('car', 800.1234), 'month'),
      donationItem(3, 'month'),
      donationItem(15),
    ]);
    await provider.pay(monthly.paymentUrl);
    await provider.deliverEvents();
    await provider.submitDashboardForm('clock', { months: '1' });
    await provider.endSubscriptions();
    await provider.deliverEvents();
    await addGrant(db, orgId, { stage: 'paid' });
    const as = await signIn(setup.deps, { editorOf: [orgId] });
    const body = { stats: { funds: 500 }, reason: 'Cash at the fair' };
    await call(setup.app, 'editOrg', { params: { orgid: orgId }, as, body });
    expect(await setup.findDifferences()).toEqual([]);
    await backUpTables();
  });

  const yearAgo = sql`- interval '1 year'`;
  const grantEntry = sql`(select paid_entry_id from grants)`;
  const renewal = sql`kind = 'renewal'`;

  test.each([
    [
      'a renewal’s carbon',
      sql`update ledger_entries set carbon = carbon + 1 where ${renewal}`,
      /the cart of its checkout/,
    ],
    [
      'an adjustment’s cents',
      sql`update ledger_entries set amount_cents = 7 where kind = 'adjustment'`,
      /no editor made/,
    ],
    [
      'an invented adjustment',
      sql`insert into ledger_entries (id, org_id, kind, fact, amount_cents, carbon, reason, actor_id, occurred_at, booked_at)
        values ('invented', ${orgId}, 'adjustment', 'invented', 0, 20000, 'Cash', 'an-editor', now(), now())`,
      /^entry invented is an adjustment that no editor made/,
    ],
    [
      'the year of a gift',
      sql`update ledger_entries set occurred_at = occurred_at ${yearAgo}, booked_at = booked_at ${yearAgo} where ${renewal}`,
      /^entry \S+ is dated .*; its charge is dated/,
    ],
    [
      'the month in which a gift is booked',
      sql`update ledger_entries set booked_at = booked_at - interval '1 month' where ${renewal}`,
      /^entry \S+ is dated .* but booked on/,
    ],
    [
      'the year of a gift and its charge',
      sql`with entry as (update ledger_entries set occurred_at = occurred_at ${yearAgo} where ${renewal})
        update payments set charged_at = charged_at ${yearAgo} where invoice_id is not null`,
      /^entry \S+ is dated .*, its receipt/,
    ],
    ['a grant’s pounds a year', sql`update grants set yearly_carbon = yearly_carbon * 2`, /has yearly_carbon 28080000/],
    ['a grant’s cents', sql`update grants set paid_cents = paid_cents + 1`, /has paid_cents 150001; its activity/],
    ['a grant’s payment date', sql`update grants set paid_on = '2025-03-01'`, /^grant .* its entry is dated/],
    [
      'the payment date of a grant and its entry',
      sql`with entry as (
          update ledger_entries set occurred_at = occurred_at ${yearAgo} where id = ${grantEntry})
        update grants set paid_on = '2025-03-01'`,
      /^grant .* has paid_on 2025-03-01; its activity has 2026-03-01/,
    ],
    [
      'a second payment of a grant',
      sql`with entry as (
          insert into ledger_entries (id, org_id, kind, fact, grant_id, amount_cents, carbon, occurred_at, booked_at)
          select 'second', org_id, kind, 'second', grant_id, 0, 0, occurred_at, booked_at from ledger_entries where id = ${grantEntry})
        insert into ledger_lines (entry_id, account, cents)
        select 'second', account, cents from ledger_lines where entry_id = ${grantEntry}`,
      /^grant .* paid with 150000 cents; its entries paid 300000/,
    ],
  ])('verify-ledger detects tampering: %s', async (_name, damage, problem) => {
    expect(await verifyDamage(damage)).toContainEqual(expect.stringMatching(problem));
  });

  test('verify-ledger detects a grant change that no editor made', async () => {
    const problems = await verifyAfterDamage(async (tx) => {
      await sql`set local session_replication_role = 'origin'`.execute(tx);
      await sql`update grants set years = 40`.execute(tx);
    });
    expect(problems).toContainEqual(expect.stringMatching(/^grant .* has a years that no editor recorded/));
  });
});

test('a refund that waits for the provider’s balance needs no entry yet', async () => {
  const problems = await verifyAfterDamage(async (tx) => {
    await sql`delete from ledger_entries where kind = 'refund'`.execute(tx);
    await sql`update payment_returns set status = 'pending', returned_cents = 0`.execute(tx);
  });
  expect(problems.join('\n')).not.toContain('has no entry for refund');
});

test('verify-ledger detects a payment without a checkout', async () => {
  const occurredAt = new Date();
  await inTransaction(db, (tx) =>
    postEntry(tx, { orgId, kind: 'payment', fact: 'made up', amount: 1, carbon: 0, currency: 'usd', occurredAt }),
  );
  const problems = (await setup.findDifferences()).map(({ problem }) => problem);
  expect(problems).toEqual(['has no checkout', 'has no receipt', 'has no charge']);
});
