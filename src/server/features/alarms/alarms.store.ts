import type { Transaction } from 'kysely';
import { type AlarmState, NO_ALARM } from '#domain/alarms.ts';
import type { Tables } from '#server/db/tables.ts';

/** Locks an alarm until the transaction ends, so that concurrent processes send only one email. */
export async function lockAlarm(tx: Transaction<Tables>, name: string): Promise<AlarmState> {
  await tx
    .insertInto('alarms')
    .values({ name, is_on: false, change_pending_since: null, changed_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await tx.selectFrom('alarms').selectAll().where('name', '=', name).forUpdate().executeTakeFirst();
  return row ? { isOn: row.is_on, changePendingSince: row.change_pending_since, changedAt: row.changed_at } : NO_ALARM;
}

export async function saveAlarm(tx: Transaction<Tables>, name: string, state: AlarmState): Promise<void> {
  const { isOn, changePendingSince, changedAt } = state;
  await tx
    .updateTable('alarms')
    .set({ is_on: isOn, change_pending_since: changePendingSince, changed_at: changedAt })
    .where('name', '=', name)
    .execute();
}
