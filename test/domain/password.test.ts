import { expect, test } from 'vitest';
import { PASSWORD_MAXIMUM, passwordFailure } from '#domain/password.ts';

test('a password has at least 6 characters', () => {
  expect(passwordFailure('abcde')?.message).toBe('Please choose a password of at least 6 characters.');
  expect(passwordFailure('abcdef')).toBeUndefined();
});

test('a character outside the common planes counts once', () => {
  expect(passwordFailure('🌍🌍🌍')?.code).toBe('password-too-short');
  expect(passwordFailure('🌍🌍🌍🌍🌍🌍')).toBeUndefined();
});

test('a password ends somewhere', () => {
  expect(passwordFailure('x'.repeat(PASSWORD_MAXIMUM))).toBeUndefined();
  expect(passwordFailure('x'.repeat(PASSWORD_MAXIMUM + 1))?.code).toBe('password-too-long');
});
