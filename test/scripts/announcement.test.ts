import { expect, test } from 'vitest';
import { announcement } from '#scripts/announcement.ts';

const SANDBOX = { kind: 'sandbox' } as const;
const URL = 'http://localhost:8080';

test('a fresh start says that it shows a sample, how to pay, where to sign in, and where the link comes', () => {
  const said = announcement({ production: false, smtpUrl: undefined, stripe: SANDBOX }, URL);
  expect(said).toEqual([
    'City Climate Fund: http://localhost:8080',
    '  It shows a sample organization: its people are invented, and no money moves.',
    '  Pay with the test card 4242 4242 4242 4242, any date to come, any CVC.',
    '  Slow bank debits are settled at http://localhost:8080/sandbox/debits',
    '  Sign in at http://localhost:8080/login as editor@sample.example or admin@sample.example',
    '  All mails are kept at http://localhost:8080/dev/mailbox: the links to sign in with, and the receipts.',
    '  Ctrl+C ends it.',
  ]);
});

test('where mails go out, the people of the sample cannot be reached, and it is said who can sign in', () => {
  const said = announcement({ production: false, smtpUrl: 'smtp://localhost', stripe: SANDBOX }, URL).join('\n');
  expect(said).not.toMatch(/sample\.example|mailbox/);
  expect(said).toContain('ADMIN_EMAILS');
});

test('a production says where it is, and nothing of a sample', () => {
  expect(announcement({ production: true, smtpUrl: undefined, stripe: SANDBOX }, URL)).toEqual([
    'City Climate Fund: http://localhost:8080',
  ]);
});
