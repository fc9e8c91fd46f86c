import { ConfigError, readConfig } from '#server/config.ts';
import { closeOnSignals, serve } from '#server/main.ts';
import { formatFailure } from '#server/process/failure-text.ts';
import { buildAnnouncement } from '../announcement.ts';
import { seedSample } from '../sample/seed-sample.ts';

/** The server behind `npm run dev`. Its argument is the folder with the empty page document. */
try {
  const config = readConfig();
  if (config.production) throw new ConfigError('npm run dev adds a sample organization: set NODE_ENV=development.');
  const server = await serve(config, { webFolder: process.argv[2], prepare: seedSample });
  closeOnSignals(server);
  console.log(`\n${buildAnnouncement(config, server.url).join('\n')}`);
} catch (error) {
  console.error(formatFailure(error));
  process.exitCode = 1;
}
