// @spec decisions.6
import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import { buildTestApp } from '#test/support/build-app.ts';
import { readOutcome } from '#test/support/call.ts';
import { PASSWORD, startPeople } from '#test/support/people.ts';

const PAGE_ORIGIN = 'https://pages.example';
const { deps, addUser: addPerson } = await startPeople();
const app = await buildTestApp({ ...deps, settings: { ...deps.settings, pageOrigins: [PAGE_ORIGIN] } });

const signInFrom = (origin: string) =>
  app.inject({
    method: 'POST',
    url: callPath('signInWithPassword', {}),
    headers: { origin, 'x-requested-with': 'test', 'content-type': 'application/json' },
    payload: JSON.stringify({ email: 'pia@example.org', password: PASSWORD }),
  });

test('people can log in only on the pages of a configured host', async () => {
  await addPerson({ email: 'pia@example.org' });
  expect(readOutcome(await signInFrom(PAGE_ORIGIN))).toEqual([200]);
  expect(readOutcome(await signInFrom('https://pages.example.evil.example'))).toEqual([403, 'forbidden']);
});
