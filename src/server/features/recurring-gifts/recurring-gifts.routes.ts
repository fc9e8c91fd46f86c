import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { limitDonorReads } from '#server/features/rate-limits/donor-reads.ts';
import { registerCall } from '#server/http/call-route.ts';
import { listRecurringGifts, sumRecurringGifts } from './list-recurring-gifts.ts';
import { changeGift, type GiftVisit, openCardPage, pauseGift, stopGift, stopGiftOfCheckout } from './manage-recurring-gift.ts';
import { type GiftKey, readGift } from './read-recurring-gift.ts';

export async function recurringGiftRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'readGift', {
    action: 'gift.manage',
    handle: ({ params }) => readGift(deps, toGiftKey(params)),
  });
  registerCall(app, deps, 'stopGift', {
    action: 'gift.manage',
    handle: (call) => stopGift(deps, giftVisit(call)),
  });
  registerCall(app, deps, 'changeGiftCard', {
    action: 'gift.manage',
    handle: (call) => openCardPage(deps, giftVisit(call), call.language),
  });
  registerCall(app, deps, 'changeGift', {
    action: 'gift.manage',
    handle: (call) => changeGift(deps, giftVisit(call), call.body),
  });
  registerCall(app, deps, 'pauseGift', {
    action: 'gift.manage',
    handle: (call) => pauseGift(deps, giftVisit(call), call.body.paused),
  });
  registerCall(app, deps, 'readRecurringGifts', {
    action: 'donors.read',
    handle: (call) => limitDonorReads(deps, call, () => listRecurringGifts(deps, call.org, call.query)),
  });
  registerCall(app, deps, 'sumRecurringGifts', {
    action: 'donors.read',
    handle: ({ org }) => sumRecurringGifts(deps, org.id),
  });
  registerCall(app, deps, 'stopCheckoutGift', {
    action: 'gifts.stop',
    handle: ({ params }) => stopGiftOfCheckout(deps, { orgId: params.orgid, checkoutId: params.checkoutid }),
  });
}

type GiftCall = Pick<GiftVisit, 'actor' | 'request'> & { readonly params: { orgid: string; giftkey: string } };

function giftVisit({ params, actor, request }: GiftCall): GiftVisit {
  return { key: toGiftKey(params), actor, request };
}

function toGiftKey({ orgid: orgId, giftkey: giftKey }: { orgid: string; giftkey: string }): GiftKey {
  return { orgId, key: giftKey };
}
