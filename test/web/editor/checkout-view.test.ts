// @spec 2.checkouts-screen
import { expect, test } from 'vitest';
import { parseAddress } from '#web/navigation/address.ts';
import {
  checkoutsUrl,
  isFiltered,
  NO_FILTERS,
  parseView,
  toSearchBody,
  viewUrl,
} from '#web/routes/editor/checkout-view.ts';
import { getExportDays } from '#web/routes/editor/checkouts/export-dialog.tsx';

test.each([
  ['this-month', '2026-03-01', '2026-03-31'],
  ['last-month', '2026-02-01', '2026-02-28'],
  ['this-year', '2026-01-01', '2026-12-31'],
  ['last-year', '2025-01-01', '2025-12-31'],
] as const)('the export for %s has the right first and last days', (span, from, to) => {
  expect(getExportDays(span, '2026-03-14')).toEqual({ from, to });
});

const readView = (address: string) => parseView(parseAddress(address).search);

test('search filters survive a round trip through the address', () => {
  const dates = { from: '2026-01-01', to: '2026-12-31' };
  const filters = {
    query: 'Ada & Söhne',
    kind: 'check',
    status: 'paid',
    ...dates,
    sort: 'amount',
    order: 'asc',
  } as const;
  const address = checkoutsUrl('o1', filters, { after: 'c9' });
  expect(address).toMatch(/^\/orgs\/o1\/editor\/checkouts\?/);
  expect(readView(address)).toMatchObject({ ...filters, tab: 'checkouts', cursor: 'c9', isBackward: false });
  expect(readView(checkoutsUrl('o1', filters, { before: 'c1' }))).toMatchObject({ cursor: 'c1', isBackward: true });
  expect(checkoutsUrl('o1', NO_FILTERS)).toBe('/orgs/o1/editor/checkouts');
});

test('invalid values in an address are ignored', () => {
  expect(readView('/x?status=rich&kind=barter&from=yesterday&to=2026-02-30&sort=luck&order=up')).toMatchObject({
    status: undefined,
    kind: undefined,
    from: undefined,
    to: undefined,
    sort: 'date',
    order: 'desc',
  });
  const reversedView = readView('/x?from=2026-12-01&to=2026-01-01');
  expect([reversedView.from, reversedView.to]).toEqual(['2026-12-01', undefined]);
});

test('only the filters in use are sent', () => {
  const emptySearch = { query: '', kind: 'all' };
  expect(toSearchBody(NO_FILTERS)).toEqual(emptySearch);
  expect(toSearchBody({ ...NO_FILTERS, status: 'received' })).toEqual({ ...emptySearch, group: 'received' });
  expect(toSearchBody({ ...NO_FILTERS, status: 'attempts' })).toEqual({ ...emptySearch, group: 'attempts' });
  expect(toSearchBody({ ...NO_FILTERS, kind: 'card', status: 'failed', to: '2026-01-01' })).toEqual({
    query: '',
    kind: 'online',
    status: 'failed',
    to: '2026-01-01',
  });
});

test('the address of an open gift preserves the list’s filters', () => {
  const view = readView('/x?query=Ada&sort=amount&before=c9');
  const gift = { kind: 'check', id: 'p1' } as const;
  expect(readView(viewUrl('o1', view, gift))).toEqual({ ...view, openGift: gift });
  expect(readView(viewUrl('o1', readView('/x?gift=c1')))).toMatchObject({ openGift: undefined });
  const renewal = { kind: 'card', id: 'c1', paymentEntryId: 'e2' } as const;
  expect(readView(viewUrl('o1', view, renewal))).toEqual({ ...view, openGift: renewal });
  expect(checkoutsUrl('o1', {}, { openGift: { kind: 'card', id: 'c1' } })).toBe('/orgs/o1/editor/checkouts?gift=c1');
});

test('setting any filter counts as a search', () => {
  expect(isFiltered(NO_FILTERS)).toBe(false);
  expect(isFiltered({ ...NO_FILTERS, from: '2026-01-01' })).toBe(true);
});
