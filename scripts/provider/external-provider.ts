import path from 'node:path';
import { buildSandboxServer, type SandboxOptions } from '#sandbox/sandbox.ts';
import { openStore, type Store } from '#sandbox/store.ts';
import type { Database } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import { getOrCreateSecret } from '#server/gateways/identity/identity.store.ts';
import { createPayments } from '#server/gateways/payments/create-payments.ts';
import type { Payments } from '#server/gateways/payments/payments.ts';

export const WEBHOOK_SECRET = 'whsec_of_the_outside_provider_alone';
const SECRET_KEY = 'sk_test_outside_provider';

/** The sandbox as a separate server, which keeps running when the program's server stops. */
export type ExternalProvider = {
  readonly url: string;
  /** Environment variables for the server. */
  readonly settings: Readonly<Record<string, string>>;
  /** The provider's store, for changes that the server doesn't make. */
  readonly store: Store;
  deliverPending(): Promise<void>;
  /** Client for this provider, as the server uses it. */
  createPaymentsClient(db: Database): Promise<Payments>;
  close(): Promise<void>;
};

type ProviderOptions = Pick<SandboxOptions, 'webhookUrl' | 'deliversAutomatically' | 'retryDelay'>;

export async function startExternalProvider(folder: string, options: ProviderOptions): Promise<ExternalProvider> {
  const stateFile = path.join(folder, 'provider.sqlite');
  let url = '';
  const server = await buildSandboxServer({
    ...options,
    stateFile,
    webhookSecret: WEBHOOK_SECRET,
    publicUrl: () => url,
    log: { warn: () => {}, error: console.error },
  });
  url = await server.listen({ port: 0, host: '127.0.0.1' });
  const store = openStore(stateFile);
  const connection = { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, apiBase: url };
  return {
    url,
    settings: {
      TEST_SETTINGS: `stripe=${url}`,
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    },
    store,
    deliverPending: () => server.sandbox.deliverPending(),
    createPaymentsClient: async (db) =>
      createPayments(
        { kind: 'stripe', ...connection },
        {
          installation: await getOrCreateSecret(db.kysely, 'installation', newId()),
          now: () => new Date(),
          sandbox: { address: () => url, webhookSecret: WEBHOOK_SECRET },
        },
      ),
    close: async () => {
      store.close();
      await server.close();
    },
  };
}
