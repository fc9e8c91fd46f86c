import type { FastifyInstance } from 'fastify';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { recordExport } from '#server/features/activity/record-activity.ts';
import { readGiving } from '#server/features/gifts/read-giving.ts';
import { readYearlyStatement } from '#server/features/receipts/yearly-statement.ts';
import { requireSignedIn } from '#server/http/actor.ts';
import { registerCall, WithCookies } from '#server/http/call-route.ts';
import { scheduleSecondFactorRemoval, setAdmin } from './admins.ts';
import { deleteUser } from './delete-user.ts';
import { authorize, downloadUser, readUser, searchUsers } from './read-user.ts';
import { refreshClaims } from './refresh-claims.ts';

export async function userRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db, identity } = deps;
  registerCall(app, deps, 'authorize', {
    action: 'session.read',
    handle: async ({ actor }) => {
      const { userId, inactivePermissions } = requireSignedIn(actor);
      const authorization = await authorize(db.kysely, userId);
      if (authorization instanceof Failure || !inactivePermissions) return authorization;
      return { ...authorization, inactivePermissions: { ...inactivePermissions, orgs: [...inactivePermissions.orgs] } };
    },
  });
  registerCall(app, deps, 'refreshClaims', {
    action: 'session.read',
    requirement: 'fresh-token',
    handle: ({ actor }) => refreshClaims(deps, requireSignedIn(actor).userId),
  });
  registerCall(app, deps, 'searchUsers', {
    action: 'users.manage',
    handle: ({ query }) => searchUsers(db, query, query.query ?? ''),
  });
  registerCall(app, deps, 'setAdmin', {
    action: 'users.manage',
    requirement: 'recent-confirmation',
    handle: ({ actor, params, body }) =>
      setAdmin(deps, { userId: params.userid, admin: body.admin, changedBy: requireSignedIn(actor).userId }),
  });
  registerCall(app, deps, 'removeSecondFactors', {
    action: 'users.manage',
    requirement: 'recent-confirmation',
    handle: ({ actor, params }) => scheduleSecondFactorRemoval(deps, requireSignedIn(actor).userId, params.userid),
  });
  registerCall(app, deps, 'readUser', {
    action: 'user.read',
    subject: toOwner,
    handle: ({ params }) => readUser(db, params.userid),
  });
  registerCall(app, deps, 'readGiving', {
    action: 'user.read-giving',
    subject: toOwner,
    handle: ({ actor }) => readGiving(deps, actor),
  });
  registerCall(app, deps, 'downloadStatement', {
    action: 'user.read-giving',
    isExpensive: true,
    subject: toOwner,
    handle: async ({ actor, params, request, language }) =>
      recordExport(db, { actor, request }, await readYearlyStatement(deps, actor, { year: params.year, language })),
  });
  registerCall(app, deps, 'downloadUser', {
    action: 'user.download',
    isExpensive: true,
    subject: toOwner,
    requirement: 'recent-confirmation',
    handle: async ({ params, actor, request }) =>
      recordExport(db, { actor, request }, await downloadUser(deps, params.userid)),
  });
  registerCall(app, deps, 'deleteUser', {
    action: 'user.delete',
    subject: toOwner,
    requirement: 'recent-confirmation',
    handle: async ({ params }) => {
      const failure = await deleteUser(deps, params.userid);
      return failure ?? new WithCookies({}, identity.cookies.clear());
    },
  });
}

function toOwner({ userid: userId }: { userid: string }) {
  return { ownerId: userId };
}
