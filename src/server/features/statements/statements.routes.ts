import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { recordExport } from '#server/features/activity/record-activity.ts';
import { registerCall } from '#server/http/call-route.ts';
import { createMonthPdf, createMonthTable, readMonth } from './monthly-statement.ts';
import { createQuickBooksFile } from './quickbooks-file.ts';

export async function statementRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'readMonth', {
    action: 'books.read',
    handle: ({ org, query }) => readMonth(deps, org, query.month),
  });
  registerCall(app, deps, 'downloadMonthPdf', {
    action: 'books.read',
    isExpensive: true,
    requirement: 'recent-confirmation',
    handle: async (call) => recordExport(deps.db, call, await createMonthPdf(deps, call.org, call.query.month)),
  });
  registerCall(app, deps, 'downloadMonthTable', {
    action: 'books.read',
    isExpensive: true,
    requirement: 'recent-confirmation',
    handle: async (call) => recordExport(deps.db, call, await createMonthTable(deps, call.org, call.query.month)),
  });
  registerCall(app, deps, 'downloadQuickBooks', {
    action: 'books.read',
    isExpensive: true,
    requirement: 'recent-confirmation',
    handle: async (call) => recordExport(deps.db, call, await createQuickBooksFile(deps, call.org, call.query)),
  });
}
