import { expect, test } from 'vitest';
import { isUnavailable, isUnreachable, retryUntilAvailable, UnreachableError } from '#server/db/unavailable.ts';

const coded = (code: string, message = '') => Object.assign(new Error(message), { code });

test.each<[string, unknown, boolean, boolean]>([
  ['it was known to be out', new UnreachableError(), true, true],
  ['a connection is refused', coded('ECONNREFUSED'), true, true],
  ['any failure to connect', Object.assign(coded('EWHATEVER'), { syscall: 'connect' }), true, true],
  ['a connection was lost', new Error('Connection terminated unexpectedly'), true, true],
  ['no connection was free in time', new Error('timeout exceeded when trying to connect'), true, true],
  ['the server stops', coded('57P01'), true, true],
  ['a transaction idled too long', coded('25P03'), true, true],
  ['the password is another', coded('28P01'), true, true],
  ['it is renamed or restored', coded('3D000'), true, true],
  ['too many are connected', coded('53300'), false, true],
  ['its disk is full', coded('53100'), false, true],
  ['a statement took too long', coded('57014'), false, true],
  ['a lock took too long', coded('55P03'), false, true],
  ['it became a standby', coded('25006'), false, true],
  ['our disk is full', coded('ENOSPC'), false, true],
  ['a row is there already', coded('23505', 'Connection terminated'), false, false],
  ['a mistake of ours', new Error('x is not a function'), false, false],
  ['no error at all', 'ECONNREFUSED', false, false],
])('%s', (_what, error, outOfReach, unavailable) => {
  expect([isUnreachable(error), isUnavailable(error)]).toEqual([outOfReach, unavailable]);
});

test('important writes are retried during an outage, but not after any other error', async () => {
  let tries = 0;
  const failing = (errors: readonly Error[]) => () => {
    const error = errors[tries];
    tries += 1;
    return error ? Promise.reject(error) : Promise.resolve('done');
  };
  expect(await retryUntilAvailable(failing([new UnreachableError()]))).toBe('done');
  expect(tries).toBe(2);
  tries = 0;
  await expect(retryUntilAvailable(failing([coded('23505', 'there already')]))).rejects.toThrow('there already');
  expect(tries).toBe(1);
});
