import type { Config } from '#server/config.ts';
import { describeDatabase } from '#server/db/data-folder.ts';
import { SAMPLE_ADMIN, SAMPLE_EDITOR } from './sample/sample-org.ts';

type AnnouncedSettings = Pick<Config, 'smtpUrl' | 'stripe' | 'databaseUrl' | 'dataDir'>;

/** Lines that `npm start` prints outside production: the URL, and how to try the app. */
export function buildAnnouncement(config: AnnouncedSettings, url: string): string[] {
  const { smtpUrl, stripe } = config;
  const lines = [`City Climate Fund: ${url}`];
  lines.push('  This is a demo: the people are fictional and no real money changes hands.');
  if (stripe.kind === 'sandbox') {
    lines.push('  Pay with the test card 4242 4242 4242 4242, any future date, any CVC.');
    lines.push(`  Settle slow bank debits at ${url}/sandbox/debits`);
  }
  if (smtpUrl) {
    // People in the sample data can't receive real email.
    lines.push(`  Log in at ${url}/login`);
    lines.push('  The addresses in ADMIN_EMAILS become admins when they log in.');
  } else {
    lines.push(`  Log in at ${url}/login as ${SAMPLE_EDITOR.email} or ${SAMPLE_ADMIN.email}`);
    lines.push(`  Read all emails at ${url}/dev/mailbox: sign-in links and receipts.`);
  }
  lines.push(`  Database: ${describeDatabase(config)}`);
  return [...lines, '  Press Ctrl+C to stop.'];
}
