import type { FastifyInstance } from 'fastify';
import { Failure } from '#domain/failures.ts';
import type { Database } from '#server/db/connection.ts';
import { nextCursorOf } from '#server/db/keyset.ts';
import type { AppDeps } from '#server/deps.ts';
import { orgStats } from '#server/features/ledger/org-stats.ts';
import { ListPart, registerCall } from '#server/http/call-route.ts';
import { presentOrg } from './orgs.present.ts';
import { type OrgRow, orgById, orgBySlug, orgsPage } from './orgs.store.ts';

export async function orgRoutes(app: FastifyInstance, { db, identity }: AppDeps): Promise<void> {
  registerCall(app, identity, 'readOrgs', {
    action: 'org.read',
    handle: async ({ query }) => {
      if (query.slug === undefined) {
        const rows = await orgsPage(db, query);
        return new ListPart(await withStats(db, rows), nextCursorOf(rows, query));
      }
      const org = await orgBySlug(db, query.slug);
      return withStats(db, org ? [org] : []);
    },
  });
  registerCall(app, identity, 'readOrg', {
    action: 'org.read',
    subject: ({ orgid }) => ({ orgId: orgid }),
    handle: async ({ params }) => {
      const row = await orgById(db, params.orgid);
      return row ? presentOrg(row, await orgStats(db, row.id)) : new Failure('org-not-found');
    },
  });
}

function withStats(db: Database, rows: readonly OrgRow[]) {
  return Promise.all(rows.map(async (row) => presentOrg(row, await orgStats(db, row.id))));
}
