import type { GiftHomes } from '#contract/schemas/receipts.ts';
import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';

export type GiftData = { readonly gift: RecurringGift; readonly giftkey: string };

export type GiftHomesData = { readonly homes: GiftHomes; readonly receiptkey: string };

export const GIFT_PAGES: readonly PageRoute[] = [
  orgPage(
    'gift-page',
    async () => (await import('./gift-page.tsx')).GiftPage,
    async ({ api, params: { orgid, giftkey } }) => ({
      gift: await api.call('readGift', { params: { orgid, giftkey } }),
      giftkey,
    }),
  ),
  orgPage(
    'gift-homes-page',
    async () => (await import('./gift-homes-page.tsx')).GiftHomesPage,
    async ({ api, params: { orgid, receiptkey } }) => ({
      homes: await api.call('openGiftHomes', { params: { orgid }, query: { key: receiptkey } }),
      receiptkey,
    }),
  ),
];
