import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { GuardedPool } from '#server/db/connection.ts';
import { LIMITS } from '#server/db/limits.ts';

/** Connects immediately, to nothing. */
class Connected extends EventEmitter {
  readonly _queryable = true;
  query(): Promise<void> {
    return Promise.resolve();
  }
  connect(done: () => void): void {
    done();
  }
  end(done?: () => void): void {
    done?.();
    this.emit('end');
  }
}

afterEach(() => void vi.useRealTimers());

test('a connection that is ready after its request timed out is used by the next', async () => {
  vi.useFakeTimers();
  const preparing: PromiseWithResolvers<void>[] = [];
  const prepare = () => {
    const promise = Promise.withResolvers<void>();
    preparing.push(promise);
    return promise.promise;
  };
  // The pool doesn't use the parts of a client that are missing here.
  const Client = Connected as unknown as new () => pg.Client;
  const pool = new GuardedPool({
    Client,
    max: 1,
    connectionTimeoutMillis: 1000,
    prepare,
    limits: LIMITS,
    isDown: () => false,
  });
  const first = pool.connect();
  preparing[0]?.resolve();
  const inUse = await first;
  const lateConnection = pool.connect().catch((error: Error) => error.message);
  // A lost connection is replaced for the request that waits.
  inUse.release(new Error('lost'));
  expect(preparing).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await lateConnection).toBe('timeout exceeded when trying to connect');
  preparing[1]?.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
  const next = await pool.connect();
  next.release();
  await pool.end();
});
