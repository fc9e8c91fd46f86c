import type { FastifyInstance } from 'fastify';
import { visibleActivityKinds } from '#domain/activity.ts';
import { type Action, can } from '#domain/permissions.ts';
import type { AppDeps } from '#server/deps.ts';
import { registerCall } from '#server/http/call-route.ts';
import { readActivity } from './read-activity.ts';

export async function activityRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db } = deps;
  registerCall(app, deps, 'readActivity', {
    action: 'activity.read',
    handle: ({ actor, params, query, language }) => {
      const isAllowed = (action: Action) => can(actor, action, { orgId: params.orgid });
      const scope = {
        orgId: params.orgid,
        kinds: visibleActivityKinds(isAllowed),
        clients: isAllowed('editors.manage'),
      };
      return readActivity(db, scope, { ...query, language });
    },
  });
  registerCall(app, deps, 'readAllActivity', {
    action: 'activity.read-all',
    handle: ({ query, language }) => readActivity(db, {}, { ...query, language }),
  });
  registerCall(app, deps, 'readOwnActivity', {
    action: 'user.download',
    subject: ({ userid: userId }) => ({ ownerId: userId }),
    handle: ({ params, query, language }) => readActivity(db, { personId: params.userid }, { ...query, language }),
  });
}
