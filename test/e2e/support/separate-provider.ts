import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { buildSandboxServer } from '#sandbox/sandbox.ts';
import { type NetworkRelay, startNetworkRelay } from '#scripts/network-relay.ts';
import { restartSite, type SampleSite, startSampleSite } from './sample-site.ts';

/** A site whose payment provider is a separate server, which sends events only on request. */
export type SiteWithProvider = {
  site: SampleSite;
  /** A client of the provider for another program on the same account. */
  readonly stripe: Stripe;
  /** The connection between the site and its provider. */
  readonly network: NetworkRelay;
  /** Tries to deliver all undelivered events. */
  deliver(): Promise<void>;
  /** Restarts the program with the same data and port, after `site.kill()` or `site.stop()`. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

const SECRET_KEY = 'sk_test_of_the_journeys';
const WEBHOOK_SECRET = 'whsec_of_the_journeys_of_a_browser';

export async function startSiteWithProvider(): Promise<SiteWithProvider> {
  let webhookUrl = '';
  let baseUrl = '';
  const provider = await buildSandboxServer({
    stateFile: ':memory:',
    webhookUrl: () => webhookUrl,
    webhookSecret: WEBHOOK_SECRET,
    publicUrl: () => baseUrl,
    log: { warn: () => {}, error: () => {} },
    deliversAutomatically: false,
  });
  await provider.listen({ port: 0, host: '127.0.0.1' });
  baseUrl = `http://127.0.0.1:${(provider.server.address() as AddressInfo).port}`;
  const { hostname, port } = new URL(baseUrl);
  const network = await startNetworkRelay(baseUrl);
  const env = {
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    TEST_SETTINGS: `stripe=${network.url}`,
  };
  const siteWithProvider: SiteWithProvider = {
    site: await startSampleSite(env),
    stripe: new Stripe(SECRET_KEY, { host: hostname, port, protocol: 'http' }),
    network,
    deliver: () => provider.sandbox.deliverPending(),
    restart: async () => {
      siteWithProvider.site = await restartSite(siteWithProvider.site, env);
    },
    close: async () => {
      await siteWithProvider.site.stop();
      await siteWithProvider.site.deleteData();
      await network.close();
      await provider.close();
    },
  };
  webhookUrl = siteWithProvider.site.url + WEBHOOK_PATH;
  return siteWithProvider;
}
