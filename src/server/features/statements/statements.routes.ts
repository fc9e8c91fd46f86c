import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { recordExport } from '#server/features/activity/record-activity.ts';
import { registerCall } from '#server/http/call-route.ts';
import { createQuickBooksFile } from './quickbooks-file.ts';
import { createStatementPdf, createStatementTable, readStatement } from './statements.ts';

export async function statementRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'readStatement', {
    action: 'books.read',
    handle: ({ org, query }) => readStatement(deps, org, query.period),
  });
  registerCall(app, deps, 'downloadStatementPdf', {
    action: 'books.read',
    isExpensive: true,
    requirement: 'recent-confirmation',
    handle: async (call) => recordExport(deps.db, call, await createStatementPdf(deps, call.org, call.query.period)),
  });
  registerCall(app, deps, 'downloadStatementTable', {
    action: 'books.read',
    isExpensive: true,
    requirement: 'recent-confirmation',
    handle: async (call) => recordExport(deps.db, call, await createStatementTable(deps, call.org, call.query.period)),
  });
  registerCall(app, deps, 'downloadQuickBooks', {
    action: 'books.read',
    isExpensive: true,
    requirement: 'recent-confirmation',
    handle: async (call) => recordExport(deps.db, call, await createQuickBooksFile(deps, call.org, call.query)),
  });
}
