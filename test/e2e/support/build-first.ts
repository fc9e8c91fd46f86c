import { buildAll } from '#scripts/build/build.ts';
import { makeSampleData } from './sample-site.ts';

/**
 * Builds once before the workers start: each starts the program, and all of them would find the same part stale. So
 * does it make the data that each of them begins with.
 */
export default async function buildFirst(): Promise<() => Promise<void>> {
  await buildAll();
  return makeSampleData();
}
