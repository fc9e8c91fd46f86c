import { expect, test } from 'vitest';
import { buildAnnouncement } from '#scripts/announcement.ts';

const SANDBOX = { kind: 'sandbox' } as const;
const BASE_URL = 'http://localhost:8080';
const EMBEDDED = { databaseUrl: undefined, dataDir: '/data' };

test('a fresh start announces the demo, how to pay, where to log in, and where to read emails', () => {
  const text = buildAnnouncement({ smtpUrl: undefined, stripe: SANDBOX, ...EMBEDDED }, BASE_URL);
  expect(text).toEqual([
    'City Climate Fund: http://localhost:8080',
    '  This is a demo: the people are fictional and no real money changes hands.',
    '  Pay with the test card 4242 4242 4242 4242, any future date, any CVC.',
    '  Settle slow bank debits at http://localhost:8080/sandbox/debits',
    '  Log in at http://localhost:8080/login as editor@sample.example or admin@sample.example',
    '  Read all emails at http://localhost:8080/dev/mailbox: sign-in links and receipts.',
    '  Database: embedded, in /data/postgres',
    '  Press Ctrl+C to stop.',
  ]);
});

test('with real email, the sample has no logins, and the announcement mentions ADMIN_EMAILS', () => {
  const text = buildAnnouncement({ smtpUrl: 'smtp://localhost', stripe: SANDBOX, ...EMBEDDED }, BASE_URL).join('\n');
  expect(text).not.toMatch(/sample\.example|mailbox/);
  expect(text).toContain('ADMIN_EMAILS');
});
