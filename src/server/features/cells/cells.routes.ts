import type { FastifyInstance } from 'fastify';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { registerCall } from '#server/http/call-route.ts';
import { readCells } from './read-cells.ts';

export async function cellRoutes(app: FastifyInstance, { db, identity }: AppDeps): Promise<void> {
  registerCall(app, identity, 'readCells', {
    action: 'cells.read',
    subject: ({ orgid }) => ({ orgId: orgid }),
    handle: ({ params, query }) => readCells(db, params.orgid, query),
  });
  registerCall(app, identity, 'readCell', {
    action: 'cells.read',
    subject: ({ orgid }) => ({ orgId: orgid }),
    handle: async ({ params: { orgid, page, name } }) => {
      const cells = await readCells(db, orgid, { page, name });
      if (cells instanceof Failure) return cells;
      return cells[0] ?? new Failure('no-cell');
    },
  });
}
