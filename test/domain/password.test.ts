// @spec 9.minimums
import { expect, test } from 'vitest';
import { MAX_PASSWORD_LENGTH, passwordFailure } from '#domain/password.ts';

test('a password has at least 6 characters', () => {
  expect(passwordFailure('qkvbz')?.message).toBe('Please choose a password of at least 6 characters.');
  expect(passwordFailure('qkvbzt')).toBeUndefined();
});

// @asvs 6.2.5
test('a character outside the basic plane counts once', () => {
  expect(passwordFailure('🌍🌲🏠')?.code).toBe('password-too-short');
  expect(passwordFailure('🌍🌲🏠🚲🌻🔥')).toBeUndefined();
});

// @asvs 6.2.9
test('a password has at most 256 characters', () => {
  const longest = 'warm homes, '.repeat(22).slice(0, MAX_PASSWORD_LENGTH);
  expect(passwordFailure(longest)).toBeUndefined();
  expect(passwordFailure(`${longest}x`)?.code).toBe('password-too-long');
});

test.each([
  // Sequences, forward and backward.
  '123456',
  '654321',
  '987654321',
  '012345',
  '567890',
  'abcdef',
  'ABCDEF',
  'ghijklmnop',
  'zyxwvu',
  // Keyboard rows.
  'qwerty',
  'QWERTYUIOP',
  'poiuyt',
  'asdfgh',
  'lkjhgf',
  'zxcvbn',
  // Repeats.
  'aaaaaa',
  'zzzzzz',
  '111111111',
  '      a',
  '🌍🌍🌍🌍🌍🌍',
  'xyxyxy',
  '101010',
  'catcat',
  'x'.repeat(256),
  // Combinations of the patterns above and little else.
  'abc123',
  '123123',
  'aaabbb',
  'qwe123',
  'qweasdzxc',
  'aaaaaa1',
  'abcdef1!',
  '12345ab',
])('"%s" is too easy to guess', (password) => {
  expect(passwordFailure(password)?.message).toBe('This password is too easy to guess. Please choose another.');
});

// @asvs 6.2.5
test.each(['first1', 'students', 'warm homes', 'dog12345', 'abcdog99', 'homehome', '860413', 'Überhaupt', 'zq!9aaaa'])(
  '"%s" is accepted',
  (password) => {
    expect(passwordFailure(password)).toBeUndefined();
  },
);

// @asvs 6.2.11
test.each([
  'climatefund',
  'City Climate Fund',
  'ClimateFund2026!',
  'offsets-1',
  'admin#2026',
  'carbonOffsetter',
  'editor99',
])('"%s" consists mostly of words attackers try first', (password) => {
  expect(passwordFailure(password)?.code).toBe('password-too-common');
});

test.each(['warm homes, cooler planet', 'fund-x7kq2plz', 'giftwrapping', 'Ada funds carbon'])(
  '"%s" contains a common word but enough other text',
  (password) => {
    expect(passwordFailure(password)).toBeUndefined();
  },
);

test.each(['uma.user@example.org', 'UMA.User@example.org ', 'uma.user'])(
  'the account’s email address is rejected as a password: "%s"',
  (password) => {
    expect(passwordFailure(password, 'uma.user@example.org')?.code).toBe('password-is-email');
    expect(passwordFailure(password, 'someone.else@example.org')).toBeUndefined();
    expect(passwordFailure(password)).toBeUndefined();
  },
);
