import type { Insertable, Kysely, Selectable } from 'kysely';
import type { ProviderEventsTable, Tables } from '#server/db/tables.ts';

export type EventOutcome = Selectable<ProviderEventsTable>['outcome'];

/** The outcomes of those events that were received before. */
export async function outcomesOf(db: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, EventOutcome>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('provider_events').select(['id', 'outcome']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, outcome }) => [id, outcome]));
}

/** Saves an event once; only a refused one can get a new outcome when it is delivered again. */
export async function saveEvent(db: Kysely<Tables>, event: Insertable<ProviderEventsTable>): Promise<void> {
  const { outcome, checkout_id = null, reason = null } = event;
  await db
    .insertInto('provider_events')
    .values(event)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ outcome, checkout_id, reason })
        .where('provider_events.outcome', '=', 'refused'),
    )
    .execute();
}
