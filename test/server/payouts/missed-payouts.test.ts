// @spec decisions.3
import { expect, test } from 'vitest';
import { Failure } from '#domain/failures.ts';
import { recordMissedPayouts } from '#server/features/payouts/missed-payouts.ts';
import { findPayouts, listPayoutsToReassign } from '#server/features/payouts/payouts.store.ts';
import type { PayoutFacts, PayoutMovement } from '#server/gateways/payments/balance-facts.ts';
import { createTestDeps, unreachableProvider } from '#test/support/build-app.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabase } from '#test/support/database.ts';

const db = await createTestDatabase();
const orgId = await addOrg(db);

function buildMovement(kind: PayoutMovement['kind'], id: string, occurredAt: Date): PayoutMovement {
  return {
    movementId: `txn_${id}`,
    kind,
    sourceId: id,
    chargeId: kind === 'payment' ? id : undefined,
    isFromOtherInstallation: false,
    description: '',
    gross: 2500,
    fee: 0,
    net: 2500,
    occurredAt,
  };
}

function buildPayout(payoutId: string, createdAt: Date, contents: readonly PayoutMovement[]): PayoutFacts {
  return {
    payoutId,
    amount: 2500 * contents.length,
    currency: 'usd',
    livemode: false,
    status: 'paid',
    isManual: false,
    createdAt,
    arrivesOn: '2026-03-20',
    failedAt: undefined,
    fee: undefined,
    contents,
  };
}

async function addCharge(chargeId: string): Promise<void> {
  const { ledgerEntryId } = await addGift(db, orgId);
  await db.kysely
    .updateTable('payments')
    .set({ charge_id: chargeId, fee_cents: 0 })
    .where('entry_id', '=', ledgerEntryId)
    .execute();
}

test('one run assigns late payments to both a failed payout and its replacement', async () => {
  const [first, second] = [new Date('2026-03-15T00:00:00Z'), new Date('2026-03-18T00:00:00Z')];
  const failedPayout = buildPayout('po_z', first, [buildMovement('payment', 'ch_1', first)]);
  const payouts = [
    { ...failedPayout, status: 'failed' as const, failedAt: second },
    buildPayout('po_a', second, [
      buildMovement('returned-payout', 'po_z', second),
      buildMovement('payment', 'ch_2', second),
    ]),
  ];
  const payments: typeof unreachableProvider = {
    ...unreachableProvider,
    readPayout: async (id) => payouts.find(({ payoutId }) => payoutId === id) ?? 'unknown',
    readCharge: async () => 'unknown',
  };
  const deps = await createTestDeps(db, { payments });
  await recordMissedPayouts(
    deps,
    payouts.map(({ payoutId, status }) => ({ payoutId, status, isComplete: true })),
  );
  await addCharge('ch_1');
  await addCharge('ch_2');
  expect(await listPayoutsToReassign(db.kysely)).toEqual(['po_z', 'po_a']);
  await recordMissedPayouts(deps, []);
  expect(await listPayoutsToReassign(db.kysely)).toEqual([]);
});

test('a payout that can’t be recorded is returned and doesn’t delay the others', async () => {
  const at = new Date('2026-03-20T00:00:00Z');
  const error = new Error('The payout has an unknown currency.');
  const readIds: string[] = [];
  const payments: typeof unreachableProvider = {
    ...unreachableProvider,
    readPayout: async (id) => {
      readIds.push(id);
      if (id === 'po_broken') throw error;
      return buildPayout(id, at, []);
    },
  };
  const listedPayouts = ['po_broken', 'po_1'].map(
    (payoutId) => ({ payoutId, status: 'paid', isComplete: true }) as const,
  );
  const unrecordedPayouts = await recordMissedPayouts(await createTestDeps(db, { payments }), listedPayouts);
  expect(unrecordedPayouts).toEqual([{ payoutId: 'po_broken', reason: error }]);
  expect(readIds).toEqual(['po_broken', 'po_1']);
  const rows = await findPayouts(db.kysely, ['po_broken', 'po_1']);
  expect(rows.map(({ id }) => id)).toEqual(['po_1']);
});

test('an unavailable provider ends the run', async () => {
  const payments = { ...unreachableProvider, readPayout: async () => new Failure('payment-unavailable') };
  const listedPayouts = ['po_2', 'po_3'].map((payoutId) => ({ payoutId, status: 'paid', isComplete: true }) as const);
  const unrecordedPayouts = await recordMissedPayouts(await createTestDeps(db, { payments }), listedPayouts);
  expect(unrecordedPayouts).toMatchObject([{ payoutId: 'po_2', reason: { code: 'payment-unavailable' } }]);
});
