import { readConfig } from '#server/config.ts';
import { closeAtSignals, serve, WEB_FOLDER } from '#server/main.ts';
import { measureThisProcess } from '#server/measure-load.ts';
import { seedSample } from '../sample/seed-sample.ts';

/** The program with the sample organization, which says how much memory it holds when it is asked. */
const serving = await serve(readConfig(), { webFolder: WEB_FOLDER, prepare: seedSample });
closeAtSignals(serving);
const { collect, heap } = measureThisProcess();

process.on('message', () => void tell());

async function tell(): Promise<void> {
  await collect();
  process.send?.({ heap: heap().used, whole: process.memoryUsage.rss() });
}
