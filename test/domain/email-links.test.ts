import { expect, test } from 'vitest';
import { linkLife } from '#domain/email-links.ts';

test('email links expire after the configured time', () => {
  expect([linkLife('sign-in'), linkLife('reset'), linkLife('verify')]).toEqual([
    '10 minutes',
    '60 minutes',
    '24 hours',
  ]);
});
