import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { requireSignedIn } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import { readAttention, resolveAttention } from './attention.ts';

export async function attentionRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'readAttention', {
    action: 'checkouts.read',
    handle: ({ params }) => readAttention(deps.db, params.orgid),
  });
  registerCall(app, deps, 'resolveAttention', {
    action: 'attention.resolve',
    handle: ({ actor, params, body }) =>
      resolveAttention(
        deps,
        { orgId: params.orgid, itemId: params.itemid },
        { note: body.note, resolvedBy: requireSignedIn(actor).userId },
      ),
  });
  registerCall(app, deps, 'readUnassignedAttention', {
    action: 'attention.manage-unassigned',
    handle: () => readAttention(deps.db, null),
  });
  registerCall(app, deps, 'resolveUnassignedAttention', {
    action: 'attention.manage-unassigned',
    handle: ({ actor, params, body }) =>
      resolveAttention(
        deps,
        { orgId: null, itemId: params.itemid },
        { note: body.note, resolvedBy: requireSignedIn(actor).userId },
      ),
  });
}
