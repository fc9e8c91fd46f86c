import { formatFailure } from '#server/process/failure-text.ts';
import { buildAll, buildMessages } from './build/build.ts';

/**
 * `npm start`: builds what is out of date, then starts the server. In production the server is a separate process, which is
 * restarted after a crash. Outside production it has the sample organization.
 */
// config.ts imports the messages, so build them before importing any module of the server.
await buildMessages();
const { getExitStatus, readConfig } = await import('#server/config.ts');
try {
  const config = readConfig();
  await buildAll();
  if (config.production) {
    const { spawnServer, supervise } = await import('./supervise.ts');
    process.exit(await supervise(() => spawnServer('src/server/main.ts'), console.error));
  }
  const { closeOnSignals, serve, WEB_FOLDER } = await import('#server/main.ts');
  const { seedSample } = await import('./sample/seed-sample.ts');
  const { buildAnnouncement } = await import('./announcement.ts');
  const server = await serve(config, { webFolder: WEB_FOLDER, prepare: seedSample });
  closeOnSignals(server);
  console.log(`\n${buildAnnouncement(config, server.url).join('\n')}`);
} catch (error) {
  console.error(formatFailure(error));
  process.exit(getExitStatus(error));
}
