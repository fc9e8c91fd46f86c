import { ConfigError, readConfig } from '#server/config.ts';
import { closeAtSignals, serve } from '#server/main.ts';
import { failureText } from '#server/program/failure-text.ts';
import { announcement } from '../announcement.ts';
import { seedSample } from '../sample/seed-sample.ts';

/** The server behind `npm run dev`, which gives it the folder of the empty page document. */
try {
  const config = readConfig();
  if (config.production) throw new ConfigError('npm run dev adds a sample organization: set NODE_ENV=development.');
  const serving = await serve(config, { webFolder: process.argv[2], prepare: seedSample });
  closeAtSignals(serving);
  console.log(`\n${announcement(config, serving.url).join('\n')}`);
} catch (error) {
  console.error(failureText(error));
  process.exitCode = 1;
}
