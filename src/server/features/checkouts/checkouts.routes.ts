import type { FastifyInstance } from 'fastify';
import { Failure } from '#domain/failures.ts';
import { newId } from '#server/db/new-id.ts';
import type { AppDeps } from '#server/deps.ts';
import type { CheckoutKey } from '#server/entities/find-checkout.ts';
import { recordExport } from '#server/features/activity/record-activity.ts';
import { readCheckoutRecord, readCheckRecord } from '#server/features/checkout-search/checkout-records.ts';
import { exportCheckouts } from '#server/features/checkout-search/export-checkouts.ts';
import { searchCheckouts, sumCheckouts } from '#server/features/checkout-search/search-checkouts.ts';
import { refundPayment } from '#server/features/payments/refund-payment.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { limitDonorReads } from '#server/features/rate-limits/donor-reads.ts';
import { withLimitedForms } from '#server/features/rate-limits/limited-forms.ts';
import { requireBearer } from '#server/http/actor.ts';
import { FileResponse, registerCall, WithCookies } from '#server/http/call-route.ts';
import { completeCheckout } from './complete-checkout.ts';
import { createCheckout } from './create-checkout.ts';
import { deleteCheckout } from './delete-checkout.ts';
import { openCheckoutReceipt } from './open-receipt.ts';
import { BROWSER_COOKIE_SECONDS, browserCookie, openerHash } from './opener.ts';
import { readCheckout } from './read-checkout.ts';
import { findSubmittedProfile, readProfileForm, submitProfile } from './submit-profile.ts';

export async function checkoutRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const cookie = browserCookie(deps);
  registerCall(app, deps, 'createCheckout', {
    action: 'checkout.create',
    handle: async ({ actor, org, body, request, language }) => {
      const opener = cookie.read(request.headers.cookie) ?? newId();
      const visit = { client: request.ip, language, openerHash: openerHash(opener) };
      const newCheckout = await createCheckout(deps, org, body, actor, visit);
      return newCheckout instanceof Failure
        ? newCheckout
        : new WithCookies(newCheckout, [cookie.set(opener, BROWSER_COOKIE_SECONDS)]);
    },
  });
  registerCall(app, deps, 'readCheckout', {
    action: 'checkout.read',
    handle: ({ actor, params, query, request }) => {
      const opener = cookie.read(request.headers.cookie);
      const visit = { actor, receiptKey: query.receipt, client: request.ip, openerHash: opener && openerHash(opener) };
      return readCheckout(deps, keyOf(params), visit, ({ code }) => {
        request.log.warn({ code, checkoutId: params.checkoutid }, 'a checkout could not be settled');
      });
    },
  });
  registerCall(app, deps, 'openCheckoutReceipt', {
    action: 'receipt.open',
    isCostly: true,
    handle: ({ params, request }) => {
      const opener = cookie.read(request.headers.cookie);
      return openCheckoutReceipt(deps, keyOf(params), opener && openerHash(opener));
    },
  });
  registerCall(app, deps, 'completeCheckout', {
    action: 'checkout.complete',
    handle: ({ actor, params }) => completeCheckout(deps, keyOf(params), actor),
  });
  await withLimitedForms(app, deps, (forms) => {
    registerCall(forms, deps, 'submitProfile', {
      action: 'checkout.submit-profile',
      handle: async ({ actor, org, params, request }) =>
        (await findSubmittedProfile(deps, keyOf(params))) ??
        submitProfile(deps, { org, checkoutId: params.checkoutid }, await readProfileForm(request), actor),
    });
  });
  registerCall(app, deps, 'searchCheckouts', {
    action: 'checkouts.read',
    handle: (call) => limitDonorReads(deps, call, () => searchCheckouts(deps, call.org, call.body)),
  });
  registerCall(app, deps, 'sumCheckouts', {
    action: 'checkouts.read',
    handle: async ({ actor, org, body }) =>
      (await checkRateLimit(deps, 'donor-list', { person: requireBearer(actor).userId })) ??
      sumCheckouts(deps, org, body),
  });
  registerCall(app, deps, 'downloadCheckouts', {
    action: 'ledger.download',
    isCostly: true,
    needs: 'recent-proof',
    handle: async (call) => {
      const file = await exportCheckouts(deps.db, call.org, call.query);
      return recordExport(deps.db, call, file instanceof Failure ? file : new FileResponse(file));
    },
  });
  registerCall(app, deps, 'readCheckoutRecord', {
    action: 'checkouts.read',
    handle: (call) => limitDonorReads(deps, call, () => readCheckoutRecord(deps, keyOf(call.params))),
  });
  registerCall(app, deps, 'readCheckRecord', {
    action: 'checks.read',
    handle: (call) => {
      const key = { orgId: call.params.orgid, pledgeId: call.params.pledgeid };
      return limitDonorReads(deps, call, () => readCheckRecord(deps, key));
    },
  });
  registerCall(app, deps, 'refundPayment', {
    action: 'payments.refund',
    needs: 'recent-proof',
    handle: ({ actor, params, body }) => refundPayment(deps, keyOf(params), body, requireBearer(actor).userId),
  });
  registerCall(app, deps, 'deleteCheckout', {
    action: 'checkouts.delete',
    handle: ({ params }) => deleteCheckout(deps, keyOf(params)),
  });
}

function keyOf({ orgid: orgId, checkoutid: checkoutId }: { orgid: string; checkoutid: string }): CheckoutKey {
  return { orgId, checkoutId };
}
