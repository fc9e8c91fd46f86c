import { useCallback, useRef, useState } from 'react';
import { sentenceOf } from '#domain/failures.ts';
import { ApiProblem, OfflineError } from '#web/api/api-error.ts';
import { type City, cityOf } from '#web/api/city.ts';
import type { ApiClient } from '#web/api/client.ts';

/** Characters that a search needs (§5). */
export const SEARCH_MINIMUM = 3;

/** Where a search stands. `text` is what was searched for. */
export type CitySearch =
  | { readonly kind: 'none' }
  | { readonly kind: 'searching' }
  | { readonly kind: 'found'; readonly text: string; readonly cities: readonly City[] }
  | { readonly kind: 'failed'; readonly problem: string };

/** Whether enough is typed to search for. */
export function isSearchable(text: string): boolean {
  return text.trim().length >= SEARCH_MINIMUM;
}

/** Searches for cities by name. A newer search takes the place of one that is still under way. */
export function useCitySearch(api: ApiClient): { search: CitySearch; find: (text: string) => Promise<void> } {
  const [search, setSearch] = useState<CitySearch>({ kind: 'none' });
  const underWay = useRef<AbortController>(undefined);
  const find = useCallback(
    async (typed: string) => {
      const text = typed.trim();
      underWay.current?.abort();
      const controller = new AbortController();
      underWay.current = controller;
      setSearch({ kind: 'searching' });
      const result = await searchResult(api, text, controller.signal);
      if (!controller.signal.aborted) setSearch(result);
    },
    [api],
  );
  return { search, find };
}

async function searchResult(api: ApiClient, text: string, signal: AbortSignal): Promise<CitySearch> {
  try {
    const places = await api.call('searchCities', { query: { search: text }, signal });
    return { kind: 'found', text, cities: places.map(cityOf) };
  } catch (error) {
    return { kind: 'failed', problem: sentence(error) };
  }
}

const OFFLINE = 'The search could not be reached. Please check your connection and try again.';

function sentence(error: unknown): string {
  if (error instanceof OfflineError) return OFFLINE;
  return error instanceof ApiProblem ? error.message : sentenceOf('server-error');
}
