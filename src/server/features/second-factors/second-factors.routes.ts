import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { requireSignedIn } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import {
  addAuthenticator,
  addPasskey,
  offerAuthenticator,
  offerPasskey,
  readSecondFactors,
  removeAuthenticator,
  removePasskey,
  renewRecoveryCodes,
} from './manage-second-factors.ts';

export async function secondFactorRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  // The use cases also require a recent confirmation; its kind depends on whether the user has a second factor.
  const manageOptions = { action: 'second-factors.manage', requirement: 'fresh-token' } as const;
  registerCall(app, deps, 'readSecondFactors', {
    action: 'second-factors.manage',
    handle: ({ actor }) => readSecondFactors(deps, requireSignedIn(actor).userId),
  });
  registerCall(app, deps, 'offerAuthenticator', {
    ...manageOptions,
    handle: ({ actor }) => offerAuthenticator(deps, requireSignedIn(actor)),
  });
  registerCall(app, deps, 'addAuthenticator', {
    ...manageOptions,
    handle: ({ actor, body }) => addAuthenticator(deps, requireSignedIn(actor), body),
  });
  registerCall(app, deps, 'removeAuthenticator', {
    ...manageOptions,
    handle: ({ actor }) => removeAuthenticator(deps, requireSignedIn(actor)),
  });
  registerCall(app, deps, 'offerPasskey', {
    ...manageOptions,
    handle: ({ actor }) => offerPasskey(deps, requireSignedIn(actor)),
  });
  registerCall(app, deps, 'addPasskey', {
    ...manageOptions,
    handle: ({ actor, body }) => addPasskey(deps, requireSignedIn(actor), body),
  });
  registerCall(app, deps, 'removePasskey', {
    ...manageOptions,
    handle: ({ actor, params }) => removePasskey(deps, requireSignedIn(actor), params.passkeyid),
  });
  registerCall(app, deps, 'renewRecoveryCodes', {
    ...manageOptions,
    handle: ({ actor }) => renewRecoveryCodes(deps, requireSignedIn(actor)),
  });
}
