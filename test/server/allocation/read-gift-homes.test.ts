// @spec 7.sign-in
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { GiftHomes } from '#contract/schemas/receipts.ts';
import type { Profile } from '#contract/schemas/stories.ts';
import { giftSentences } from '#domain/gift-homes.ts';
import { GRANT_FIELDS, type GrantField } from '#domain/grant.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { readGiftAllocations } from '#server/features/allocation/read-gift-homes.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addGrant } from '#test/support/builders/grant.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter, addStory } from '#test/support/builders/story.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';

const db = await createTestDatabase();
const app = await buildTestApp(await createTestDeps(db, { now: () => new Date('2027-03-01T18:00:00Z') }));

let orgId: string;
let awardeeId: string;

beforeEach(async () => {
  orgId = await addOrg(db, { place: 'Ithaca' });
  awardeeId = await addStory(db, 'awardees', orgId, { name: 'The Okafor family' });
});

async function readReceiptKey(entryId: string): Promise<string> {
  const receipt = db.kysely.selectFrom('receipts').select('key').where('ledger_entry_id', '=', entryId);
  return (await receipt.executeTakeFirstOrThrow()).key;
}

async function readHomes(entryId: string) {
  const response = await call(app, 'openGiftHomes', {
    params: { orgid: orgId },
    query: { key: await readReceiptKey(entryId) },
  });
  expect(readOutcome(response)).toEqual([200]);
  return response.json<GiftHomes>();
}

async function addHome(publicFields: readonly GrantField[] = GRANT_FIELDS, cents = 2000) {
  const id = await addGrant(db, orgId, { awardeeId, stage: 'paid', cents, stageDate: '2026-03-20' });
  const grantChange = { published_fields: [...publicFields], installer: 'Snug Homes', done_on: '2026-04-01' };
  await db.kysely.updateTable('grants').set(grantChange).where('id', '=', id).execute();
  return id;
}

test('donors see which home their gift helped, with the fields its household agreed to', async () => {
  const { ledgerEntryId } = await addGift(db, orgId);
  await db.kysely.updateTable('payments').set({ fee_cents: 103 }).where('entry_id', '=', ledgerEntryId).execute();
  await addHome();
  const { gift, place, allPayments } = await readHomes(ledgerEntryId);
  expect(gift && giftSentences(gift, place)).toEqual([
    'Of your $25.00, $20.00 helped insulate the attic of the Okafor family.',
    '$3.97 hasn’t been granted to a home yet.',
    '$1.03 was the card processor’s fee.',
  ]);
  expect(gift?.homes).toEqual([
    {
      page: {
        id: awardeeId,
        name: 'The Okafor family',
        photo: null,
        profileURL: `/orgs/${orgId}/awardees/${awardeeId}/`,
      },
      amount: 20,
      pounds: 0,
      deliveredPounds: 0,
      measures: ['attic-insulation'],
      installer: 'Snug Homes',
      grant: 20,
      savings: { yearlyPounds: 1404, years: 20 },
      work: { doneOn: '2026-04-01', inspectedOn: null },
    },
  ]);
  expect(allPayments).toBeNull();
});

test('private fields aren’t in the response', async () => {
  const { ledgerEntryId } = await addGift(db, orgId);
  await addHome([]);
  const { gift } = await readHomes(ledgerEntryId);
  expect(gift?.homes).toMatchObject([
    {
      page: { name: 'The Okafor family' },
      amount: 20,
      deliveredPounds: null,
      measures: [],
      installer: null,
      grant: null,
      savings: null,
      work: null,
    },
  ]);
});

test.each(['draft', 'hidden'] as const)(
  'a household whose story is %s is not named and reveals nothing about its home',
  async (status) => {
    const { ledgerEntryId } = await addGift(db, orgId);
    await addHome();
    await db.kysely.updateTable('awardees').set({ status }).where('id', '=', awardeeId).execute();
    const { gift, place } = await readHomes(ledgerEntryId);
    expect(gift && giftSentences(gift, place)[0]).toBe('Of your $25.00, $20.00 went to a home in Ithaca.');
    expect(JSON.stringify(gift)).not.toMatch(/Okafor|Snug|1404|attic|2026-04-01/);
    expect(gift?.homes).toMatchObject([{ page: null, amount: 20 }]);
  },
);

test('an installer with a page is named only while the page is shown', async () => {
  const { ledgerEntryId } = await addGift(db, orgId);
  const installer_id = await addStory(db, 'installers', orgId, { name: 'Snug and Sons' });
  const id = await addHome();
  await db.kysely.updateTable('grants').set({ installer_id }).where('id', '=', id).execute();
  const readShownInstaller = async () => (await readHomes(ledgerEntryId)).gift?.homes[0]?.installer;
  expect(await readShownInstaller()).toBe('Snug and Sons');
  await db.kysely.updateTable('installers').set({ status: 'hidden' }).where('id', '=', installer_id).execute();
  expect(await readShownInstaller()).toBeNull();
});

