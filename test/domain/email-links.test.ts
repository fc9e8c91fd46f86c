import { expect, test } from 'vitest';
import { linkLifetime } from '#domain/email-links.ts';

test('link lifetimes are shown in minutes or hours', () => {
  expect([linkLifetime('sign-in'), linkLifetime('reset'), linkLifetime('verify')]).toEqual([
    '10 minutes',
    '60 minutes',
    '24 hours',
  ]);
});
