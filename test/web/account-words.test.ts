import { expect, test } from 'vitest';
import { isTypedDelete } from '#web/routes/me/account-dialogs.tsx';
import { hasPassword, waysOfSigningIn } from '#web/routes/me/account-panel.tsx';

const withProviders = (...ids: string[]) => ({ providerData: ids.map((providerId) => ({ providerId })) });

test('the link works for everybody, and what else one uses is told', () => {
  expect(waysOfSigningIn(withProviders())).toBe('A link by email');
  expect(waysOfSigningIn(withProviders('password'))).toBe('A link by email and a password');
  expect(waysOfSigningIn(withProviders('google', 'password'))).toBe('A link by email, Google, and a password');
});

test('whoever has no password sets one without telling the present one', () => {
  expect(hasPassword(withProviders('google'))).toBe(false);
  expect(hasPassword(withProviders('google', 'password'))).toBe(true);
});

test('an account is deleted by whoever typed so, and by nobody else', () => {
  expect(['delete', ' Delete ', 'DELETE'].every(isTypedDelete)).toBe(true);
  expect(['', 'delet', 'delete me', 'yes'].some(isTypedDelete)).toBe(false);
});
