import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';

export type GiftData = { readonly gift: RecurringGift; readonly giftkey: string };

export const GIFT_PAGES: readonly PageRoute[] = [
  orgPage(
    'gift-page',
    async () => (await import('./gift-page.tsx')).GiftPage,
    async ({ api, params: { orgid, giftkey } }) => ({
      gift: await api.call('readGift', { params: { orgid, giftkey } }),
      giftkey,
    }),
  ),
];
