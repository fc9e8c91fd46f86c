// @spec decisions.6
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { donationItem } from '#domain/cart.ts';
import { inLedgerTransaction, inTransaction } from '#server/db/transaction.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { recordSession } from '#server/features/payments/record-session.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { parseSessionId } from '#test/support/card-provider.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { signIn } from '#test/support/sign-in.ts';

const setup: DonationSetup = await startDonationSetup();
const { db, deps, provider, orgId } = setup;

// Replaces `pg_notify` with a function that only records its calls: real notifications would make the transactions wait for
// each other.
await sql`create table notified (tx text, payload text)`.execute(db.kysely);
await sql`
  create function public.pg_notify(text, text) returns void language sql
  as $$ insert into notified select pg_current_xact_id()::xid::text, $2 $$`.execute(db.kysely);
await sql`alter function increment_org_version() set search_path = public, pg_catalog`.execute(db.kysely);

async function readNotifiedTransactions(): Promise<string[]> {
  const { rows } = await sql<{ tx: string }>`select distinct tx from notified`.execute(db.kysely);
  return rows.map(({ tx }) => tx);
}

/** Reads the ids of transactions that changed a checkout's money. Payouts and account fees are separate. */
async function readGiftTransactions(): Promise<string[]> {
  const { rows } = await sql<{ tx: string }>`
    select distinct xmin::text as tx from ledger_entries where checkout_id is not null`.execute(db.kysely);
  return rows.map(({ tx }) => tx);
}

/** Collects the versions of this organization that listeners are notified of. */
async function collectVersions() {
  const versions: number[] = [];
  await db.listen('org_changed', (payload) => {
    const [changed, version] = payload?.split(' ') ?? [];
    if (changed === orgId) versions.push(Number(version));
  });
  return versions;
}

const readVersion = async () =>
  (await sql<{ version: number }>`select version from org_versions where org_id = ${orgId}`.execute(db.kysely)).rows[0]
    ?.version;

const renameOrg = (name: string) => db.kysely.updateTable('orgs').set({ name }).where('id', '=', orgId).execute();

test('payments, renewals, refunds, and disputes are announced only after their commit', async () => {
  const versions = await collectVersions();
  const donor = await signIn(deps, { email: 'payer@example.org' });
  const story = await addOffsetter(db, orgId, { user_id: donor.userId });
  const gift = await setup.openCheckout([donationItem(100), donationItem(25, 'month')], { orgId, as: donor });
  await provider.pay(gift.paymentUrl);
  await provider.deliverEvents();
  await db.kysely.updateTable('checkouts').set({ offsetter_id: story }).where('id', '=', gift.id).execute();
  await provider.submitDashboardForm('clock', { months: '1' });
  await provider.deliverEvents();
  await provider.stripe.refunds.create({ charge: await provider.readChargeId(gift.paymentUrl) });
  await provider.deliverEvents();
  const otherCheckout = await setup.openAndPay();
  await provider.submitDashboardForm(`charges/${await provider.readChargeId(otherCheckout.paymentUrl)}`, {
    action: 'dispute',
  });
  await provider.deliverEvents();
  const giftTxIds = await readGiftTransactions();
  expect(giftTxIds.length).toBeGreaterThan(4);
  expect((await readNotifiedTransactions()).filter((tx) => giftTxIds.includes(tx))).toEqual([]);
  await expect.poll(() => versions.at(-1)).toBe(await readVersion());
});

test('a payment, its renewal, and its refund are announced, but a repeated report is not', async () => {
  const announceSpy = vi.spyOn(db.changes, 'announce');
  const takeAnnouncedOrgs = () => {
    const orgIds = announceSpy.mock.calls.flatMap(([ids]) => ids);
    announceSpy.mockClear();
    return new Set(orgIds);
  };
  const gift = await setup.openCheckout([donationItem(100), donationItem(25, 'month')]);
  await provider.pay(gift.paymentUrl);
  await provider.deliverEvents();
  expect(takeAnnouncedOrgs()).toEqual(new Set([orgId]));
  await recordSession(deps, parseSessionId(gift.paymentUrl));
  expect(takeAnnouncedOrgs()).toEqual(new Set());
  await provider.submitDashboardForm('clock', { months: '1' });
  await provider.deliverEvents();
  expect(takeAnnouncedOrgs()).toEqual(new Set([orgId]));
  await provider.stripe.refunds.create({ charge: await provider.readChargeId(gift.paymentUrl) });
  await provider.deliverEvents();
  expect(takeAnnouncedOrgs()).toEqual(new Set([orgId]));
  announceSpy.mockRestore();
});

