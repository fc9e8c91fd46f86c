import type { GiftHomes } from '#contract/schemas/receipts.ts';
import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import type { Search } from '#web/navigation/address.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';
import type { SavedChange } from './change-dialog.tsx';

export type RecurringGiftData = {
  readonly gift: RecurringGift;
  readonly giftKey: string;
  /** The change that the donor entered before logging in. */
  readonly savedChange: SavedChange | undefined;
};

export type GiftHomesData = { readonly homes: GiftHomes; readonly receiptKey: string };

export const GIFT_PAGES: readonly PageRoute[] = [
  {
    ...orgPage(
      'recurring-gift-page',
      async () => (await import('./recurring-gift-page.tsx')).RecurringGiftPage,
      async ({ api, params, search }) => ({
        gift: await api.call('readRecurringGift', { params }),
        giftKey: params.giftkey,
        ...readSearch(search),
      }),
      readSearch,
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

function readSearch({ amount, every }: Search): Pick<RecurringGiftData, 'savedChange'> {
  return { savedChange: amount === undefined && every === undefined ? undefined : { amount, every } };
}
