import { expect, onTestFinished, test, vi } from 'vitest';
import { isUnavailable, isUnreachable, retryUntilAvailable, UnreachableError } from '#server/db/unavailable.ts';
import { sendAndRecord } from '#server/jobs/send-and-record.ts';

const errorWithCode = (code: string, message = '') => Object.assign(new Error(message), { code });

test.each<[string, unknown, boolean, boolean]>([
  ['the database is known to be down', new UnreachableError(), true, true],
  ['a connection is refused', errorWithCode('ECONNREFUSED'), true, true],
  ['any failure to connect', Object.assign(errorWithCode('EWHATEVER'), { syscall: 'connect' }), true, true],
  ['the server is stopping', new Error('Cannot use a pool after calling end on the pool'), true, true],
  ['a connection was lost', new Error('Connection terminated unexpectedly'), true, true],
  ['no connection was free in time', new Error('timeout exceeded when trying to connect'), true, true],
  ['the server stops', errorWithCode('57P01'), true, true],
  ['a transaction idled too long', errorWithCode('25P03'), true, true],
  ['the password was changed', errorWithCode('28P01'), true, true],
  ['the database is renamed or restored', errorWithCode('3D000'), true, true],
  ['too many clients are connected', errorWithCode('53300'), false, true],
  ['the database server’s disk is full', errorWithCode('53100'), false, true],
  ['a statement took too long', errorWithCode('57014'), false, true],
  ['a lock took too long', errorWithCode('55P03'), false, true],
  ['the server became a standby', errorWithCode('25006'), false, true],
  ['our disk is full', errorWithCode('ENOSPC'), false, true],
  ['a row already exists', errorWithCode('23505', 'Connection terminated'), false, false],
  ['a programming error', new Error('x is not a function'), false, false],
  ['not an error object', 'ECONNREFUSED', false, false],
])('%s', (_title, error, expectUnreachable, expectUnavailable) => {
  expect([isUnreachable(error), isUnavailable(error)]).toEqual([expectUnreachable, expectUnavailable]);
});

test('important writes are retried during an outage, but not after any other error', async () => {
  let attempts = 0;
  const failWith = (errors: readonly Error[]) => () => {
    const error = errors[attempts];
    attempts += 1;
    return error ? Promise.reject(error) : Promise.resolve('done');
  };
  expect(await retryUntilAvailable(failWith([new UnreachableError()]))).toBe('done');
  expect(attempts).toBe(2);
  attempts = 0;
  await expect(retryUntilAvailable(failWith([errorWithCode('23505', 'there already')]))).rejects.toThrow(
    'there already',
  );
  expect(attempts).toBe(1);
});

test('retries end after 20 seconds, even if each one waits for a timeout', async () => {
  let elapsedMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => elapsedMs);
  onTestFinished(() => clock.mockRestore());
  const operation = vi.fn(async () => {
    elapsedMs += 15_000;
    throw errorWithCode('55P03', 'canceling statement due to lock timeout');
  });
  await expect(retryUntilAvailable(operation)).rejects.toThrow('lock timeout');
  expect(operation).toHaveBeenCalledTimes(2);
});

test('an email’s outcome is recorded even after an outage of 40 seconds', async () => {
  let elapsedMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => elapsedMs);
  onTestFinished(() => clock.mockRestore());
  const recordOutcome = vi.fn(async () => {
    elapsedMs += 10_000;
    if (elapsedMs < 40_000) throw new UnreachableError();
  });
  await sendAndRecord(async () => {}, { isLastAttempt: false }, recordOutcome);
  expect(recordOutcome).toHaveBeenLastCalledWith('sent', null);
});