test('a recurring gift’s receipt key also returns all its payments combined', async () => {
  const { ledgerEntryId, checkoutId } = await addGift(db, orgId);
  expect((await readHomes(ledgerEntryId)).allPayments).toBeNull();
  await addHome();
  const renewal = { orgId, checkoutId, amount: 1000, carbon: 0, currency: 'usd' };
  const renewalEntry = {
    kind: 'renewal',
    fact: `test:${checkoutId}`,
    occurredAt: new Date('2026-04-14T09:30:00Z'),
  } as const;
  await inTransaction(db, (tx) => postEntry(tx, { ...renewal, ...renewalEntry }));
  const { gift, allPayments } = await readHomes(ledgerEntryId);
  expect(gift).toMatchObject({ paid: 25, unallocatedDollars: 5, homes: [{ amount: 20 }] });
  expect(allPayments).toMatchObject({
    payments: 2,
    gift: { paid: 35, unallocatedDollars: 15, homes: [{ amount: 20 }] },
  });
});

test('an open dispute is shown and changes no allocation', async () => {
  const { ledgerEntryId } = await addGift(db, orgId);
  const dispute = { id: `dp_${ledgerEntryId}`, entry_id: ledgerEntryId, kind: 'dispute' as const, amount_cents: 2500 };
  const openDispute = { status: 'open' as const, reason: null, occurred_at: new Date('2026-04-02T12:00:00Z') };
  await db.kysely
    .insertInto('payment_returns')
    .values({ ...dispute, ...openDispute })
    .execute();
  expect((await readHomes(ledgerEntryId)).gift).toMatchObject({
    isDisputed: true,
    unallocatedDollars: 25,
    returned: 0,
  });
});

test('test payments don’t fund homes in live mode', async () => {
  const { checkoutId } = await addGift(db, orgId);
  const testPayment = { orgId, checkoutId, amount: 1000, carbon: 0, currency: 'usd', livemode: false };
  const testEntry = {
    kind: 'payment',
    fact: `test:t-${checkoutId}`,
    occurredAt: new Date('2026-04-14T09:30:00Z'),
  } as const;
  const entryId = await inTransaction(db, (tx) => postEntry(tx, { ...testPayment, ...testEntry }));
  const countAllocations = async () => (await readGiftAllocations(db, orgId, [entryId ?? ''])).size;
  expect(await countAllocations()).toBe(1);
  await sql`insert into payment_mode (livemode) values (true)`.execute(db.kysely);
  expect(await countAllocations()).toBe(0);
  await sql`delete from payment_mode`.execute(db.kysely);
});

test('the receipt key of another organization or an unknown key is rejected', async () => {
  const { ledgerEntryId } = await addGift(db, orgId);
  const otherOrg = await addOrg(db);
  for (const [org, key] of [
    [otherOrg, await readReceiptKey(ledgerEntryId)],
    [orgId, 'nothing'],
  ] as const) {
    const response = await call(app, 'openGiftHomes', { params: { orgid: org }, query: { key } });
    expect(readOutcome(response)).toEqual([404, 'receipt-not-found']);
  }
});

test('a story names the homes its donor helped, without amounts, if donor and household agreed', async () => {
  await addHome(GRANT_FIELDS, 5000);
  const addStoryWithHomes = async (shows_homes: boolean) => {
    const { checkoutId } = await addGift(db, orgId);
    const offsetterId = await addOffsetter(db, orgId, { shows_homes });
    await db.kysely.updateTable('checkouts').set({ offsetter_id: offsetterId }).where('id', '=', checkoutId).execute();
    return offsetterId;
  };
  const [publicStory, privateStory] = [await addStoryWithHomes(true), await addStoryWithHomes(false)];
  const readProfile = async (offsetterId: string) =>
    (await call(app, 'readOffsetter', { params: { orgid: orgId, offsetterid: offsetterId } })).json<Profile>();
  const profileURL = `/orgs/${orgId}/awardees/${awardeeId}/`;
  const home = { name: 'The Okafor family', profileURL, measures: ['attic-insulation'], doneOn: '2026-04-01' };
  expect((await readProfile(publicStory)).homes).toEqual([home]);
  expect(await readProfile(privateStory)).not.toHaveProperty('homes');
  await db.kysely.updateTable('grants').set({ published_fields: [] }).where('org_id', '=', orgId).execute();
  expect((await readProfile(publicStory)).homes).toEqual([{ name: 'The Okafor family', profileURL }]);
  await db.kysely.updateTable('awardees').set({ status: 'hidden' }).where('id', '=', awardeeId).execute();
  expect(await readProfile(publicStory)).not.toHaveProperty('homes');
});
