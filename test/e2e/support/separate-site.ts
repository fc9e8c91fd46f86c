import { expect, test } from './journey.ts';
import { type SampleSite, startSampleSite } from './sample-site.ts';

type SeparateSite = { readonly site: SampleSite; readonly close: () => Promise<void> };

/** In milliseconds. Starting a site takes long on a busy machine. */
const START_TIMEOUT = 120_000;

/** Runs journeys on a separate site with a separate account at the provider. */
export function testOnSeparateSite<Own extends SeparateSite>(start: () => Promise<Own>) {
  return test.extend<{ own: Own }>({
    own: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern
      async ({}, provide) => {
        const ownSite = await start();
        await provide(ownSite);
        await ownSite.close();
        expect(ownSite.site.errors).toEqual([]);
      },
      { timeout: START_TIMEOUT },
    ],
    site: async ({ own }, provide) => provide(own.site),
  });
}

/** Starts the program with its own copy of the sample. */
export async function startSeparateSite(env: Readonly<Record<string, string>> = {}): Promise<SeparateSite> {
  const site = await startSampleSite(env);
  const close = async () => {
    await site.stop();
    await site.clean();
  };
  return { site, close };
}
