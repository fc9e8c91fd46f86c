import type { FastifyInstance } from 'fastify';
import type { OperationStatus } from '#contract/schemas/operation.ts';
import { hasRecentDrill } from '#domain/backups.ts';
import type { AppDeps } from '#server/deps.ts';
import { type InstallationProbe, PROBE_PATH } from '#server/gateways/public-address.ts';
import { registerCall } from '#server/http/call-route.ts';
import { type Figures, readFigures } from './read-figures.ts';

export async function operationRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'readOperationStatus', {
    action: 'admin.visit',
    handle: async () => {
      const now = deps.now();
      return presentFigures(await readFigures(deps.db, now), now);
    },
  });
  registerCall(app, deps, 'checkSettings', {
    action: 'admin.visit',
    handle: async () => ({ createdTimestamp: deps.now().toISOString(), checks: [...(await deps.settingsCheck.run())] }),
  });
  // Identifies this installation, to check that the public address reaches it, and returns whether its proxy is
  // trusted.
  app.get(PROBE_PATH, async ({ headers, ips = [] }, reply) => {
    const isForwarded = (headers['x-forwarded-for'] ?? headers.forwarded) !== undefined;
    // With a trusted proxy, Fastify's list has at least two addresses, even if both are this machine's.
    const forwardingTrust = ips.length > 1 ? 'used' : 'ignored';
    const installationMark: InstallationProbe = {
      installation: deps.settingsCheck.installationHash,
      forwarding: isForwarded ? forwardingTrust : 'none',
    };
    return reply.header('cache-control', 'no-store').send(installationMark);
  });
}

function presentFigures({ jobs, payments, webhooks, backups, drills, books }: Figures, now: Date): OperationStatus {
  return {
    createdTimestamp: now.toISOString(),
    pendingJobCount: jobs.pendingCount,
    oldestJobCreatedAt: toIsoTime(jobs.oldestAt),
    failedEmailCount: jobs.failedEmailCount,
    lastEmailFailedAt: toIsoTime(jobs.lastEmailFailedAt),
    unsettledCheckouts: payments.unsettledCheckouts,
    overdueCheckouts: payments.overdueCheckouts,
    pendingEventCount: payments.pendingEvents,
    lastWebhookVerifiedAt: toIsoTime(webhooks.verifiedAt),
    lastWebhookRejectedAt: toIsoTime(webhooks.rejectedAt),
    rejectedWebhookCount: webhooks.rejectedCount,
    lastBackupAt: toIsoTime(backups.madeAt),
    lastBackupFailedAt: toIsoTime(backups.failedAt),
    lastDrillSucceededAt: toIsoTime(drills.succeededAt),
    drilledBackupStartedAt: toIsoTime(drills.backupAt),
    drillDurationSeconds: drills.seconds,
    lastDrillFailedAt: toIsoTime(drills.failedAt),
    drillProblem: drills.problem,
    isDrillOverdue: backups.madeAt !== null && !hasRecentDrill(drills.succeededAt, now),
    booksVerifiedAt: toIsoTime(books.verifiedAt),
    bookDifferences: books.differences,
    providerComparedAt: toIsoTime(books.providerComparedAt),
    providerDifferences: books.providerDifferences,
  };
}

function toIsoTime(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}
