import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Failure } from '#domain/failures.ts';
import { buildSandboxServer } from '#sandbox/sandbox.ts';
import { QUEUED_JOBS } from '#server/background-jobs.ts';
import { type Config, isLiveMode, readConfig } from '#server/config.ts';
import { newId } from '#server/db/new-id.ts';
import { openExistingAndMigrate } from '#server/db/open-migrated.ts';
import type { AppDeps } from '#server/deps.ts';
import { getOrCreateSecret } from '#server/gateways/identity/identity.store.ts';
import { createPayments } from '#server/gateways/payments/create-payments.ts';
import type { JobQueue } from '#server/jobs/define-job.ts';
import { openQueues } from '#server/jobs/queues.ts';

export type ProviderDeps = Pick<AppDeps, 'db' | 'payments' | 'parent' | 'sandbox' | 'livemode' | 'now'> & {
  /** Opens the job queues. The server process runs the jobs. */
  openJobs(): Promise<JobQueue>;
};

export function describeOutage({ details: { reason } }: Failure): string {
  return reason === undefined
    ? 'The payment provider does not respond. Try again later.'
    : `The payment provider is unavailable: ${String(reason)}.`;
}

/** Runs `work` with the configured database and payment provider, without the server. */
export async function withProvider<T>(work: (deps: ProviderDeps) => Promise<T>, config = readConfig()): Promise<T> {
  const log = { info: () => {}, warn: printLog, error: printLog };
  const cleanups: (() => Promise<unknown>)[] = [];
  try {
    const db = await openExistingAndMigrate(config, log);
    cleanups.unshift(() => db.close());
    const sandbox = config.stripe.kind === 'sandbox' ? await startSandbox(config) : undefined;
    if (sandbox) cleanups.unshift(() => sandbox.close());
    const now = () => new Date();
    const payments = createPayments(config.stripe, {
      installation: await getOrCreateSecret(db.kysely, 'installation', newId()),
      now,
      sandbox: { address: () => sandbox?.address ?? '', webhookSecret: '' },
    });
    const openJobs = async () => {
      const jobs = await openQueues(db, log, QUEUED_JOBS);
      cleanups.unshift(() => jobs.stop());
      return jobs;
    };
    const { parent } = config;
    return await work({ db, payments, openJobs, parent, sandbox: !!sandbox, livemode: isLiveMode(config.stripe), now });
  } finally {
    for (const close of cleanups) await close();
  }
}

/** Starts the sandbox without webhooks. It stores its events in a file, and the server reads them when it starts. */
async function startSandbox({ dataDir }: Config): Promise<{ address: string; close(): Promise<void> }> {
  const server = await buildSandboxServer({
    stateFile: path.join(dataDir, 'sandbox.sqlite'),
    webhookUrl: () => '',
    webhookSecret: '',
    publicUrl: () => '',
    log: { warn: console.error, error: console.error },
    deliversAutomatically: false,
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, close: () => server.close() };
}

function printLog(details: object, message: string): void {
  console.error(message, 'err' in details && details.err instanceof Error ? details.err.message : '');
}
