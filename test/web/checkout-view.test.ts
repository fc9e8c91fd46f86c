// @spec 2.checkouts-screen
import { expect, test } from 'vitest';
import { readAddress } from '#web/navigation/address.ts';
import {
  checkoutsAddress,
  checksAddress,
  isFiltered,
  NO_FILTERS,
  searchBodyOf,
  viewAt,
} from '#web/routes/editor/checkouts/checkout-view.ts';

const viewOf = (address: string) => viewAt(readAddress(address).search);

test('search filters survive a round trip through the address', () => {
  const filters = { query: 'Ada & Söhne', status: 'paid', from: '2026-01-01', to: '2026-12-31' } as const;
  const address = checkoutsAddress('o1', filters, { after: 'c9' });
  expect(address).toMatch(/^\/orgs\/o1\/editor\/checkouts\?/);
  expect(viewOf(address)).toMatchObject({ ...filters, tab: 'checkouts', cursor: 'c9', back: false });
  expect(viewOf(checkoutsAddress('o1', filters, { before: 'c1' }))).toMatchObject({ cursor: 'c1', back: true });
  expect(checkoutsAddress('o1', NO_FILTERS)).toBe('/orgs/o1/editor/checkouts');
});

test('invalid values in an address are ignored', () => {
  expect(viewOf('/x?status=rich&from=yesterday&to=2026-02-30&checks=lost')).toMatchObject({
    status: undefined,
    from: undefined,
    to: undefined,
    checks: 'pledged',
  });
  const backwards = viewOf('/x?from=2026-12-01&to=2026-01-01');
  expect([backwards.from, backwards.to]).toEqual(['2026-12-01', undefined]);
});

test('only the filters in use are sent', () => {
  expect(searchBodyOf(NO_FILTERS)).toEqual({ query: '' });
  expect(searchBodyOf({ ...NO_FILTERS, status: 'received' })).toEqual({ query: '', group: 'received' });
  expect(searchBodyOf({ ...NO_FILTERS, status: 'attempts' })).toEqual({ query: '', group: 'attempts' });
  expect(searchBodyOf({ ...NO_FILTERS, status: 'failed', to: '2026-01-01' })).toEqual({
    query: '',
    status: 'failed',
    to: '2026-01-01',
  });
});

test('pending checks are listed by default', () => {
  expect(viewOf(checksAddress('o1'))).toMatchObject({ tab: 'checks', checks: 'pledged' });
  expect(viewOf(checksAddress('o1', 'received'))).toMatchObject({ checks: 'received' });
  expect(viewOf(checksAddress('o1', 'all')).checks).toBeUndefined();
});

test('setting any filter makes it a search', () => {
  expect(isFiltered(NO_FILTERS)).toBe(false);
  expect(isFiltered({ ...NO_FILTERS, from: '2026-01-01' })).toBe(true);
});
