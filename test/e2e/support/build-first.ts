import { buildAll } from '#scripts/build/build.ts';
import { startSharedSite } from './sample-site.ts';

/** Builds once, before several programs would find the same part stale, and starts the site of the journeys. */
export default async function buildFirst(): Promise<() => Promise<void>> {
  await buildAll();
  return startSharedSite();
}
