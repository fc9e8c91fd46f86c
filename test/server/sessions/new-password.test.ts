import { expect, test } from 'vitest';
import { newPasswordFailure } from '#server/features/sessions/new-password.ts';

test.each(['123456', 'password', 'PassWord', 'trustno1', ' letmein '])(
  'the common password "%s" is refused',
  (password) => {
    expect(newPasswordFailure(password)?.code).toBe('password-too-common');
  },
);

test('a passphrase is taken', () => {
  expect(newPasswordFailure('warm homes, cooler planet')).toBeUndefined();
});

test('the notes in the file of common passwords are no passwords', () => {
  expect(
    newPasswordFailure('# The ten thousand commonest passwords of at least 6 characters, the commonest first.'),
  ).toBeUndefined();
});

test('a short password is refused as short', () => {
  expect(newPasswordFailure('12345')?.code).toBe('password-too-short');
});

test.each(['uma.user@example.org', 'UMA.User@example.org ', 'uma.user'])(
  'the address that it is for makes no password: "%s"',
  (password) => {
    expect(newPasswordFailure(password, 'uma.user@example.org')?.code).toBe('password-is-address');
    expect(newPasswordFailure(password, 'somebody.else@example.org')).toBeUndefined();
    expect(newPasswordFailure(password)).toBeUndefined();
  },
);
