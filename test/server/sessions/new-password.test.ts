import { expect, test } from 'vitest';
import { newPasswordFailure } from '#server/features/sessions/new-password.ts';

test.each(['password', 'PassWord', 'trustno1', ' letmein '])('the common password "%s" is refused', (password) => {
  expect(newPasswordFailure(password)?.code).toBe('password-too-common');
});

test('a passphrase is accepted', () => {
  expect(newPasswordFailure('warm homes, cooler planet')).toBeUndefined();
});

test('the comments in the file of common passwords are not passwords', () => {
  expect(
    newPasswordFailure('# The ten thousand commonest passwords of at least 6 characters, the commonest first.'),
  ).toBeUndefined();
});

test('the rules of the form apply too', () => {
  expect(newPasswordFailure('12345')?.code).toBe('password-too-short');
  expect(newPasswordFailure('654321')?.code).toBe('password-too-common');
  expect(newPasswordFailure('uma.user', 'uma.user@example.org')?.code).toBe('password-is-address');
});
