// A local stand-in for Stripe: its API, its hosted page, its signed webhooks, and its memory.
// It is loaded only where there is no Stripe key, and never in production (decisions §3).
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyPluginAsync } from 'fastify';
import { addApiRoutes } from './api-routes.ts';
import { type Deliveries, usualRetryDelay, webhookDeliveries } from './deliveries.ts';
import { recordEvent } from './events.ts';
import { addHostedPages } from './hosted-page.ts';
import { forgetOldKeys } from './idempotency.ts';
import type { Provider } from './provider.ts';
import { expireDueSessions } from './sessions.ts';
import { openStore, type Store } from './store.ts';

export type SandboxOptions = {
  /** The SQLite file of its memory, or `:memory:`. */
  readonly stateFile: string;
  /** Where the product takes Stripe's reports. */
  readonly webhookUrl: () => string;
  readonly webhookSecret: string;
  /** The origin under which the hosted page is reached, without a slash at the end. */
  readonly publicUrl: () => string;
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  readonly now?: (() => Date) | undefined;
  /** false: events wait until they are asked for. */
  readonly deliver?: boolean | undefined;
  /** How long after so many failed attempts the next one is made, in milliseconds. */
  readonly retryDelay?: ((attempts: number) => number) | undefined;
};

/** What whoever runs the sandbox can ask of it. */
export type SandboxHandle = Pick<Deliveries, 'deliverPending' | 'idle'>;
export type SandboxPlugin = FastifyPluginAsync & SandboxHandle;

const TIDY_EVERY_MS = 60_000;

/**
 * The sandbox as a plugin, for the product's own app or one of its own. Its parser and error handlers are its own.
 * It opens its memory at once, and closes it with the app.
 * @throws Error when the state file cannot be opened
 */
export function sandbox(options: SandboxOptions): SandboxPlugin {
  const { now = () => new Date() } = options;
  const store = openStore(options.stateFile);
  const deliveries = webhookDeliveries({
    ...options,
    store,
    now,
    automatic: options.deliver ?? true,
    retryDelay: options.retryDelay ?? usualRetryDelay,
  });
  const provider = providerOf(store, deliveries, now, options.publicUrl);
  const plugin: FastifyPluginAsync = async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    await app.register(async (api) => addApiRoutes(api, provider));
    await app.register(async (pages) => addHostedPages(pages, provider));
    await app.register(async (events) => addRedelivery(events, store, deliveries));
    live(app, provider, deliveries);
  };
  return Object.assign(plugin, { deliverPending: deliveries.deliverPending, idle: deliveries.idle });
}

/** The sandbox alone, as the card provider is: a server apart from the product. */
export async function buildSandboxServer(
  options: SandboxOptions,
): Promise<FastifyInstance & { sandbox: SandboxHandle }> {
  const plugin = sandbox(options);
  const app: FastifyInstance = fastify({ forceCloseConnections: true });
  await app.register(plugin);
  return Object.assign(app, { sandbox: plugin });
}

function providerOf(store: Store, deliveries: Deliveries, now: () => Date, publicUrl: () => string): Provider {
  return {
    store,
    publicUrl,
    now: () => Math.floor(now().getTime() / 1000),
    record: (type, object) => {
      recordEvent(store, type, object, now().getTime());
      deliveries.announce();
    },
  };
}

/** What was undelivered when the last process ended is sent as soon as this one can be reached. */
function live(app: FastifyInstance, provider: Provider, deliveries: Deliveries): void {
  const tidy = (): void => {
    expireDueSessions(provider);
    forgetOldKeys(provider.store, provider.now());
  };
  const timer = setInterval(tidy, TIDY_EVERY_MS).unref();
  app.addHook('onListen', async () => {
    tidy();
    deliveries.resume();
  });
  app.addHook('preClose', async () => {
    clearInterval(timer);
    await deliveries.stop();
  });
  app.addHook('onClose', async () => provider.store.close());
}

/** For trying out what a second delivery of the same event does. */
function addRedelivery(app: FastifyInstance, store: Store, deliveries: Deliveries): void {
  app.post<{ Params: { id: string } }>('/sandbox/events/:id/redeliver', async (request, reply) => {
    const { id } = request.params;
    if (!store.events.find(id)) return reply.status(404).send({ error: `There is no event ${id}.` });
    return { event: id, answer: await deliveries.redeliver(id) };
  });
}
