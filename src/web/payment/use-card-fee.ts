import type { ResponseBody } from '#contract/schemas.ts';
import type { CardFee } from '#domain/card-fee.ts';
import type { ApiClient } from '#web/api/client.ts';
import { memoizeByKey } from '#web/browser/memoize-by-key.ts';
import { useApi } from '#web/session/app-context.ts';
import { type RetryableImport, retryableImport, useLazyModule } from '#web/ui/lazy-part.tsx';

type CardFeeLoader = RetryableImport<ResponseBody<'readCardFee'>>;

/** One loader per API client, because the server has a client for each visitor. */
const cardFeeLoader = memoizeByKey(
  (api: ApiClient): CardFeeLoader => retryableImport(() => api.call('readCardFee', {})),
  new WeakMap<ApiClient, CardFeeLoader>(),
);

/** The card fee that can be added to a gift; null if it is not offered, undefined until it is loaded. */
export function useCardFee(): CardFee | null | undefined {
  const state = useLazyModule(cardFeeLoader(useApi()));
  return state.kind === 'loaded' ? state.value.cardFee : undefined;
}
