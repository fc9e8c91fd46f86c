import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { limitDonorReads } from '#server/features/rate-limits/donor-reads.ts';
import { registerCall } from '#server/http/call-route.ts';
import { listRecurringGifts, sumRecurringGifts } from './list-recurring-gifts.ts';
import {
  changeRecurringGift,
  openCardPage,
  pauseRecurringGift,
  type RecurringGiftVisit,
  stopRecurringGift,
  stopRecurringGiftByCheckout,
} from './manage-recurring-gift.ts';
import { type RecurringGiftKey, readRecurringGift } from './read-recurring-gift.ts';

export async function recurringGiftRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'readRecurringGift', {
    action: 'recurring-gift.manage',
    handle: ({ params }) => readRecurringGift(deps, toGiftKey(params)),
  });
  registerCall(app, deps, 'stopRecurringGift', {
    action: 'recurring-gift.manage',
    handle: (call) => stopRecurringGift(deps, toVisit(call)),
  });
  registerCall(app, deps, 'changeRecurringGiftCard', {
    action: 'recurring-gift.manage',
    handle: (call) => openCardPage(deps, toVisit(call), call.language),
  });
  registerCall(app, deps, 'changeRecurringGift', {
    action: 'recurring-gift.manage',
    handle: (call) => changeRecurringGift(deps, toVisit(call), call.body),
  });
  registerCall(app, deps, 'pauseRecurringGift', {
    action: 'recurring-gift.manage',
    handle: (call) => pauseRecurringGift(deps, toVisit(call), call.body.paused),
  });
  registerCall(app, deps, 'readRecurringGifts', {
    action: 'donors.read',
    handle: (call) => limitDonorReads(deps, call, () => listRecurringGifts(deps, call.org, call.query)),
  });
  registerCall(app, deps, 'sumRecurringGifts', {
    action: 'donors.read',
    handle: ({ org }) => sumRecurringGifts(deps, org.id),
  });
  registerCall(app, deps, 'stopRecurringGiftOfCheckout', {
    action: 'recurring-gifts.stop',
    handle: ({ params }) => stopRecurringGiftByCheckout(deps, { orgId: params.orgid, checkoutId: params.checkoutid }),
  });
}

type RecurringGiftCall = Pick<RecurringGiftVisit, 'actor' | 'request'> & {
  readonly params: { orgid: string; giftkey: string };
};

function toVisit({ params, actor, request }: RecurringGiftCall): RecurringGiftVisit {
  return { key: toGiftKey(params), actor, request };
}

function toGiftKey({ orgid: orgId, giftkey: giftKey }: { orgid: string; giftkey: string }): RecurringGiftKey {
  return { orgId, key: giftKey };
}
