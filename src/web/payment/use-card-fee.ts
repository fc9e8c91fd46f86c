import { useEffect } from 'react';
import type { CardFee } from '#domain/card-fee.ts';
import type { ApiClient } from '#web/api/client.ts';
import { useApi } from '#web/session/app-context.ts';
import { retryableImport, useLazyModule } from '#web/ui/lazy-part.tsx';

const feeLoader = (api: ApiClient) => retryableImport(() => api.call('readCardFee', {}));

/** One per API client, because the server has a client for each visitor. */
const feeLoaders = new WeakMap<ApiClient, ReturnType<typeof feeLoader>>();

/** The card fee that can be added to a gift; null if it is not offered, undefined until it is loaded. */
export function useCardFee(): CardFee | null | undefined {
  const api = useApi();
  const fee = feeLoaders.get(api) ?? feeLoader(api);
  feeLoaders.set(api, fee);
  const state = useLazyModule(fee);
  const { fetch } = fee;
  useEffect(() => fetch(), [fetch]);
  return state.kind === 'loaded' ? state.part.cardFee : undefined;
}
