import { failureText } from '#server/failure-text.ts';
import { buildAll, buildMessages } from './build/build.ts';

/**
 * `npm start`: builds what is stale, then serves. In production the server is a process of its own, which is started again
 * when it crashes; otherwise it has the sample organization, which never exists in production.
 */
// What reads the settings says messages, so that nothing of the server may be imported before they are built.
await buildMessages();
const { exitStatus, readConfig } = await import('#server/config.ts');
try {
  const config = readConfig();
  await buildAll();
  if (config.production) {
    const { startServer, supervise } = await import('./supervise.ts');
    process.exit(await supervise(() => startServer('src/server/main.ts'), console.error));
  }
  const { closeAtSignals, serve, WEB_FOLDER } = await import('#server/main.ts');
  const { seedSample } = await import('./sample/seed-sample.ts');
  const { announcement } = await import('./announcement.ts');
  const serving = await serve(config, { webFolder: WEB_FOLDER, prepare: seedSample });
  closeAtSignals(serving);
  console.log(`\n${announcement(config, serving.url).join('\n')}`);
} catch (error) {
  console.error(failureText(error));
  process.exit(exitStatus(error));
}
