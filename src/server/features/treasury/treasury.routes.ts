import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { recordExport } from '#server/features/activity/record-activity.ts';
import { registerCall } from '#server/http/call-route.ts';
import { exportLedger } from './export-ledger.ts';
import { readOverview } from './read-overview.ts';

export async function treasuryRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db } = deps;
  registerCall(app, deps, 'readOverview', {
    action: 'overview.read',
    handle: ({ org, query }) => readOverview(deps, org, query.period),
  });
  registerCall(app, deps, 'downloadLedger', {
    action: 'ledger.download',
    isExpensive: true,
    requirement: 'recent-confirmation',
    handle: async (call) => recordExport(db, call, await exportLedger(db, call.org, call.query)),
  });
}
