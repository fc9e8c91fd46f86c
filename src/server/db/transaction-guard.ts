import { AsyncLocalStorage } from 'node:async_hooks';

type OpenTransaction = { readonly pool: object; open: boolean };

const current = new AsyncLocalStorage<OpenTransaction>();

/** Somebody used the database beside the transaction they are in. A mistake in the program, never a visitor's. */
export class OutsideTransactionError extends Error {
  override readonly name = 'OutsideTransactionError';
  constructor() {
    super(
      'The database was used inside a transaction but not through it. Hand the transaction on: on the embedded ' +
        'database, which has one connection, this would wait for itself for ever.',
    );
  }
}

/** Runs `work`, during which every other use of the pool from the same flow of calls is refused. */
export async function guardTransaction<T>(pool: object, work: () => Promise<T>): Promise<T> {
  const transaction: OpenTransaction = { pool, open: true };
  try {
    return await current.run(transaction, work);
  } finally {
    // Timers and the like that were started inside live on with this context, and are free from here.
    transaction.open = false;
  }
}

/** The error to give to whoever asks this pool for a connection from inside a transaction, if they are inside one. */
export function refusalInsideTransaction(pool: object): OutsideTransactionError | undefined {
  const transaction = current.getStore();
  return transaction?.open === true && transaction.pool === pool ? new OutsideTransactionError() : undefined;
}
