import type { AddressInfo } from 'node:net';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { buildSandboxServer } from '#sandbox/sandbox.ts';
import { type OwnServer, startServer } from '#test/support/own-server.ts';
import { startSampleSite } from './sample-site.ts';

/** A site whose payment provider is a separate server, which sends events only on request. */
export type ApartSite = {
  site: OwnServer;
  /** Tries to deliver everything that is undelivered. */
  deliver(): Promise<void>;
  /** Starts the program again on the same data and port, after `site.kill()` or `site.stop()`. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

const WEBHOOK_SECRET = 'whsec_of_the_journeys';

export async function startApartSite(): Promise<ApartSite> {
  let webhookUrl = '';
  let base = '';
  const provider = await buildSandboxServer({
    stateFile: ':memory:',
    webhookUrl: () => webhookUrl,
    webhookSecret: WEBHOOK_SECRET,
    publicUrl: () => base,
    log: { warn: () => {}, error: () => {} },
    deliver: false,
  });
  await provider.listen({ port: 0, host: '127.0.0.1' });
  base = `http://127.0.0.1:${(provider.server.address() as AddressInfo).port}`;
  const env = {
    STRIPE_SECRET_KEY: 'sk_test_of_the_journeys',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_BASE: base,
  };
  const apart: ApartSite = {
    site: await startSampleSite(env),
    deliver: () => provider.sandbox.deliverPending(),
    restart: async () => {
      apart.site = await startServer({ env, after: apart.site });
    },
    close: async () => {
      await apart.site.stop();
      await apart.site.clean();
      await provider.close();
    },
  };
  webhookUrl = apart.site.url + WEBHOOK_PATH;
  return apart;
}
