import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { registerCall } from '#server/http/call-route.ts';
import { monthPdf, monthTable, readMonth } from './monthly-statement.ts';
import { quickBooksFile } from './quickbooks-file.ts';

export async function statementRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'readMonth', {
    action: 'books.read',
    handle: ({ org, query }) => readMonth(deps, org, query.month),
  });
  registerCall(app, deps, 'downloadMonthPdf', {
    action: 'books.read',
    handle: ({ org, query }) => monthPdf(deps, org, query.month),
  });
  registerCall(app, deps, 'downloadMonthTable', {
    action: 'books.read',
    handle: ({ org, query }) => monthTable(deps, org, query.month),
  });
  registerCall(app, deps, 'downloadQuickBooks', {
    action: 'books.read',
    handle: ({ org, query }) => quickBooksFile(deps, org, query.month),
  });
}
