import { expect, test } from 'vitest';
import { isDeleteWord } from '#web/routes/me/account-dialogs.tsx';
import { formatLoginMethods, hasPassword } from '#web/routes/me/account-panel.tsx';

const userWithProviders = (...ids: string[]) => ({ providerData: ids.map((providerId) => ({ providerId })) });

test('everyone can log in by email link and by methods they have used', () => {
  expect(formatLoginMethods(userWithProviders())).toBe('Email link');
  expect(formatLoginMethods(userWithProviders('password'))).toBe('Email link and password');
  expect(formatLoginMethods(userWithProviders('google', 'password'))).toBe('Email link, Google, and password');
});

test('an account has a password only if its owner set one', () => {
  expect(hasPassword(userWithProviders('google'))).toBe(false);
  expect(hasPassword(userWithProviders('google', 'password'))).toBe(true);
});

test('deleting an account requires typing “delete”', () => {
  expect(['delete', ' Delete ', 'DELETE'].every(isDeleteWord)).toBe(true);
  expect(['', 'delet', 'delete me', 'yes'].some(isDeleteWord)).toBe(false);
});
