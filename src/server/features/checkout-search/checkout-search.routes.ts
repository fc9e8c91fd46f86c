import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { toCheckoutKey } from '#server/entities/find-checkout.ts';
import { recordExport } from '#server/features/activity/record-activity.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { limitDonorReads } from '#server/features/rate-limits/donor-reads.ts';
import { requireSignedIn } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import { readCheckoutRecord, readCheckRecord } from './checkout-records.ts';
import { exportCheckouts } from './export-checkouts.ts';
import { searchCheckouts, sumCheckouts } from './search-checkouts.ts';

export async function checkoutSearchRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'searchCheckouts', {
    action: 'checkouts.read',
    handle: (call) => limitDonorReads(deps, call, () => searchCheckouts(deps, call.org, call.body)),
  });
  registerCall(app, deps, 'sumCheckouts', {
    action: 'checkouts.read',
    handle: async ({ actor, org, body }) =>
      (await checkRateLimit(deps, 'donor-list', { userId: requireSignedIn(actor).userId })) ??
      sumCheckouts(deps, org, body),
  });
  registerCall(app, deps, 'downloadCheckouts', {
    action: 'ledger.download',
    isExpensive: true,
    requirement: 'recent-confirmation',
    handle: async (call) => recordExport(deps.db, call, await exportCheckouts(deps.db, call.org, call.query)),
  });
  registerCall(app, deps, 'readCheckoutRecord', {
    action: 'checkouts.read',
    handle: (call) => limitDonorReads(deps, call, () => readCheckoutRecord(deps, toCheckoutKey(call.params))),
  });
  registerCall(app, deps, 'readCheckRecord', {
    action: 'checks.read',
    handle: (call) => {
      const key = { orgId: call.params.orgid, pledgeId: call.params.pledgeid };
      return limitDonorReads(deps, call, () => readCheckRecord(deps, key));
    },
  });
}
