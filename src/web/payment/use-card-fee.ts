import { useEffect } from 'react';
import type { CardFee } from '#domain/card-fee.ts';
import type { ApiClient } from '#web/api/client.ts';
import { useApi } from '#web/session/app-context.ts';
import { lazyModule, useLazyModule } from '#web/ui/lazy-part.tsx';

const askFee = (api: ApiClient) => lazyModule(() => api.call('readCardFee', {}));

/** By API client, because the server has one for each visitor. */
const asked = new WeakMap<ApiClient, ReturnType<typeof askFee>>();

/** The card fee that can be added to a gift; null where that is not offered, and undefined until it is known. */
export function useCardFee(): CardFee | null | undefined {
  const api = useApi();
  const fee = asked.get(api) ?? askFee(api);
  asked.set(api, fee);
  const state = useLazyModule(fee);
  const { fetch } = fee;
  useEffect(() => fetch(), [fetch]);
  return state.kind === 'here' ? state.part.cardFee : undefined;
}
