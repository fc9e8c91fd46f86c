import type { GiftHomes } from '#contract/schemas/receipts.ts';
import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';

export type RecurringGiftData = { readonly gift: RecurringGift; readonly giftKey: string };

export type GiftHomesData = { readonly homes: GiftHomes; readonly receiptKey: string };

export const GIFT_PAGES: readonly PageRoute[] = [
  {
    ...orgPage(
      'recurring-gift-page',
      async () => (await import('./recurring-gift-page.tsx')).RecurringGiftPage,
      async ({ api, params }) => ({
        gift: await api.call('readRecurringGift', { params }),
        giftKey: params.giftkey,
      }),
    ),
    module: 'recurring-gift-page',
  },
  orgPage(
    'gift-homes-page',
    async () => (await import('./gift-homes-page.tsx')).GiftHomesPage,
    async ({ api, params: { orgid, receiptkey: receiptKey } }) => ({
      homes: await api.call('openGiftHomes', { params: { orgid }, query: { key: receiptKey } }),
      receiptKey,
    }),
  ),
];
