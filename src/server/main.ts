import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { DestinationStream } from 'pino';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { createAdapters } from './adapters.ts';
import { buildApp } from './app.ts';
import { type Config, ConfigError, findUnencryptedSettings, getExitStatus, isLiveMode, readConfig } from './config.ts';
import { warnIfUnprotected } from './db/app-role.ts';
import { describeDatabase } from './db/data-folder.ts';
import { hasCode } from './db/error-codes.ts';
import type { DatabaseLimits } from './db/limits.ts';
import type { Reachability } from './db/notifications.ts';
import { openAndMigrate } from './db/open-migrated.ts';
import { warnAboutSlowQueries } from './db/slow-queries.ts';
import type { AppDeps } from './deps.ts';
import { setPaymentMode } from './features/ledger/payment-mode.ts';
import { grantConfiguredAdmins } from './features/users/admins.ts';
import { createLogger } from './log.ts';
import { resolveAppPath } from './process/app-path.ts';
import { formatFailure } from './process/failure-text.ts';
import { createMetrics } from './process/metrics.ts';
import { COMMIT, VERSION } from './process/version.ts';

/** Created by the build. */
export const WEB_FOLDER = resolveAppPath('build/web');

export type ServeOptions = {
  /** Folder of the built web client. */
  readonly webFolder?: string | undefined;
  /** Runs before the first request. Adds the sample organization in development. */
  readonly prepare?: ((deps: AppDeps) => Promise<void>) | undefined;
  /** Limits for the database, which tests shorten. */
  readonly limits?: Partial<DatabaseLimits> | undefined;
  /** Destination of the log; defaults to standard output. */
  readonly output?: DestinationStream | undefined;
};

export type RunningServer = {
  /** The site's public origin. */
  readonly url: string;
  readonly port: number;
  readonly deps: AppDeps;
  /** How long the server keeps responding during a shutdown. */
  readonly stopWaitMs: number;
  /** May be called more than once. */
  close(): Promise<void>;
};

/**
 * Starts the server.
 * @throws Error with a message for the operator if the port, the data folder, or the database can't be used
 */
