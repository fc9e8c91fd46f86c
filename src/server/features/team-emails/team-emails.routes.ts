import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { requireSignedIn } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import { readEmailChoices, saveEmailChoices } from './email-choices.ts';

/** Lets everyone with a role in the organization manage their own emails. */
export async function teamEmailRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { kysely } = deps.db;
  registerCall(app, deps, 'readEmailChoices', {
    action: 'area.visit',
    handle: ({ actor, params }) =>
      readEmailChoices(kysely, { orgId: params.orgid, userId: requireSignedIn(actor).userId }),
  });
  registerCall(app, deps, 'saveEmailChoices', {
    action: 'area.visit',
    handle: ({ actor, params, body }) =>
      saveEmailChoices(kysely, { orgId: params.orgid, userId: requireSignedIn(actor).userId }, body),
  });
}
