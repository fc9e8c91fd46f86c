// @spec 2.checkouts-screen
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { wrapInSignedInPage } from '#test/support/render-element.ts';
import { type CheckoutFilters, NO_FILTERS } from '#web/routes/editor/checkout-view.ts';
import { CheckoutSearch } from '#web/routes/editor/checkouts/checkout-search.tsx';

afterEach(cleanup);

function openSearch(filters: CheckoutFilters) {
  const onSearch = vi.fn();
  render(wrapInSignedInPage(<CheckoutSearch searchKey="" filters={filters} onSearch={onSearch} />));
  return onSearch;
}

const getToggle = () => screen.getByRole('button', { name: /^More filters/ });
const describeToggle = () => [getToggle().textContent, getToggle().getAttribute('aria-expanded')];

test('more filters are collapsed until one is set, and their number is shown', () => {
  openSearch({ ...NO_FILTERS, query: 'Ada' });
  expect(describeToggle()).toEqual(['More filters', 'false']);
  fireEvent.click(getToggle());
  fireEvent.change(screen.getByRole('combobox', { name: 'Status' }), { target: { value: 'paid' } });
  expect(describeToggle()).toEqual(['More filters (1)', 'true']);
  cleanup();
  openSearch({ ...NO_FILTERS, status: 'paid', from: '2026-01-01' });
  expect(describeToggle()).toEqual(['More filters (2)', 'true']);
});

test('a search with its dates out of order isn’t sent; the wrong date is shown and focused', () => {
  const onSearch = openSearch({ ...NO_FILTERS, from: '2026-02-01' });
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-01-01' } });
  fireEvent.click(getToggle());
  fireEvent.submit(screen.getByRole('button', { name: 'Search' }));
  expect(describeToggle()).toEqual(['More filters (2)', 'true']);
  expect(document.activeElement).toBe(screen.getByLabelText('To'));
  expect(onSearch).not.toHaveBeenCalled();
});
