import { AsyncLocalStorage } from 'node:async_hooks';

type OpenTransaction = { readonly pool: object; isOpen: boolean };

const openTransactionStorage = new AsyncLocalStorage<OpenTransaction>();

/** Thrown if `db` is used inside a transaction instead of `tx`, which is always a bug. */
export class OutsideTransactionError extends Error {
  override readonly name = 'OutsideTransactionError';
  constructor() {
    super(
      'The database was used inside a transaction but not through it. Pass the transaction along. Otherwise the query is not ' +
        'part of it and waits for a second connection, which deadlocks if all connections do the same.',
    );
  }
}

/** Runs the work of a transaction, and rejects any other use of the pool from the same async context. */
export async function guardTransaction<T>(pool: object, work: () => Promise<T>): Promise<T> {
  const transaction: OpenTransaction = { pool, isOpen: true };
  try {
    return await openTransactionStorage.run(transaction, work);
  } finally {
    // Timers started inside the transaction keep this context. They may use the pool after it.
    transaction.isOpen = false;
  }
}

export function findTransactionMisuse(pool: object): OutsideTransactionError | undefined {
  const transaction = openTransactionStorage.getStore();
  return transaction?.isOpen === true && transaction.pool === pool ? new OutsideTransactionError() : undefined;
}
