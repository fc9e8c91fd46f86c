import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { readGiving } from '#server/features/gifts/read-giving.ts';
import { signedIn } from '#server/http/actor.ts';
import { registerCall, WithCookies } from '#server/http/call-route.ts';
import { ListPage } from '#server/list-page.ts';
import { authorize } from './authorize.ts';
import { deleteUser } from './delete-user.ts';
import { downloadUser } from './download-user.ts';
import { readUser, searchUsers } from './read-user.ts';
import { refreshClaims } from './refresh-claims.ts';
import { setAdmin } from './set-admin.ts';

export async function userRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db } = deps;
  registerCall(app, deps, 'authorize', {
    action: 'session.read',
    handle: ({ actor }) => authorize(db.kysely, signedIn(actor).userId),
  });
  registerCall(app, deps, 'refreshClaims', {
    action: 'session.read',
    freshToken: true,
    handle: ({ actor }) => refreshClaims(deps, signedIn(actor).userId),
  });
  registerCall(app, deps, 'readUser', {
    action: 'user.read',
    subject: themselves,
    handle: ({ params }) => readUser(db, params.userid),
  });
  registerCall(app, deps, 'searchUsers', {
    action: 'users.manage',
    handle: async ({ query }) => {
      const { users, nextCursor } = await searchUsers(db, query, query.query ?? '');
      return new ListPage(users, nextCursor);
    },
  });
  registerCall(app, deps, 'setAdmin', {
    action: 'users.manage',
    freshToken: true,
    handle: ({ params, body }) => setAdmin(db, params.userid, body.admin),
  });
  ownRoutes(app, deps);
}

/** What one reads and ends of oneself. */
function ownRoutes(app: FastifyInstance, deps: AppDeps): void {
  const { identity } = deps;
  registerCall(app, deps, 'readGiving', {
    action: 'user.read-giving',
    subject: themselves,
    handle: ({ actor }) => readGiving(deps, actor),
  });
  registerCall(app, deps, 'downloadUser', {
    action: 'user.download',
    subject: themselves,
    handle: ({ params }) => downloadUser(deps, params.userid),
  });
  registerCall(app, deps, 'deleteUser', {
    action: 'user.delete',
    subject: themselves,
    freshToken: true,
    handle: async ({ params }) => {
      const refused = await deleteUser(deps, params.userid);
      return refused ?? new WithCookies({}, identity.cookies.clear());
    },
  });
}

function themselves({ userid }: { userid: string }) {
  return { ownerId: userid };
}