test('checks and other changes notify when they commit', async () => {
  const earlierTransactions = await readNotifiedTransactions();
  const check = { kind: 'check', fact: 'check:1', amount: 2500, carbon: 0, currency: 'usd' } as const;
  await inTransaction(db, (tx) => postEntry(tx, { ...check, orgId, occurredAt: deps.now() }));
  await renameOrg('Another name');
  expect((await readNotifiedTransactions()).length).toBe(earlierTransactions.length + 2);
});

test('a ledger transaction announces every organization that it changed, and none if it changed none', async () => {
  const announceSpy = vi.spyOn(db.changes, 'announce');
  const otherOrgId = await addOrg(db);
  const occurredAt = deps.now();
  const gift = { kind: 'check', amount: 2500, carbon: 0, currency: 'usd', occurredAt } as const;
  const postTwoGifts = () =>
    inLedgerTransaction(db, async (tx) => {
      await postEntry(tx, { ...gift, orgId, fact: 'check:2' });
      await postEntry(tx, { ...gift, orgId: otherOrgId, fact: 'check:3' });
    });
  const earlierTransactions = await readNotifiedTransactions();
  await postTwoGifts();
  expect(announceSpy.mock.calls).toEqual([[[orgId, otherOrgId]]]);
  await postTwoGifts();
  const failure = new Error('no gift');
  const failedTransaction = inLedgerTransaction(db, async (tx) => {
    await postEntry(tx, { ...gift, orgId, fact: 'check:4' });
    throw failure;
  });
  await expect(failedTransaction).rejects.toBe(failure);
  expect(announceSpy).toHaveBeenCalledTimes(1);
  expect(await readNotifiedTransactions()).toEqual(earlierTransactions);
  announceSpy.mockRestore();
});

test('a version check finds an unannounced change once', async () => {
  const versions = await collectVersions();
  // Simulates a crash after the commit: no listener in this file receives the trigger's notification.
  await renameOrg('Renamed without a notification');
  const version = await readVersion();
  await db.changes.poll();
  await db.changes.poll();
  expect(versions.filter((candidate) => candidate === version)).toEqual([version]);
});

test('a request finds an unannounced change immediately, and only once', async () => {
  const versions = await collectVersions();
  await renameOrg('Renamed before a request');
  const version = await readVersion();
  await db.changes.notify(orgId);
  await db.changes.notify(orgId);
  expect(versions.filter((candidate) => candidate === version)).toEqual([version]);
});

test('if the new version can’t be read, listeners are notified that they may have missed changes', async () => {
  const versions = await collectVersions();
  const onChange = vi.fn();
  onTestFinished(await db.changes.subscribe(onChange));
  const querySpy = vi.spyOn(db.pool, 'query').mockRejectedValueOnce(new Error('the database is unavailable'));
  await db.changes.notify(orgId);
  querySpy.mockRestore();
  expect(onChange.mock.calls).toEqual([[undefined]]);
  // Version 0 would mean a deleted organization, whose pages are dropped.
  expect(versions).not.toContain(0);
});

test('simultaneous changes to several organizations are announced together with their versions', async () => {
  const orgIds = [await addOrg(db), await addOrg(db), await addOrg(db)];
  const announcedVersions = new Set<string>();
  await db.listen('org_changed', (payload = '') => {
    if (orgIds.some((id) => payload.startsWith(id))) announcedVersions.add(payload);
  });
  await Promise.all(orgIds.map((id) => db.changes.announce([id])));
  await expect.poll(() => announcedVersions.size).toBeGreaterThanOrEqual(3);
  expect(announcedVersions).toEqual(new Set(orgIds.map((id) => `${id} 1 1`)));
});
