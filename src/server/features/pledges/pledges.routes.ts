import type { FastifyInstance } from 'fastify';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { signedIn } from '#server/http/actor.ts';
import { ListPart, registerCall } from '#server/http/call-route.ts';
import { pledgeCheck } from './pledge-check.ts';
import { readPledges } from './read-pledges.ts';
import { receivePledge } from './receive-pledge.ts';
import { recordPledge } from './record-pledge.ts';
import { withdrawPledge } from './withdraw-pledge.ts';

export async function pledgeRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps.identity, 'pledgeCheck', {
    action: 'pledge.create',
    subject: inOrg,
    handle: ({ params, body }) => pledgeCheck(deps, params.orgid, body),
  });
  editorsRoutes(app, deps);
}

/** What becomes of checks is the editors' to say. */
function editorsRoutes(app: FastifyInstance, deps: AppDeps): void {
  const { db, identity } = deps;
  registerCall(app, identity, 'readPledges', {
    action: 'checkouts.manage',
    subject: inOrg,
    handle: async ({ params, query }) => {
      const part = await readPledges(db, params.orgid, query);
      return part instanceof Failure ? part : new ListPart(part.pledges, part.nextCursor);
    },
  });
  registerCall(app, identity, 'recordPledge', {
    action: 'checkouts.manage',
    subject: inOrg,
    handle: ({ actor, params, body }) => recordPledge(deps, keyOf(params), body, signedIn(actor).userId),
  });
  registerCall(app, identity, 'receivePledge', {
    action: 'checkouts.manage',
    subject: inOrg,
    handle: ({ actor, params, body }) =>
      receivePledge(deps, keyOf(params), { check: body, actorId: signedIn(actor).userId }),
  });
  registerCall(app, identity, 'withdrawPledge', {
    action: 'checkouts.manage',
    subject: inOrg,
    handle: ({ params, body }) => withdrawPledge(deps, keyOf(params), body.withdrawn),
  });
}

function inOrg({ orgid }: { orgid: string }) {
  return { orgId: orgid };
}

function keyOf({ orgid, pledgeid }: { orgid: string; pledgeid: string }) {
  return { orgId: orgid, pledgeId: pledgeid };
}
