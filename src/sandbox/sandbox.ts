// A local stand-in for Stripe with its own database: API, hosted pages, and signed webhooks.
// Loaded only without a Stripe key, and never in production (decisions §3).
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyPluginAsync } from 'fastify';
import { addApiRoutes, deleteExpiredKeys } from './api-routes.ts';
import { clockOffset } from './clock.ts';
import { createWebhookDeliveries, type Deliveries, defaultRetryDelay } from './deliveries.ts';
import { catchUp } from './due-work.ts';
import { recordEvent } from './events.ts';
import { addHostedPages } from './pages/hosted-pages.ts';
import type { Provider } from './provider.ts';
import { openStore, type Store } from './store.ts';

export type SandboxOptions = {
  /** SQLite file of the sandbox, or `:memory:`. */
  readonly stateFile: string;
  /** URL of the program's webhook. */
  readonly webhookUrl: () => string;
  readonly webhookSecret: string;
  /** Types of events that the webhook receives; all by default. */
  readonly webhookEvents?: readonly string[] | undefined;
  readonly publicUrl: () => string;
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  readonly now?: (() => Date) | undefined;
  /** If false, only `deliverPending` delivers events. */
  readonly deliversAutomatically?: boolean | undefined;
  /** Milliseconds to wait after this number of failed attempts. */
  readonly retryDelay?: ((attempts: number) => number) | undefined;
};

export type SandboxHandle = Pick<Deliveries, 'deliverPending' | 'idle'>;
export type SandboxPlugin = FastifyPluginAsync & SandboxHandle;

const CLEANUP_INTERVAL_MS = 60_000;

/**
 * Creates the sandbox as a Fastify plugin with its own body parser and error handlers. Opens its database immediately and
 * closes it with the app.
 * @throws Error if the state file can't be opened
 */
export function createSandboxPlugin(options: SandboxOptions): SandboxPlugin {
  const { now = () => new Date() } = options;
  const store = openStore(options.stateFile);
  const deliveries = createWebhookDeliveries({
    ...options,
    store,
    now,
    webhookEvents: options.webhookEvents ?? ['*'],
    deliversAutomatically: options.deliversAutomatically ?? true,
    retryDelay: options.retryDelay ?? defaultRetryDelay,
  });
  const provider = createProvider(store, deliveries, now, options.publicUrl);
  const plugin: FastifyPluginAsync = async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    await app.register(async (api) => {
      api.addHook('onRequest', async (_request, reply) => void reply.header('date', now().toUTCString()));
      addApiRoutes(api, provider);
    });
    await app.register(async (pages) => addHostedPages(pages, provider));
    await app.register(async (events) => addRedelivery(events, store, deliveries));
    startBackgroundWork(app, provider, deliveries, options.log);
  };
  return Object.assign(plugin, { deliverPending: deliveries.deliverPending, idle: deliveries.idle });
}

/** Builds the sandbox as a separate server, like Stripe itself. */
export async function buildSandboxServer(
  options: SandboxOptions,
): Promise<FastifyInstance & { sandbox: SandboxHandle }> {
  const plugin = createSandboxPlugin(options);
  const app: FastifyInstance = fastify({ forceCloseConnections: true });
  await app.register(plugin);
  return Object.assign(app, { sandbox: plugin });
}

/** Deliveries and their signatures use real time. Only the provider's own clock can be moved. */
function createProvider(store: Store, deliveries: Deliveries, now: () => Date, publicUrl: () => string): Provider {
  const providerAt = (time: () => number): Provider => ({
    store,
    publicUrl,
    now: time,
    asOf: (fixedTime) => providerAt(() => fixedTime),
    emit: (type, object, before) => {
      recordEvent(store, { type, object, before, created: time() }, now().getTime());
      deliveries.schedule();
    },
  });
  return providerAt(() => Math.floor(now().getTime() / 1000) + clockOffset(store));
}

/**
 * Performs due work periodically. Once the server is listening, also sends events that the previous process left
 * undelivered.
 */
function startBackgroundWork(
  app: FastifyInstance,
  provider: Provider,
  deliveries: Deliveries,
  log: SandboxOptions['log'],
): void {
  const doDueWork = (): void => {
    try {
      catchUp(provider);
      deleteExpiredKeys(provider.store, provider.now());
    } catch (err) {
      // An error in the sandbox must not stop the program, which runs in the same process.
      log.error({ err }, 'the sandbox could not process due work');
    }
  };
  const timer = setInterval(doDueWork, CLEANUP_INTERVAL_MS).unref();
  app.addHook('onListen', async () => {
    doDueWork();
    deliveries.resume();
  });
  app.addHook('preClose', async () => {
    clearInterval(timer);
    await deliveries.stop();
  });
  app.addHook('onClose', async () => provider.store.close());
}

/** Lets tests deliver the same event twice. */
function addRedelivery(app: FastifyInstance, store: Store, deliveries: Deliveries): void {
  app.post<{ Params: { id: string } }>('/sandbox/events/:id/redeliver', async (request, reply) => {
    const { id } = request.params;
    if (!store.events.find(id)) return reply.status(404).send({ error: `There is no event ${id}.` });
    return { event: id, result: await deliveries.redeliver(id) };
  });
}
