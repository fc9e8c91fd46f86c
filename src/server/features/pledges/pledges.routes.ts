import type { FastifyInstance } from 'fastify';
import { MAX_PLAUSIBLE_PLEDGE_DOLLARS } from '#domain/check.ts';
import type { Actor, Requirement } from '#domain/permissions.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgFacts } from '#server/entities/find-org.ts';
import { requireSignedIn } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import { type CheckContext, receivePledge, withdrawPledge } from './receive-pledge.ts';
import { pledgeCheck, recordPledge } from './record-pledge.ts';
import { reversePledge } from './reverse-pledge.ts';

export async function pledgeRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'pledgeCheck', {
    action: 'pledge.create',
    handle: ({ params, body, request, language }) =>
      pledgeCheck(deps, params.orgid, body, { client: request.ip, language }),
  });
  registerEditorRoutes(app, deps);
}

function registerEditorRoutes(app: FastifyInstance, deps: AppDeps): void {
  registerCall(app, deps, 'recordPledge', {
    action: 'checks.manage',
    requirement: ({ body }) => (body.received ? requiredConfirmation(body.amount) : undefined),
    handle: ({ actor, org, params, body }) => recordPledge(deps, toPledgeKey(params), body, toCheckContext(actor, org)),
  });
  registerCall(app, deps, 'receivePledge', {
    action: 'checks.manage',
    requirement: ({ body }) => requiredConfirmation(body.amount),
    handle: ({ actor, org, params, body }) =>
      receivePledge(deps, toPledgeKey(params), { check: body, ...toCheckContext(actor, org) }),
  });
  registerCall(app, deps, 'reversePledge', {
    action: 'checks.manage',
    handle: ({ actor, params, body }) => reversePledge(deps, toPledgeKey(params), body, requireSignedIn(actor).userId),
  });
  registerCall(app, deps, 'withdrawPledge', {
    action: 'checks.manage',
    handle: ({ params, body }) => withdrawPledge(deps, toPledgeKey(params), body.withdrawn),
  });
}

/** Checks for ordinary amounts don't need a recent confirmation, so that a treasurer can enter many in a row. */
function requiredConfirmation(dollars: number): Requirement | undefined {
  return dollars > MAX_PLAUSIBLE_PLEDGE_DOLLARS ? 'recent-confirmation' : undefined;
}

function toCheckContext(actor: Actor, { timeZone }: OrgFacts): CheckContext {
  return { actorId: requireSignedIn(actor).userId, timeZone };
}

function toPledgeKey({ orgid: orgId, pledgeid: pledgeId }: { orgid: string; pledgeid: string }) {
  return { orgId, pledgeId };
}
