import { exitStatus, readConfig } from '#server/config.ts';
import { announcement } from './announcement.ts';
import { buildAll } from './build/build.ts';
import { startServer, supervise } from './supervise.ts';

/**
 * `npm start`: builds what is stale, then serves. In production the server is a process of its own, which is started again
 * when it crashes; otherwise it has the sample organization, which never exists in production.
 */
try {
  const config = readConfig();
  await buildAll();
  if (config.production) process.exit(await supervise(() => startServer('src/server/main.ts'), console.error));
  const { closeAtSignals, serve, WEB_FOLDER } = await import('#server/main.ts');
  const { seedSample } = await import('./sample/seed-sample.ts');
  const serving = await serve(config, { webFolder: WEB_FOLDER, prepare: seedSample });
  closeAtSignals(serving);
  console.log(`\n${announcement(config, serving.url).join('\n')}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(exitStatus(error));
}
