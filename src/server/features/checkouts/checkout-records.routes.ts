import type { FastifyInstance } from 'fastify';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { ListPart, registerCall } from '#server/http/call-route.ts';
import { deleteCheckout } from './delete-checkout.ts';
import { readCheckoutRecord } from './read-checkout-record.ts';
import { searchCheckouts } from './search-checkouts.ts';

/** The checkouts of an organisation, for its editors. */
export async function checkoutRecordRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'searchCheckouts', {
    action: 'checkouts.manage',
    handle: async ({ params, body }) => {
      const part = await searchCheckouts(deps, params.orgid, body);
      return part instanceof Failure ? part : new ListPart(part.checkouts, part.nextCursor);
    },
  });
  registerCall(app, deps, 'readCheckoutRecord', {
    action: 'checkouts.manage',
    handle: ({ params }) => readCheckoutRecord(deps, { orgId: params.orgid, checkoutId: params.checkoutid }),
  });
  registerCall(app, deps, 'deleteCheckout', {
    action: 'checkouts.manage',
    handle: ({ params }) => deleteCheckout(deps, { orgId: params.orgid, checkoutId: params.checkoutid }),
  });
}
