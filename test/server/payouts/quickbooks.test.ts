// @spec decisions.3
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Statement } from '#contract/schemas/books.ts';
import {
  checkLines,
  disputeLines,
  feeLines,
  grantPaymentLines,
  type LedgerKind,
  type Lines,
  payoutLines,
  promiseLines,
  refundLines,
} from '#domain/books.ts';
import { addMonths, MOVEMENTS } from '#domain/statement.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addGrant } from '#test/support/builders/grant.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addStory } from '#test/support/builders/story.ts';
import { call } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { pickRunCount } from '#test/support/run-count.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const db = await createTestDatabase();
const deps = await createTestDeps(db, { now: () => new Date('2026-04-10T12:00:00Z') });
const app = await buildTestApp(deps);

type RandomEntry = { readonly name: keyof typeof ENTRIES; readonly cents: number; readonly hour: number };
type EntryMoney = { readonly kind: LedgerKind; readonly amount: number; readonly lines?: Lines };

/** Builders for every kind of entry that moves money, given an amount in cents. */
const ENTRIES = {
  payment: (cents) => ({ kind: 'payment', amount: cents }),
  renewal: (cents) => ({ kind: 'renewal', amount: cents }),
  fee: (cents) => ({ kind: 'fee', amount: 0, lines: feeLines(cents) }),
  refund: (cents) => ({ kind: 'refund', amount: -cents, lines: refundLines(cents) }),
  dispute: (cents) => ({ kind: 'dispute', amount: 0, lines: disputeLines(cents) }),
  payout: (cents) => ({ kind: 'payout', amount: 0, lines: payoutLines(cents) }),
  returnedPayout: (cents) => ({ kind: 'payout', amount: 0, lines: payoutLines(-cents) }),
  check: (cents) => ({ kind: 'check', amount: cents }),
  reversedCheck: (cents) => ({ kind: 'reversal', amount: -cents, lines: checkLines(-cents) }),
  adjustment: (cents) => ({ kind: 'adjustment', amount: cents }),
  promise: (cents) => ({ kind: 'promise', amount: 0, lines: promiseLines(cents) }),
  grant: (cents) => ({ kind: 'grant', amount: 0, lines: grantPaymentLines(cents, 0) }),
} as const satisfies Record<string, (cents: number) => EntryMoney>;

const randomEntry: fc.Arbitrary<RandomEntry> = fc.record({
  name: fc.constantFrom(...(Object.keys(ENTRIES) as (keyof typeof ENTRIES)[])),
  cents: fc.integer({ min: 1, max: 500_000 }),
  // January to March.
  hour: fc.integer({ min: 0, max: 24 * 89 }),
});

async function postEntries(orgId: string, entries: readonly RandomEntry[]): Promise<void> {
  const grantId = await addGrant(db, orgId);
  await inTransaction(db, async (tx) => {
    for (const [index, { name, cents, hour }] of entries.entries()) {
      const money: EntryMoney = ENTRIES[name](cents);
      const isGrant = money.kind === 'grant' || money.kind === 'promise';
      await postEntry(tx, {
        ...money,
        ...(isGrant ? { grantId } : {}),
        orgId,
        fact: `${name === 'reversedCheck' ? 'check-reversal' : 'test'}:${orgId}:${index}`,
        carbon: 0,
        currency: 'usd',
        occurredAt: new Date(Date.parse('2026-01-01T05:00:00Z') + hour * 3_600_000),
      });
    }
  });
}

async function sumFile(orgid: string, month: string, account: 'provider' | 'bank', as: SignedInPerson) {
  const { body } = await call(app, 'downloadQuickBooks', { params: { orgid }, query: { period: month, account }, as });
  const lines = body.trimEnd().split('\r\n').slice(1);
  return lines.reduce((cents, line) => cents + Math.round(Number(line.split(',')[2]) * 100), 0);
}

test('each month’s QuickBooks files add up to the changes in the statement', async () => {
  const property = fc.asyncProperty(fc.array(randomEntry, { minLength: 1, maxLength: 40 }), async (entries) => {
    const orgid = await addOrg(db);
    await postEntries(orgid, entries);
    const as = await signIn(deps, { editorOf: [orgid] });
    const readMonth = async (month: string) =>
      (await call(app, 'readStatement', { params: { orgid }, query: { period: month }, as })).json<Statement>();
    const { firstMonth } = await readMonth('2026-04');
    const months = ['2026-01', '2026-02', '2026-03'].filter((month) => month >= firstMonth);
    let balance = 0;
    for (const month of months) {
      const { provider, bank } = await readMonth(month);
      const balanceChange = ({ opening, closing }: typeof bank) => Math.round((closing - opening) * 100);
      const providerCents = await sumFile(orgid, month, 'provider', as);
      const bankCents = await sumFile(orgid, month, 'bank', as);
      expect(providerCents).toBe(balanceChange(provider));
      // Payouts are only in the provider's file, as transfers to the bank.
      expect(bankCents).toBe(balanceChange(bank) - Math.round(bank.payouts * 100));
      balance += providerCents + bankCents + Math.round(bank.payouts * 100);
    }
    const ledger = await db.kysely
      .selectFrom('ledger_lines')
      .innerJoin('ledger_entries', 'ledger_entries.id', 'ledger_lines.entry_id')
      .select(({ fn }) => fn.sum<string>('cents').as('cents'))
      .where('org_id', '=', orgid)
      .where('account', 'in', ['provider', 'bank'])
      .executeTakeFirstOrThrow();
    expect(balance).toBe(Number(ledger.cents ?? 0));
  });
  await fc.assert(property, { numRuns: pickRunCount(2, 10) });
});

