import type { Config } from '#server/config.ts';
import { SAMPLE_ADMIN, SAMPLE_EDITOR } from './sample/sample-people.ts';

/** What `npm start` says once the program serves: where it is, and outside production what can be done with it. */
export function announcement({ production, smtpUrl, stripe }: Announced, url: string): string[] {
  const lines = [`City Climate Fund: ${url}`];
  if (production) return lines;
  lines.push('  It shows a sample organization: its people are invented, and no money moves.');
  if (stripe.kind === 'sandbox') {
    lines.push('  Pay with the test card 4242 4242 4242 4242, any date to come, any CVC.');
    lines.push(`  Slow bank debits are settled at ${url}/sandbox/debits`);
  }
  if (smtpUrl) {
    // Where mails go out, none reaches the people of the sample.
    lines.push(`  Sign in at ${url}/login`);
    lines.push('  Whoever ADMIN_EMAILS names is an admin after signing in.');
  } else {
    lines.push(`  Sign in at ${url}/login as ${SAMPLE_EDITOR.email} or ${SAMPLE_ADMIN.email}`);
    lines.push(`  All mails are kept at ${url}/dev/mailbox: the links to sign in with, and the receipts.`);
  }
  return [...lines, '  Ctrl+C ends it.'];
}

type Announced = Pick<Config, 'production' | 'smtpUrl' | 'stripe'>;
