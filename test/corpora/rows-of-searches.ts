import type { CallName } from '#contract/calls.ts';
import { SEARCH_MAXIMUM } from '#domain/checkout-search.ts';
import { EMAIL_MAXIMUM } from '#domain/profile.ts';
import { MAX_SEARCH_LENGTH } from '#server/gateways/places/places.ts';
import { call } from '#test/support/call.ts';
import { type HostileRow, ORG } from './hostile-row.ts';

/** Limits of the story search, from its schema. */
const STORY_SEARCH_MAXIMUM = 100;

/** A search text is never stored and appears only in its own field. */
function searchRow(
  name: CallName & ('readAwardeesToEdit' | 'readInstallersToEdit' | 'readOffsettersToReview' | 'searchUsers'),
  maxLength: number,
): HostileRow {
  return {
    call: name,
    fields: ['query'],
    maxLength,
    separator: ' ',
    start: async (site) => ({
      send: async (query) =>
        (await call(site.app, name, { params: { orgid: 'sample' }, as: await site.editor(), query: { query } }))
          .statusCode,
      pages: [],
    }),
  };
}

export const ROWS_OF_SEARCHES: readonly HostileRow[] = [
  searchRow('readAwardeesToEdit', STORY_SEARCH_MAXIMUM),
  searchRow('readInstallersToEdit', STORY_SEARCH_MAXIMUM),
  searchRow('readOffsettersToReview', STORY_SEARCH_MAXIMUM),
  searchRow('searchUsers', EMAIL_MAXIMUM),
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
    maxLength: SEARCH_MAXIMUM,
    separator: ' ',
    start: async (site) => {
      const sentQueries: string[] = [];
      const send = async (query: string, place: number) => {
        sentQueries[place] = query;
        const params = { orgid: 'sample' };
        return (await call(site.app, 'searchCheckouts', { params, as: await site.editor(), body: { query } }))
          .statusCode;
      };
      const searchPath = (place: number) =>
        `${ORG}/editor/checkouts?${new URLSearchParams({ query: sentQueries[place] ?? '' })}`;
      return { send, pages: [{ addressAt: searchPath, method: 'open', capacity: 40, showsOneText: true }] };
    },
  },
];