test('the months of a year add up to its statement', async () => {
  const moveEntry = (entry: RandomEntry, days: number) => ({ ...entry, hour: entry.hour + days * 24 });
  const property = fc.asyncProperty(
    fc.array(randomEntry, { minLength: 1, maxLength: 30 }),
    fc.integer({ min: -80, max: 9 }),
    async (entries, days) => {
      const orgid = await addOrg(db);
      await postEntries(
        orgid,
        entries.map((entry) => moveEntry(entry, days)),
      );
      const as = await signIn(deps, { editorOf: [orgid], role: 'reader' });
      const readPeriod = async (period = '2026-04') =>
        (await call(app, 'readStatement', { params: { orgid }, query: { period }, as })).json<Statement>();
      const { firstMonth, lastMonth } = await readPeriod();
      for (const year of new Set([firstMonth.slice(0, 4), lastMonth.slice(0, 4)])) {
        const statement = await readPeriod(year);
        const months: Statement[] = [];
        for (let month = firstMonth; month <= lastMonth; month = addMonths(month))
          if (month.startsWith(year)) months.push(await readPeriod(month));
        const sumMonths = (getDollars: (month: Statement) => number) =>
          months.reduce((cents, month) => cents + Math.round(getDollars(month) * 100), 0) / 100;
        expect(statement.given).toBe(sumMonths(({ given }) => given));
        expect(statement.grantsPaid).toBe(months.reduce((count, { grantsPaid }) => count + grantsPaid, 0));
        for (const account of ['provider', 'bank', 'disputed', 'all'] as const) {
          for (const movement of MOVEMENTS)
            expect(statement[account][movement]).toBe(sumMonths((month) => month[account][movement]));
          expect(statement[account].opening).toBe(months[0]?.[account].opening);
          expect(statement[account].closing).toBe(months.at(-1)?.[account].closing);
        }
      }
    },
  );
  await fc.assert(property, { numRuns: pickRunCount(2, 10) });
});

test('the bank account file describes checks, reversed checks, and grants', async () => {
  const orgid = await addOrg(db);
  const as = await signIn(deps, { editorOf: [orgid], role: 'money' });
  const recordCheck = async (name: string, checkNumber: string) => {
    const body = { name, amount: 50, received: { receivedOn: '2026-02-10', checkNumber } };
    const pledgeid = crypto.randomUUID();
    const { entryid } = (await call(app, 'recordPledge', { params: { orgid, pledgeid }, as, body })).json<{
      entryid: string;
    }>();
    return { pledgeid, entryid };
  };
  await recordCheck('Ada Adams', '1077');
  const { pledgeid, entryid } = await recordCheck('Ben Baker', '');
  const reversal = { entryid, cause: 'bounced', reason: 'No funds' } as const;
  await call(app, 'reversePledge', { params: { orgid, pledgeid }, as, body: reversal });
  const awardeeId = await addStory(db, 'awardees', orgid, { name: 'José Núñez' });
  await addGrant(db, orgid, { awardeeId, stage: 'paid', cents: 30_000, stageDate: '2026-02-20' });
  const download = async (month: string) => {
    const query = { period: month, account: 'bank' } as const;
    return call(app, 'downloadQuickBooks', { params: { orgid }, query, as });
  };
  const { headers, body: february } = await download('2026-02');
  expect(headers['content-disposition']).toBe('attachment; filename="quickbooks-bank_2026-02.csv"');
  expect(february.split('\r\n')).toEqual([
    'Date,Description,Amount',
    expect.stringMatching(/^02\/10\/2026,Check (no 1077 )?receipt \d+,50\.00$/),
    expect.stringMatching(/^02\/10\/2026,Check (no 1077 )?receipt \d+,50\.00$/),
    '02/20/2026,Grant to Jose Nunez,-300.00',
    '',
  ]);
  expect(february).toContain('Check no 1077 receipt');
  expect((await download('2026-04')).body.split('\r\n')[1]).toBe('04/10/2026,Reversed check,-50.00');
});
