import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '#domain/failures.ts';
import { newId } from '#server/db/new-id.ts';
import type { AppDeps } from '#server/deps.ts';
import { toCheckoutKey } from '#server/entities/find-checkout.ts';
import { withLimitedForms } from '#server/features/rate-limits/limited-forms.ts';
import { registerCall, WithCookies } from '#server/http/call-route.ts';
import { BROWSER_COOKIE_SECONDS, createBrowserCookie, hashBrowserId } from './browser-cookie.ts';
import { completeCheckout } from './complete-checkout.ts';
import { createCheckout } from './create-checkout.ts';
import { deleteCheckout } from './delete-checkout.ts';
import { openCheckoutReceipt } from './open-receipt.ts';
import { readCheckout } from './read-checkout.ts';
import { findSubmittedProfile, readProfileForm, submitProfile } from './submit-profile.ts';

export async function checkoutRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const cookie = createBrowserCookie(deps);
  const readCreatorHash = ({ headers }: FastifyRequest) => {
    const browserId = cookie.read(headers.cookie);
    return browserId && hashBrowserId(browserId);
  };
  registerCall(app, deps, 'createCheckout', {
    action: 'checkout.create',
    handle: async ({ actor, org, body, request, language }) => {
      const browserId = cookie.read(request.headers.cookie) ?? newId();
      const visit = { ipAddress: request.ip, language, creatorHash: hashBrowserId(browserId) };
      const newCheckout = await createCheckout(deps, org, body, actor, visit);
      return newCheckout instanceof Failure
        ? newCheckout
        : new WithCookies(newCheckout, [cookie.set(browserId, BROWSER_COOKIE_SECONDS)]);
    },
  });
  registerCall(app, deps, 'readCheckout', {
    action: 'checkout.read',
    handle: ({ actor, params, query, request }) => {
      const creatorHash = readCreatorHash(request);
      const visit = { actor, receiptKey: query.receipt, ipAddress: request.ip, creatorHash };
      return readCheckout(deps, toCheckoutKey(params), visit, request.log);
    },
  });
  registerCall(app, deps, 'openCheckoutReceipt', {
    action: 'receipt.open',
    isExpensive: true,
    handle: ({ params, request }) => openCheckoutReceipt(deps, toCheckoutKey(params), readCreatorHash(request)),
  });
  registerCall(app, deps, 'completeCheckout', {
    action: 'checkout.complete',
    handle: ({ actor, params }) => completeCheckout(deps, toCheckoutKey(params), actor),
  });
  await withLimitedForms(app, deps, (forms) => {
    registerCall(forms, deps, 'submitProfile', {
      action: 'checkout.submit-profile',
      handle: async ({ actor, org, params, request, language }) =>
        (await findSubmittedProfile(deps, toCheckoutKey(params))) ??
        submitProfile(deps, { org, checkoutId: params.checkoutid }, await readProfileForm(request), {
          actor,
          creatorHash: readCreatorHash(request),
          language,
        }),
    });
  });
  registerCall(app, deps, 'deleteCheckout', {
    action: 'checkouts.delete',
    handle: ({ params }) => deleteCheckout(deps, toCheckoutKey(params)),
  });
}
