import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { readGiving } from '#server/features/gifts/read-giving.ts';
import { requireFresh, signedIn } from '#server/http/actor.ts';
import { ListPart, registerCall, WithCookies } from '#server/http/call-route.ts';
import { authorize } from './authorize.ts';
import { deleteUser } from './delete-user.ts';
import { downloadUser } from './download-user.ts';
import { readUser, searchUsers } from './read-user.ts';
import { refreshClaims } from './refresh-claims.ts';
import { setAdmin } from './set-admin.ts';

export async function userRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db, identity, now } = deps;
  registerCall(app, identity, 'authorize', {
    action: 'session.read',
    handle: ({ actor }) => authorize(db.kysely, signedIn(actor).userId),
  });
  registerCall(app, identity, 'refreshClaims', {
    action: 'session.read',
    handle: async ({ actor }) => {
      requireFresh(actor, now());
      return refreshClaims(deps, signedIn(actor).userId);
    },
  });
  registerCall(app, identity, 'readUser', {
    action: 'user.read',
    subject: themselves,
    handle: ({ params }) => readUser(db, params.userid),
  });
  registerCall(app, identity, 'searchUsers', {
    action: 'users.manage',
    handle: async ({ query }) => {
      const { users, nextCursor } = await searchUsers(db, query, query.query ?? '');
      return new ListPart(users, nextCursor);
    },
  });
  registerCall(app, identity, 'setAdmin', {
    action: 'users.manage',
    handle: async ({ actor, params, body }) => {
      requireFresh(actor, now());
      return setAdmin(db, params.userid, body.admin);
    },
  });
  ownRoutes(app, deps);
}

/** What one reads and ends of oneself. */
function ownRoutes(app: FastifyInstance, deps: AppDeps): void {
  const { identity, now } = deps;
  registerCall(app, identity, 'readGiving', {
    action: 'user.read-giving',
    subject: themselves,
    handle: ({ actor }) => readGiving(deps, actor),
  });
  registerCall(app, identity, 'downloadUser', {
    action: 'user.download',
    subject: themselves,
    handle: ({ params }) => downloadUser(deps, params.userid),
  });
  registerCall(app, identity, 'deleteUser', {
    action: 'user.delete',
    subject: themselves,
    handle: async ({ actor, params }) => {
      requireFresh(actor, now());
      const refused = await deleteUser(deps, params.userid);
      return refused ?? new WithCookies({}, identity.cookies.clear());
    },
  });
}

function themselves({ userid }: { userid: string }) {
  return { ownerId: userid };
}
