import { ConfigError, readConfig } from '#server/config.ts';
import { buildAll } from './build/build.ts';
import { WEB_FOLDER } from './build/web.ts';

/** What `npm start` does once everything is installed: build what is stale, then serve. */
try {
  const config = readConfig();
  await buildAll();
  const { serve } = await import('#server/main.ts');
  const seed = config.production ? undefined : (await import('./sample/seed-sample.ts')).seedSample;
  await serve(config, { webFolder: WEB_FOLDER, prepare: seed });
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
