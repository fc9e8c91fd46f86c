import type { Transaction } from 'kysely';
import { cartCarbon, cartTotal } from '#domain/cart.ts';
import type { Tables } from '#server/db/tables.ts';
import type { Parent } from '#server/deps.ts';
import { savePayments } from '#server/features/checkouts/payments.store.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { issueReceipt } from '#server/features/receipts/issue-receipt.ts';
import { newId } from '#server/ids.ts';
import { oneByOne } from '#server/jobs/one-by-one.ts';
import type { SampleGift } from './sample-ledger.ts';
import { SAMPLE_ADMIN, SAMPLE_EDITOR, sampleOrg } from './sample-org.ts';
import type { PicturedProfile } from './sample-profile.ts';

type Tx = Transaction<Tables>;

/** Grants from before the fund published stories here. */
const EARLIER_GRANTS = 31;

/** @returns false if another program has just made it */
export async function insertOrg(tx: Tx, createdAt: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('orgs')
    .values({ ...sampleOrg, is_sample: true, delta_grants: EARLIER_GRANTS, created_at: createdAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** An editor and an admin with verified addresses, who log in by a mailed link. */
export async function insertPeople(tx: Tx): Promise<void> {
  const editor = userOf(SAMPLE_EDITOR);
  await tx
    .insertInto('users')
    .values([editor, { ...userOf(SAMPLE_ADMIN), admin: true }])
    .execute();
  await tx
    .insertInto('org_editors')
    .values({ org_id: sampleOrg.id, user_id: editor.id, display_name: editor.display_name })
    .execute();
}

function userOf({ email, name }: { readonly email: string; readonly name: string }) {
  return { id: newId(), email, email_verified: true, display_name: name };
}

export async function insertPublished(
  tx: Tx,
  table: 'awardees' | 'installers',
  profiles: readonly PicturedProfile[],
): Promise<void> {
  const rows = profiles.map((profile) => ({
    ...storyOf(profile),
    consented_at: new Date(profile.createdTimestamp),
  }));
  await tx.insertInto(table).values(rows).execute();
}

export async function insertOffsetters(
  tx: Tx,
  profiles: readonly PicturedProfile[],
  gifts: readonly SampleGift[],
): Promise<void> {
  const rows = profiles.map((profile, index) => {
    const own = gifts.filter(({ offsetterKey }) => offsetterKey === profile.key);
    return {
      ...storyOf(profile),
      // Some agreed to it.
      shows_pounds: index % 2 === 0,
      email: own[0]?.payerEmail ?? `${profile.key}@example.org`,
      last_offset_at: own.at(-1)?.at ?? null,
    };
  });
  await tx.insertInto('offsetters').values(rows).execute();
}

/** Posts sample gifts through the same code as real ones. */
export async function insertGifts(tx: Tx, parent: Parent, gifts: readonly SampleGift[]): Promise<void> {
  for (const gift of gifts) {
    if (gift.kind === 'payment') await insertPayment(tx, parent, gift);
    else if (gift.kind === 'check') await insertCheck(tx, gift);
    else await postEntry(tx, { ...entryOf(gift), kind: 'renewal' });
  }
}

async function insertPayment(tx: Tx, parent: Parent, gift: SampleGift): Promise<void> {
  const checkoutId = `sample-${gift.key}`;
  const amount = cartTotal(gift.items);
  await tx
    .insertInto('checkouts')
    .values({
      id: checkoutId,
      org_id: sampleOrg.id,
      cart: JSON.stringify(gift.items),
      total_cents: amount,
      carbon: cartCarbon(gift.items),
      payment_status: 'paid',
      completed: true,
      display_name: gift.payerName,
      email: gift.payerEmail,
      offsetter_id: gift.offsetterKey ?? null,
      paid_at: gift.at,
      created_at: gift.at,
    })
    .execute();
  const ledgerEntryId = await postEntry(tx, { ...entryOf(gift), kind: 'payment', checkoutId });
  if (ledgerEntryId === undefined) throw new Error(`The sample gift ${gift.key} exists twice`);
  const payment = { entry_id: ledgerEntryId, org_id: sampleOrg.id, checkout_id: checkoutId, charged_at: gift.at };
  await savePayments(tx, [{ ...payment, amount_cents: amount, currency: 'usd', livemode: false }]);
  const receipt = {
    orgId: sampleOrg.id,
    ledgerEntryId,
    checkoutId,
    amount,
    currency: 'usd',
    given: { kind: 'card', items: gift.items } as const,
    givenAt: gift.at,
  };
  const deps = { parent, sandbox: true, now: () => gift.at, jobs: NO_MAILS };
  await issueReceipt(tx, deps, { ...receipt, email: gift.payerEmail, name: gift.payerName });
  await tx.updateTable('receipts').set({ delivery: 'mailed' }).where('ledger_entry_id', '=', ledgerEntryId).execute();
}

/** The sample's donors are fictional, so no receipt is mailed. */
const NO_MAILS = oneByOne(async () => {});

async function insertCheck(tx: Tx, gift: SampleGift): Promise<void> {
  const pledgeId = `sample-${gift.key}`;
  const amount = cartTotal(gift.items);
  const person = { name: gift.payerName, email: gift.payerEmail };
  const times = { received_at: gift.at, created_at: gift.at };
  await tx
    .insertInto('pledges')
    .values({ id: pledgeId, org_id: sampleOrg.id, ...person, ...times, amount_cents: amount, status: 'received' })
    .execute();
  await postEntry(tx, { ...entryOf(gift), kind: 'check', pledgeId });
}

function entryOf(gift: SampleGift) {
  return {
    orgId: sampleOrg.id,
    fact: `sample:${gift.key}`,
    amount: cartTotal(gift.items),
    carbon: cartCarbon(gift.items),
    currency: 'usd',
    occurredAt: gift.at,
  };
}

function storyOf({ key, name, story, photo, createdTimestamp }: PicturedProfile) {
  return {
    id: key,
    org_id: sampleOrg.id,
    name,
    story,
    photo: JSON.stringify(photo),
    status: 'published' as const,
    created_at: new Date(createdTimestamp),
  };
}
