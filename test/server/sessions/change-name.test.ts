// @spec decisions.4
import { expect, test } from 'vitest';
import type { ResponseBody } from '#contract/schemas.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { startPeople } from '#test/support/people.ts';

const { app, db, addUser: addPerson, logIn } = await startPeople();

test('a name change takes effect immediately, including in the person’s editor roles', async () => {
  const userId = await addPerson({ email: 'uma@example.org', name: 'Uma User' });
  const orgId = await addOrg(db);
  await addEditor(db, orgId, userId);
  const { browser, token } = await logIn('uma@example.org');
  expect(readOutcome(await browser.call('changeName', { name: '  Uma Reyes ' }, token))).toEqual([200]);
  const as = { headers: { authorization: `Bearer ${token}`, 'x-requested-with': 'test' } };
  const user = (await call(app, 'readUser', { params: { userid: userId }, as })).json<ResponseBody<'readUser'>>();
  const editors = (await call(app, 'readEditors', { params: { orgid: orgId }, as })).json<
    ResponseBody<'readEditors'>
  >();
  expect([user.displayName, JSON.stringify(editors).includes('Uma Reyes')]).toEqual(['Uma Reyes', true]);
});

test.each([
  ['', 'no-name'],
  ['   ', 'no-name'],
  ['U'.repeat(61), 'name-too-long'],
  ['Win at https://evil.example', 'text-with-address'],
])('the name "%s" is rejected with %s', async (name, code) => {
  const email = `name-${code}-${name.length}@example.org`;
  const userId = await addPerson({ email, name: 'Uma User' });
  const { browser, token } = await logIn(email);
  expect(readOutcome(await browser.call('changeName', { name }, token))).toEqual([422, code]);
  const users = db.kysely.selectFrom('users').select('display_name').where('id', '=', userId);
  expect(await users.executeTakeFirst()).toEqual({ display_name: 'Uma User' });
});
