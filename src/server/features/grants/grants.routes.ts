import type { FastifyInstance } from 'fastify';
import type { Actor } from '#domain/permissions.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgFacts } from '#server/entities/find-org.ts';
import { requireSignedIn } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import type { GrantKey } from './grants.store.ts';
import { type GrantContext, payGrant, promiseGrant, reverseGrant } from './pay-grant.ts';
import { createPoundsFile } from './pounds-file.ts';
import { readAvailableFunds, readGrant, readGrants, sumGrants } from './read-grants.ts';
import { readPounds } from './read-pounds.ts';
import { deleteGrant, recordGrantWork, saveGrant } from './save-grant.ts';

export async function grantRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db } = deps;
  registerCall(app, deps, 'readGrants', {
    action: 'grants.read',
    handle: ({ params, query }) => readGrants(db, params.orgid, query),
  });
  registerCall(app, deps, 'sumGrants', {
    action: 'grants.read',
    handle: ({ params, query }) => sumGrants(db, params.orgid, query),
  });
  registerCall(app, deps, 'readGrant', {
    action: 'grants.read',
    handle: ({ params }) => readGrant(db, toGrantKey(params)),
  });
  registerCall(app, deps, 'saveGrant', {
    action: 'grants.edit',
    handle: ({ org, params, body }) => saveGrant(deps, toGrantKey(params), body, org.timeZone),
  });
  registerCall(app, deps, 'deleteGrant', {
    action: 'grants.edit',
    handle: ({ params }) => deleteGrant(deps, toGrantKey(params)),
  });
  registerCall(app, deps, 'recordGrantWork', {
    action: 'grants.edit',
    handle: ({ org, params, body }) => recordGrantWork(deps, toGrantKey(params), body, org.timeZone),
  });
  registerCall(app, deps, 'promiseGrant', {
    action: 'grants.pay',
    handle: ({ actor, org, params, body }) => promiseGrant(deps, toGrantKey(params), body, toGrantContext(actor, org)),
  });
  registerCall(app, deps, 'payGrant', {
    action: 'grants.pay',
    handle: ({ actor, org, params, body }) => payGrant(deps, toGrantKey(params), body, toGrantContext(actor, org)),
  });
  registerCall(app, deps, 'reverseGrant', {
    action: 'grants.pay',
    handle: ({ actor, org, params, body }) => reverseGrant(deps, toGrantKey(params), body, toGrantContext(actor, org)),
  });
  registerCall(app, deps, 'readPounds', {
    action: 'org.read',
    isCached: true,
    handle: ({ org }) => readPounds(deps, org),
  });
  registerCall(app, deps, 'downloadPounds', {
    action: 'org.read',
    isExpensive: true,
    handle: async ({ org }) => createPoundsFile(await readPounds(deps, org)),
  });
  registerCall(app, deps, 'readAvailableFunds', {
    action: 'books.read',
    handle: ({ params }) => readAvailableFunds(db, params.orgid),
  });
}

function toGrantKey({ orgid: orgId, grantid: grantId }: { orgid: string; grantid: string }): GrantKey {
  return { orgId, grantId };
}

function toGrantContext(actor: Actor, { timeZone }: OrgFacts): GrantContext {
  return { actorId: requireSignedIn(actor).userId, timeZone };
}
