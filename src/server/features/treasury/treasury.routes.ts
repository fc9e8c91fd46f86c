import type { FastifyInstance } from 'fastify';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { recordExport } from '#server/features/activity/record-activity.ts';
import { FileResponse, registerCall } from '#server/http/call-route.ts';
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
    handle: async (call) => {
      const file = await exportLedger(db, call.org, call.query);
      return recordExport(db, call, file instanceof Failure ? file : new FileResponse(file));
    },
  });
}
