import type { OwnServer } from '#test/support/own-server.ts';
import { ADMINS, expect, test } from './journey.ts';
import { startSampleSite } from './sample-site.ts';

type OwnSite = { readonly site: OwnServer; readonly close: () => Promise<void> };

/** Journeys on a site that no other journey uses, with its own account at the provider. */
export function testOnOwnSite<Own extends OwnSite>(start: (env: Readonly<Record<string, string>>) => Promise<Own>) {
  return test.extend<{ own: Own }>({
    own: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from this pattern
      async ({}, provide) => {
        const own = await start({ ADMIN_EMAILS: ADMINS.join() });
        await provide(own);
        await own.close();
        expect(own.site.errors).toEqual([]);
      },
      { timeout: 240_000 },
    ],
    baseURL: async ({ own }, provide) => provide(own.site.url),
  });
}

/** Starts the program with its own sample data. */
export async function startOwnSite(env: Readonly<Record<string, string>>): Promise<OwnSite> {
  const site = await startSampleSite(env);
  const close = async () => {
    await site.stop();
    await site.clean();
  };
  return { site, close };
}
