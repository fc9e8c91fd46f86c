import { buildAll } from '#scripts/build/build.ts';
import { startSharedSite } from './sample-site.ts';

/**
 * Builds once, so that several programs don't all find the same output stale, and starts the site that journeys share.
 */
export default async function buildFirst(): Promise<() => Promise<void>> {
  await buildAll();
  return startSharedSite();
}
