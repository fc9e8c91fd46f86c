import { type Config, readConfig } from '#server/config.ts';
import { buildAll } from './build/build.ts';

/** What `npm start` does once everything is installed: build what is stale, then serve. */
try {
  const config = readConfig();
  await buildAll(config);
  const { closeAtSignals, serve } = await import('#server/main.ts');
  const serving = await serve(config, { webFolder: 'build/web', prepare: await preparationFor(config) });
  closeAtSignals(serving);
  announce(config, serving.url);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

/** The sample organisation, which never exists in production. */
async function preparationFor({ production }: Config) {
  if (production) return undefined;
  const { seedSample } = await import('./sample/seed-sample.ts');
  return seedSample;
}

function announce({ production, smtpUrl, stripe }: Config, url: string): void {
  console.log(`\nCity Climate Fund: ${url}`);
  if (production) return;
  console.log('  It shows a sample organization: its people are invented, and no money moves.');
  if (stripe.kind === 'sandbox') {
    console.log('  Pay with the test card 4242 4242 4242 4242, any date to come, any CVC.');
    console.log(`  Slow bank debits are settled at ${url}/sandbox/debits`);
  }
  if (!smtpUrl) console.log(`  Mails are kept at ${url}/dev/mailbox`);
  console.log('  Ctrl+C ends it.');
}
