import { type Config, readConfig } from '#server/config.ts';
import { announcement } from './announcement.ts';
import { buildAll } from './build/build.ts';

/** What `npm start` does once everything is installed: build what is stale, then serve. */
try {
  const config = readConfig();
  await buildAll();
  const { closeAtSignals, serve } = await import('#server/main.ts');
  const serving = await serve(config, { webFolder: 'build/web', prepare: await preparationFor(config) });
  closeAtSignals(serving);
  console.log(`\n${announcement(config, serving.url).join('\n')}`);
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
