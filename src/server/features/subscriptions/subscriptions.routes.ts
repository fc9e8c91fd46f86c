import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { registerCall } from '#server/http/call-route.ts';
import { changeGift, openCardPage, pauseGift, stopGift, stopGiftOfCheckout } from './manage-gift.ts';
import { type GiftKey, readGift } from './read-gift.ts';

export async function recurringGiftRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'readGift', {
    action: 'gift.manage',
    handle: ({ params }) => readGift(deps, keyOf(params)),
  });
  registerCall(app, deps, 'stopGift', {
    action: 'gift.manage',
    handle: ({ params }) => stopGift(deps, keyOf(params)),
  });
  registerCall(app, deps, 'changeGiftCard', {
    action: 'gift.manage',
    handle: ({ params, language }) => openCardPage(deps, keyOf(params), language),
  });
  registerCall(app, deps, 'changeGift', {
    action: 'gift.manage',
    handle: ({ params, body }) => changeGift(deps, keyOf(params), body),
  });
  registerCall(app, deps, 'pauseGift', {
    action: 'gift.manage',
    handle: ({ params, body }) => pauseGift(deps, keyOf(params), body.paused),
  });
  registerCall(app, deps, 'stopCheckoutGift', {
    action: 'gifts.stop',
    needs: 'recent-proof',
    handle: ({ params }) => stopGiftOfCheckout(deps, { orgId: params.orgid, checkoutId: params.checkoutid }),
  });
}

function keyOf({ orgid, giftkey }: { orgid: string; giftkey: string }): GiftKey {
  return { orgId: orgid, key: giftkey };
}
