import pg from 'pg';
import { refusalInsideTransaction } from './transaction-guard.ts';

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A pool that refuses, on either engine, what would hang for ever on the engine with one connection. */
export class GuardedPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const refusal = refusalInsideTransaction(this);
    if (callback === undefined) return refusal === undefined ? super.connect() : Promise.reject(refusal);
    if (refusal === undefined) super.connect(callback);
    else callback(refusal, undefined, () => {});
    return undefined;
  }
}
