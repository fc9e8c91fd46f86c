import { expect, onTestFinished, test, vi } from 'vitest';
import type { OrgChange } from '#server/db/org-changes.ts';
import { deferNotifications } from '#server/db/org-changes.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabase } from '#test/support/database.ts';

const db = await createTestDatabase();

test('a change whose notification is lost is noticed within five seconds', async () => {
  const orgId = await addOrg(db);
  const onChange = vi.fn<(change: OrgChange | undefined) => void>();
  // Starts polling, so the first poll is a full interval later.
  onTestFinished(await db.changes.subscribe(onChange));
  // Simulates a process that crashes between the commit and the announcement.
  await inTransaction(db, async (tx) => {
    await deferNotifications(tx);
    await tx.updateTable('orgs').set({ name: 'Renamed' }).where('id', '=', orgId).execute();
  });
  // A second is left for reading the versions.
  await expect
    .poll(() => onChange.mock.lastCall, { timeout: 4000 })
    .toEqual([{ orgId, version: 2, contentVersion: 2 }]);
});
