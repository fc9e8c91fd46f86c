import { expect, test } from 'vitest';
import { formatLinkLifetime } from '#domain/email-links.ts';

test('link lifetimes are shown in minutes or hours', () => {
  expect([formatLinkLifetime('sign-in'), formatLinkLifetime('reset'), formatLinkLifetime('verify')]).toEqual([
    '10 minutes',
    '60 minutes',
    '24 hours',
  ]);
});
