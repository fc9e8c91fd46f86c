import { expect, test } from 'vitest';
import { sweepSessions } from '#server/features/sessions/session-lifecycle.ts';
import { DAY, HOUR } from '#test/support/clock.ts';
import { startPeople } from '#test/support/people.ts';

const { db, deps, clock, openBrowser, addUser: addPerson, logIn, readCodeFor } = await startPeople();

async function countRows(): Promise<number[]> {
  const tables = ['sessions', 'email_codes', 'sign_ups'] as const;
  return Promise.all(
    tables.map(async (table) => (await db.kysely.selectFrom(table).select('expires_at').execute()).length),
  );
}

test('the sweep deletes only expired rows', async () => {
  await addPerson({ email: 'ada@example.org' });
  await logIn('ada@example.org');
  await openBrowser().call('sendSignInLink', { email: 'ada@example.org' });
  await readCodeFor('ada@example.org');
  await openBrowser().call('signUp', { email: 'bob@example.org', password: 'warm homes for all' });
  await sweepSessions(deps);
  expect(await countRows()).toEqual([1, 1, 1]);
  clock.advance(HOUR);
  await sweepSessions(deps);
  expect(await countRows()).toEqual([1, 0, 1]);
  clock.advance(DAY);
  await sweepSessions(deps);
  expect(await countRows()).toEqual([1, 0, 0]);
  clock.advance(14 * DAY);
  await sweepSessions(deps);
  expect(await countRows()).toEqual([0, 0, 0]);
});
