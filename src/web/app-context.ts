import { useRouter } from '@tanstack/react-router';
import type { ApiClient } from './api/client.ts';

/** What every route's loader is given. */
export type AppContext = { readonly api: ApiClient };

/** The calls, for what a page asks after its data is there: a form, a search, a "Load more". */
export function useApi(): ApiClient {
  const { api }: AppContext = useRouter().options.context;
  return api;
}
