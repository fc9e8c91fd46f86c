import { expect, test } from './journey.ts';
import { type SampleSite, startSampleSite } from './sample-site.ts';

type SeparateSite = { readonly site: SampleSite; readonly close: () => Promise<void> };

/** Timeout in milliseconds. Starting a site is slow on a busy machine. */
const START_TIMEOUT = 120_000;

/** Runs journeys on a separate site with a separate account at the provider. */
export function testOnSeparateSite<SiteType extends SeparateSite>(startSite: () => Promise<SiteType>) {
  return test.extend<{ ownSite: SiteType }>({
    ownSite: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern
      async ({}, provide) => {
        const startedSite = await startSite();
        await provide(startedSite);
        await startedSite.close();
        expect(startedSite.site.errors).toEqual([]);
      },
      { timeout: START_TIMEOUT },
    ],
    site: async ({ ownSite }, provide) => provide(ownSite.site),
  });
}

/** Starts the program with its own copy of the sample. */
export async function startSeparateSite(env: Readonly<Record<string, string>> = {}): Promise<SeparateSite> {
  const site = await startSampleSite(env);
  const close = async () => {
    await site.stop();
    await site.deleteData();
  };
  return { site, close };
}
