import type { CallName } from '#contract/calls.ts';
import { MAX_QUERY_LENGTH } from '#domain/checkout-search.ts';
import { MAX_EMAIL_LENGTH } from '#domain/profile.ts';
import { MAX_SEARCH_LENGTH } from '#server/gateways/places/places.ts';
import { call } from '#test/support/call.ts';
import { type HostileCase, ORG_PATH } from './hostile-row.ts';

/** Limits of the story search, from its schema. */
const MAX_STORY_SEARCH_LENGTH = 100;

/** A search text is never stored and appears only in its own field. */
function searchRow(
  name: CallName & ('readAwardeesToEdit' | 'readInstallersToEdit' | 'readOffsettersToReview' | 'searchUsers'),
  maxLength: number,
): HostileCase {
  return {
    call: name,
    fields: ['query'],
    maxLength,
    separator: ' ',
    start: async (site) => ({
      send: async (query) =>
        (await call(site.app, name, { params: { orgid: 'sample' }, as: await site.getEditor(), query: { query } }))
          .statusCode,
      pages: [],
    }),
  };
}

export const SEARCH_ROWS: readonly HostileCase[] = [
  searchRow('readAwardeesToEdit', MAX_STORY_SEARCH_LENGTH),
  searchRow('readInstallersToEdit', MAX_STORY_SEARCH_LENGTH),
  searchRow('readOffsettersToReview', MAX_STORY_SEARCH_LENGTH),
  searchRow('searchUsers', MAX_EMAIL_LENGTH),
  {
    call: 'searchCities',
    fields: ['search'],
    maxLength: MAX_SEARCH_LENGTH,
    separator: ' ',
    start: async (site) => ({
      send: async (search) => (await call(site.app, 'searchCities', { params: {}, query: { search } })).statusCode,
      pages: [],
    }),
  },
  {
    call: 'searchCheckouts',
    fields: ['query'],
    maxLength: MAX_QUERY_LENGTH,
    separator: ' ',
    start: async (site) => {
      const sentQueries: string[] = [];
      const send = async (query: string, position: number) => {
        sentQueries[position] = query;
        const params = { orgid: 'sample' };
        return (await call(site.app, 'searchCheckouts', { params, as: await site.getEditor(), body: { query } }))
          .statusCode;
      };
      const searchPath = (position: number) =>
        `${ORG_PATH}/editor/checkouts?${new URLSearchParams({ query: sentQueries[position] ?? '' })}`;
      return { send, pages: [{ sourceAt: searchPath, method: 'open', capacity: 40, showsOneText: true }] };
    },
  },
];
