import type { FastifyInstance } from 'fastify';
import type { StatusFigures } from '#contract/schemas/operation.ts';
import { isRestoreProven } from '#domain/backups.ts';
import type { AppDeps } from '#server/deps.ts';
import { type InstallationMark, MARK_PATH } from '#server/gateways/public-address.ts';
import { registerCall } from '#server/http/call-route.ts';
import { type Figures, readFigures } from './read-figures.ts';

export async function operationRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'readFigures', {
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
  // Shows whether the public address reaches this installation, and whether the proxy in between is trusted.
  app.get(MARK_PATH, async ({ headers, ips = [] }, reply) => {
    const isForwarded = (headers['x-forwarded-for'] ?? headers.forwarded) !== undefined;
    // With a trusted proxy, Fastify's list has at least two addresses, even if both are this machine's.
    const trust = ips.length > 1 ? 'used' : 'ignored';
    const installationMark: InstallationMark = {
      installation: deps.settingsCheck.installationHash,
      forwarding: isForwarded ? trust : 'none',
    };
    return reply.header('cache-control', 'no-store').send(installationMark);
  });
}

function presentFigures({ jobs, payments, webhooks, backups, drills, books }: Figures, now: Date): StatusFigures {
  return {
    createdTimestamp: now.toISOString(),
    jobsWaiting: jobs.waiting,
    oldestJob: isoTime(jobs.oldestAt),
    mailsFailed: jobs.mailsFailed,
    mailFailed: isoTime(jobs.mailFailedAt),
    unsettledCheckouts: payments.unsettled,
    overdueCheckouts: payments.overdue,
    reportsWaiting: payments.reports,
    webhookVerified: isoTime(webhooks.verifiedAt),
    webhookRejected: isoTime(webhooks.rejectedAt),
    webhooksRejected: webhooks.rejected,
    backupMade: isoTime(backups.madeAt),
    backupFailed: isoTime(backups.failedAt),
    restoreProven: isoTime(drills.succeededAt),
    provenBackup: isoTime(drills.backupAt),
    provenSeconds: drills.seconds,
    drillFailed: isoTime(drills.failedAt),
    drillProblem: drills.problem,
    drillDue: backups.madeAt !== null && !isRestoreProven(drills.succeededAt, now),
    booksVerified: isoTime(books.verifiedAt),
    bookDifferences: books.differences,
    providerCompared: isoTime(books.providerComparedAt),
    providerDifferences: books.providerDifferences,
  };
}

function isoTime(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}
