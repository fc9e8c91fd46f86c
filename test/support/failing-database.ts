import { createCaches } from '#server/db/caches.ts';
import type { Database } from '#server/db/connection.ts';

/** Starts with the same words as the driver's message. */
export const LOST_CONNECTION_MESSAGE = 'Connection terminated by a failing database';

/** A database whose connection breaks at the end of the first transaction. */
export function createFailingDatabase(db: Database, isCommitted: boolean): Database {
  let isLost = false;
  const breakConnection = () => {
    isLost = true;
    return new Error(LOST_CONNECTION_MESSAGE);
  };
  const kysely = new Proxy(db.kysely, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'transaction' || isLost) return typeof value === 'function' ? value.bind(target) : value;
      const execute = async (work: Parameters<ReturnType<typeof target.transaction>['execute']>[0]) => {
        await target.transaction().execute(async (tx) => {
          await work(tx);
          if (!isCommitted) throw breakConnection();
        });
        throw breakConnection();
      };
      return () => ({ setIsolationLevel: () => ({ execute }) });
    },
  });
  return { ...db, caches: createCaches(), kysely };
}
