import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { GuardedPool } from '#server/db/guarded-pool.ts';
import { DEFAULT_LIMITS } from '#server/db/limits.ts';

/** A fake connection that connects immediately. */
class FakeConnection extends EventEmitter {
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

test('a connection that is ready after its request timed out is used by the next request', async () => {
  vi.useFakeTimers();
  const preparations: PromiseWithResolvers<void>[] = [];
  const prepare = () => {
    const preparation = Promise.withResolvers<void>();
    preparations.push(preparation);
    return preparation.promise;
  };
  // The pool doesn't use the parts of a client that are missing here.
  const Client = FakeConnection as unknown as new () => pg.Client;
  const pool = new GuardedPool({
    Client,
    max: 1,
    connectionTimeoutMillis: 1000,
    prepare,
    limits: DEFAULT_LIMITS,
    isDown: () => false,
  });
  const firstRequest = pool.connect();
  preparations[0]?.resolve();
  const firstClient = await firstRequest;
  const lateConnection = pool.connect().catch((error: Error) => error.message);
  // A lost connection is replaced for the waiting request.
  firstClient.release(new Error('lost'));
  expect(preparations).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await lateConnection).toBe('timeout exceeded when trying to connect');
  preparations[1]?.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
  const nextClient = await pool.connect();
  nextClient.release();
  await pool.end();
});
