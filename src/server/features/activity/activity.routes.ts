import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { registerCall } from '#server/http/call-route.ts';
import { readActivity } from './read-activity.ts';

export async function activityRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db } = deps;
  registerCall(app, deps, 'readActivity', {
    action: 'activity.read',
    handle: ({ params, query }) => readActivity(db, { orgId: params.orgid }, query),
  });
  registerCall(app, deps, 'readAllActivity', {
    action: 'activity.read-all',
    handle: ({ query }) => readActivity(db, {}, query),
  });
  registerCall(app, deps, 'readOwnActivity', {
    action: 'user.download',
    subject: ({ userid }) => ({ ownerId: userid }),
    handle: ({ params, query }) => readActivity(db, { personId: params.userid }, query),
  });
}