export async function serve(config: Config, options: ServeOptions = {}): Promise<RunningServer> {
  const { webFolder, prepare, limits, output } = options;
  if (webFolder !== undefined && !existsSync(path.join(webFolder, 'index.html'))) {
    throw new ConfigError(`There are no pages in ${webFolder}: run "npm run build", or use a release.`);
  }
  let reachability: Reachability | undefined;
  const log = createLogger(config.logLevel, output, () => reachability);
  const cleanups: (() => Promise<void>)[] = [];
  const close = memoize(() => closeAll(cleanups, log));
  let port = config.port;
  for (const setting of config.production ? findUnencryptedSettings(config) : []) {
    log.warn(
      { setting },
      'data is sent to another machine without encryption or without checking its certificate: see docs/settings.md, Encryption',
    );
  }
  try {
    await requireFreePort(config);
    const { db } = await openAndMigrate({ ...config, limits, isServerProcess: true }, log);
    cleanups.unshift(() => db.close());
    const metrics = createMetrics();
    warnAboutSlowQueries(db.pool, { log, onQuery: (milliseconds) => metrics.query(milliseconds / 1000) });
    reachability = db.availability;
    // The embedded database has only one role.
    if (config.production && !db.isEmbedded) await warnIfUnprotected(db, log);
    await setPaymentMode(db, isLiveMode(config.stripe), log);
    const adapters = await createAdapters(config, { db, metrics, log }, () => port);
    cleanups.unshift(() => adapters.close());
    await prepare?.(adapters.deps);
    await grantConfiguredAdmins(adapters.deps);
    const app = await buildApp(adapters.deps, {
      logger: log,
      webFolder,
      trustedProxies: config.trustedProxies,
      limitsLoad: true,
    });
    cleanups.unshift(async () => {
      await app.stopping.stop(config.stopWaitMs);
      await app.close();
    });
    if (adapters.sandboxSecret) await addSandbox(app, config, adapters.sandboxSecret, () => port, adapters.deps);
    port = await listen(app, config);
    await adapters.start();
    log.info({ version: VERSION, commit: COMMIT, node: process.version }, 'the program has started');
    return { url: adapters.deps.publicUrl(), port, deps: adapters.deps, stopWaitMs: config.stopWaitMs, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Adds the stand-in for the card provider, on the same port. Never loaded in production. */
async function addSandbox(
  app: FastifyInstance,
  config: Config,
  webhookSecret: string,
  port: () => number,
  { publicUrl }: AppDeps,
): Promise<void> {
  const { createSandboxPlugin } = await import('../sandbox/sandbox.ts');
  await app.register(
    createSandboxPlugin({
      stateFile: path.join(config.dataDir, 'sandbox.sqlite'),
      webhookUrl: () => `http://127.0.0.1:${port()}${WEBHOOK_PATH}`,
      webhookSecret,
      publicUrl,
      log: app.log,
    }),
  );
}

/** Checks the port before the slow creation of a database. Another program could still take the port afterward. */
async function requireFreePort(config: Config): Promise<void> {
  await withAddressErrors(config, async ({ host, port }) => {
    const probe = createServer();
    probe.listen({ host, port, exclusive: true });
    await once(probe, 'listening');
    probe.close();
    await once(probe, 'close');
  });
}

async function listen(app: FastifyInstance, config: Config): Promise<number> {
  await withAddressErrors(config, (listenAddress) => app.listen(listenAddress));
  const address: AddressInfo | string | null = app.server.address();
  return address && typeof address === 'object' ? address.port : config.port;
}

type Address = { readonly host: string; readonly port: number };

/** Listens on the configured address. @throws ConfigError if it is in use or doesn't exist on this machine */
async function withAddressErrors(
  { host: configuredHost, port, production }: Config,
  listenAt: (address: Address) => Promise<unknown>,
): Promise<void> {
  // In development only this machine has access, because the sandbox and the mailbox have no login.
  const host = configuredHost ?? (production ? '::' : 'localhost');
  const hostWithoutIPv6 = production ? '0.0.0.0' : '127.0.0.1';
  try {
    await listenAt({ port, host }).catch((error: unknown) => {
      if (configuredHost !== undefined || !hasCode(error, 'EAFNOSUPPORT')) throw error;
      // This machine has no IPv6.
      return listenAt({ port, host: hostWithoutIPv6 });
    });
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE')) {
      throw new ConfigError(`Port ${port} is in use. Stop the program that uses it, or set PORT to another port.`);
    }
    if (configuredHost !== undefined && UNKNOWN_ADDRESS_CODES.some((code) => hasCode(error, code))) {
      throw new ConfigError('HOST: this machine does not have that address.');
    }
    throw error;
  }
}

const UNKNOWN_ADDRESS_CODES = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENOTFOUND', 'EAI_AGAIN'];

async function closeAll(closers: readonly (() => Promise<void>)[], log: FastifyBaseLogger): Promise<void> {
  for (const close of closers) await close().catch((err: unknown) => log.error({ err }, 'shutdown was incomplete'));
}

function memoize(work: () => Promise<void>): () => Promise<void> {
  let promise: Promise<void> | undefined;
  return () => (promise ??= work());
}

/** Time limit for the shutdown, after the wait for proxies. */
const CLOSE_TIMEOUT_MS = 40_000;

/** Shuts down on Ctrl+C, on `kill`, and after the parent process has exited. */
export function closeOnSignals(server: RunningServer): void {
  const shutDown = () => {
    setTimeout(() => process.exit(1), server.stopWaitMs + CLOSE_TIMEOUT_MS).unref();
    void server.close().finally(() => process.exit());
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, shutDown);
  process.once('disconnect', shutDown);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const config = readConfig();
    console.log(`Database: ${describeDatabase(config)}`);
    const server = await serve(config, { webFolder: WEB_FOLDER });
    closeOnSignals(server);
    console.log(`City Climate Fund: ${server.url}`);
  } catch (error) {
    console.error(formatFailure(error));
    // A timer or connection of the failed start must not keep the process alive, or it would never be restarted.
    process.exit(getExitStatus(error));
  }
}
