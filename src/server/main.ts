import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { pickAdapters } from './adapters.ts';
import { buildApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { openDatabase } from './db/connection.ts';
import { migrate } from './db/migrate.ts';
import type { AppDeps } from './deps.ts';
import { grantConfiguredAdmins } from './features/users/admins.ts';

export type ServeOptions = {
  /** The folder of the built web client. */
  readonly webFolder?: string | undefined;
  /** What is done once before the first request: the sample organisation, outside production. */
  readonly prepare?: ((deps: AppDeps) => Promise<void>) | undefined;
};

export type Serving = {
  /** The origin under which the site is reached. */
  readonly url: string;
  readonly port: number;
  readonly deps: AppDeps;
  /** Ends it in good order. May be called more than once. */
  close(): Promise<void>;
};

/**
 * Opens everything, and listens.
 * @throws Error with a sentence for the operator when the port, the data folder or the database cannot be used
 */
export async function serve(config: Config, { webFolder, prepare }: ServeOptions = {}): Promise<Serving> {
  const log: FastifyBaseLogger = pino({ level: config.logLevel, serializers: { req: loggedRequest } });
  const closers: (() => Promise<void>)[] = [];
  const close = once(() => closeAll(closers, log));
  let port = config.port;
  try {
    const db = await openDatabase({ databaseUrl: config.databaseUrl, dataDir: path.join(config.dataDir, 'db'), log });
    closers.unshift(() => db.close());
    await migrate(db);
    const adapters = await pickAdapters(config, db, log, () => port);
    closers.unshift(() => adapters.close());
    await prepare?.(adapters.deps);
    await grantConfiguredAdmins(adapters.deps);
    const app = await buildApp(adapters.deps, { logger: log, webFolder, trustedProxies: config.trustedProxies });
    closers.unshift(() => app.close());
    if (adapters.sandboxSecret) await addSandbox(app, config, adapters.sandboxSecret, () => port, adapters.deps);
    port = await listen(app, config);
    adapters.begin();
    return { url: adapters.deps.publicUrl(), port, deps: adapters.deps, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What the log says of a request: no query, which may hold the key of a receipt, and no header. */
function loggedRequest({ method, url }: FastifyRequest): object {
  return { method, path: url.split('?')[0] };
}

/** The stand-in for the card provider, on the same port. It is loaded only here, and never in production. */
async function addSandbox(
  app: FastifyInstance,
  config: Config,
  webhookSecret: string,
  port: () => number,
  { publicUrl }: AppDeps,
): Promise<void> {
  const { sandbox } = await import('../sandbox/sandbox.ts');
  await app.register(
    sandbox({
      stateFile: path.join(config.dataDir, 'sandbox.sqlite'),
      webhookUrl: () => `http://127.0.0.1:${port()}${WEBHOOK_PATH}`,
      webhookSecret,
      publicUrl,
      log: app.log,
    }),
  );
}

async function listen(app: FastifyInstance, { port, production }: Config): Promise<number> {
  // In development there is a sandbox, for this machine alone; in production other machines are meant to come.
  const host = production ? '::' : 'localhost';
  try {
    await app.listen({ port, host }).catch((error: unknown) => {
      if (!hasCode(error, 'EAFNOSUPPORT')) throw error;
      // A machine without IPv6.
      return app.listen({ port, host: '0.0.0.0' });
    });
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE')) {
      throw new ConfigError(`Port ${port} is in use. Stop what uses it, or set PORT to another.`);
    }
    throw error;
  }
  const address: AddressInfo | string | null = app.server.address();
  return address && typeof address === 'object' ? address.port : port;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

async function closeAll(closers: readonly (() => Promise<void>)[], log: FastifyBaseLogger): Promise<void> {
  for (const close of closers)
    await close().catch((err: unknown) => log.error({ err }, 'not everything could be closed'));
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

/** Ends the program in good order at Ctrl+C, at `kill`, and when the process that started it is gone. */
export function closeAtSignals(serving: Serving): void {
  const end = () => void serving.close().finally(() => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
  process.once('disconnect', end);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const serving = await serve(readConfig(), { webFolder: 'build/web' });
    closeAtSignals(serving);
    console.log(`City Climate Fund listens on ${serving.url}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
