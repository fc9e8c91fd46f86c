// @spec 9.minimums decisions.4
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { passwordFailure } from '#domain/password.ts';
import { newPasswordFailure } from '#server/features/sessions/new-password.ts';

test.each(['password', 'PassWord', 'trustno1', ' letmein '])('the common password "%s" is rejected', (password) => {
  expect(newPasswordFailure(password)?.code).toBe('password-too-common');
});

// @asvs 6.2.4 6.2.12
test('thousands of leaked passwords that meet the form’s rules are rejected', async () => {
  const file = await readFile('src/server/features/sessions/common-passwords.txt', 'utf8');
  const leakedPasswords = file
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && !passwordFailure(line));
  expect(leakedPasswords.length).toBeGreaterThan(3000);
  expect(leakedPasswords.filter((password) => newPasswordFailure(password)?.code !== 'password-too-common')).toEqual(
    [],
  );
});

test('a passphrase is accepted', () => {
  expect(newPasswordFailure('warm homes, cooler planet')).toBeUndefined();
});

test('comments in the file of common passwords aren’t passwords', () => {
  expect(
    newPasswordFailure('# The ten thousand commonest passwords of at least 6 characters, the commonest first.'),
  ).toBeUndefined();
});

test('the rules of the sign-up form also apply', () => {
  expect(newPasswordFailure('12345')?.code).toBe('password-too-short');
  expect(newPasswordFailure('654321')?.code).toBe('password-too-common');
  expect(newPasswordFailure('uma.user', 'uma.user@example.org')?.code).toBe('password-is-email');
});
