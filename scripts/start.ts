import { type Config, readConfig } from '#server/config.ts';
import { announcement } from './announcement.ts';
import { buildAll } from './build/build.ts';

/** `npm start`: builds what is stale, then serves. */
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

/** Seeds the sample organization, which never exists in production. */
async function preparationFor({ production }: Config) {
  if (production) return undefined;
  const { seedSample } = await import('./sample/seed-sample.ts');
  return seedSample;
}
