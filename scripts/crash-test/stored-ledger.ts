import { type Database, openDatabase } from '#server/db/connection.ts';
import { migrate } from '#server/db/migrate.ts';
import { type Difference, verifyLedger } from '#server/features/ledger/verify-ledger.ts';

export const ORG_ID = 'crash-test';

export type StoredLedger = {
  /** How many times each paid session is in the ledger. */
  readonly timesCounted: ReadonlyMap<string, number>;
  /** The sessions whose events are stored and wait to be applied. */
  readonly waiting: ReadonlySet<string>;
  readonly differences: readonly Difference[];
};

export async function makeOrganization(dataDir: string): Promise<void> {
  await withDatabase(dataDir, async (db) => {
    await migrate(db);
    const org = { id: ORG_ID, slug: ORG_ID, name: 'Crash test', tag: 'Nothing is lost' };
    await db.kysely.insertInto('orgs').values(org).execute();
  });
}

export function readLedger(dataDir: string): Promise<StoredLedger> {
  return withDatabase(dataDir, async (db) => {
    const entries = await db.kysely
      .selectFrom('ledger_entries')
      .innerJoin('checkouts', 'checkouts.id', 'ledger_entries.checkout_id')
      .select('checkouts.provider_session_id as session')
      .where('ledger_entries.kind', '=', 'payment')
      .execute();
    const timesCounted = new Map<string, number>();
    for (const { session } of entries) timesCounted.set(session ?? '', (timesCounted.get(session ?? '') ?? 0) + 1);
    const events = await db.kysely
      .selectFrom('provider_events')
      .select('subject_id as session')
      .where('outcome', '=', 'pending')
      .where('subject_kind', '=', 'session')
      .execute();
    const waiting = new Set(events.map(({ session }) => session ?? ''));
    return { timesCounted, waiting, differences: await verifyLedger(db) };
  });
}

async function withDatabase<T>(dataDir: string, work: (db: Database) => Promise<T>): Promise<T> {
  const printLog = (details: object, message: string) => console.error(message, details);
  const db = await openDatabase({ dataDir, log: { info: () => {}, warn: printLog, error: printLog } });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
