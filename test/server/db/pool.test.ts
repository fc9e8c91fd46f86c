import { EventEmitter, once } from 'node:events';
import type pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { GuardedPool } from '#server/db/guarded-pool.ts';
import { DEFAULT_LIMITS } from '#server/db/limits.ts';

/** A fake connection that connects immediately. */
class FakeConnection extends EventEmitter {
  readonly _queryable = true;
  readonly connection = { stream: { destroy: () => this.emit('end') } };
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

// The pool doesn't use the parts of a client that are missing here.
const Client = FakeConnection as unknown as new () => pg.Client;
const OPTIONS = { Client, max: 1, limits: DEFAULT_LIMITS, isDown: () => false };

afterEach(() => void vi.useRealTimers());

test('a connection that is ready after its request timed out is used by the next request', async () => {
  vi.useFakeTimers();
  const preparations: PromiseWithResolvers<void>[] = [];
  const prepare = () => {
    const preparation = Promise.withResolvers<void>();
    preparations.push(preparation);
    return preparation.promise;
  };
  const pool = new GuardedPool({ ...OPTIONS, connectionTimeoutMillis: 1000, prepare });
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

test.each<[string, (pool: GuardedPool) => unknown]>([
  ['after the time limit', () => vi.advanceTimersByTimeAsync(DEFAULT_LIMITS.connectMs)],
  ['if the database is unreachable', (pool) => pool.drop()],
])('a connection whose preparation hangs is dropped %s', async (_when, endPreparation) => {
  vi.useFakeTimers();
  const prepare = async (client: pg.ClientBase) => {
    await once(client, 'end');
    throw new Error('The connection was lost.');
  };
  const pool = new GuardedPool({ ...OPTIONS, prepare });
  const request = pool.connect().catch((error: Error) => error);
  await vi.advanceTimersByTimeAsync(0);
  expect(pool.totalCount).toBe(1);
  await endPreparation(pool);
  await vi.advanceTimersByTimeAsync(0);
  expect(pool.totalCount).toBe(0);
  expect(await request).toBeInstanceOf(Error);
  await pool.end();
});
