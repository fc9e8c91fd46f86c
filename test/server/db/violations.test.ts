import { expect, test } from 'vitest';
import { isForeignKeyViolation, isRetryableConflict, isUniqueViolation } from '#server/db/error-codes.ts';
import { createLogger } from '#server/log.ts';
import { createTestDatabase } from '#test/support/database.ts';

const { pool } = await createTestDatabase();
await pool.query(`
  create table parents (id text constraint parents_by_id primary key);
  create table children (id int8, parent_id text constraint child_of references parents (id));
  insert into parents values ('a')`);

const catchError = (statement: string): Promise<unknown> =>
  pool.query(statement).then(
    () => undefined,
    (error) => error,
  );

test('a second row with the same key is a unique violation of the named constraint', async () => {
  const error = await catchError(`insert into parents values ('a')`);
  expect(isUniqueViolation(error)).toBe(true);
  expect(isUniqueViolation(error, 'parents_by_id')).toBe(true);
  expect(isUniqueViolation(error, 'another')).toBe(false);
  expect(isForeignKeyViolation(error)).toBe(false);
});

test('a dangling reference is a foreign key violation', async () => {
  const error = await catchError(`insert into children values (1, 'nobody')`);
  expect(isForeignKeyViolation(error)).toBe(true);
  expect(isForeignKeyViolation(error, 'child_of')).toBe(true);
  expect(isForeignKeyViolation(error, 'another')).toBe(false);
  expect(isUniqueViolation(error)).toBe(false);
});

test('other errors are neither violations nor temporary conflicts', async () => {
  const error = await catchError('select 1 / 0');
  expect(error).toBeInstanceOf(Error);
  for (const otherError of [error, new Error('23505'), { code: '23505' }, '23505', undefined]) {
    expect(isUniqueViolation(otherError)).toBe(false);
    expect(isForeignKeyViolation(otherError)).toBe(false);
    expect(isRetryableConflict(otherError)).toBe(false);
  }
});

test('the log names the violated rule but not the row', async () => {
  const err = await catchError(`insert into children values (1, 'ann@example.org')`);
  expect(err).toMatchObject({ detail: expect.stringContaining('ann@example.org') });
  const lines: string[] = [];
  createLogger('info', { write: (line) => void lines.push(line) }).error({ err }, 'it failed');
  expect(lines).toEqual([expect.stringContaining('child_of')]);
  expect(lines.join()).not.toContain('ann@example.org');
});
