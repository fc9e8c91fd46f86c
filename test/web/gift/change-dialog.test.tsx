// @spec decisions.3
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Org } from '#contract/schemas/orgs.ts';
import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import type { Site } from '#contract/schemas/site.ts';
import { createPageContext, wrapInPublicPage } from '#test/support/render-element.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import { parseAddress } from '#web/navigation/address.ts';
import { createNavigator } from '#web/navigation/navigator.ts';
import { createMemoryHistory } from '#web/navigation/site-history.ts';
import type { SavedChange } from '#web/routes/gift/change-dialog.tsx';
import { RecurringGiftPage } from '#web/routes/gift/recurring-gift-page.tsx';

afterEach(cleanup);

const GIFT = {
  status: 'active',
  amount: 25,
  coveredFee: 0,
  unit: 'month',
  count: 1,
  nextChargeOn: '2026-12-05',
} as RecurringGift;
const ADDRESS = '/orgs/valley/gifts/key';
const SENTENCE = /To give more or more often, please log in first/;

function openGiftPage(savedChange?: SavedChange) {
  const context = createPageContext();
  const navigator = createNavigator<object>({
    history: createMemoryHistory(ADDRESS),
    load: async () => ({}),
    initialScreen: {},
  });
  const problem = {
    code: 'gift-raise-needs-login',
    status: 403,
    detail: 'To give more or more often, please log in first.',
    requestId: '',
  } as const;
  const call = vi.fn().mockRejectedValue(new ApiProblem(problem));
  const stats = { co2: 0, gas: 0, funds: 0, grants: 0 };
  const page = (
    <RecurringGiftPage
      org={{ id: 'valley', name: 'Valley', stats, statsDelta: stats } as Org}
      site={{} as Site}
      gift={GIFT}
      giftKey="key"
      savedChange={savedChange}
    />
  );
  render(wrapInPublicPage(page, { ...context, navigator, api: { ...context.api, call } }));
  return navigator;
}

const findAmount = () => screen.getByRole<HTMLInputElement>('textbox', { name: /Amount/ });

test('a visitor who raises a gift is sent to the login without a warning, and finds the new amount afterward', async () => {
  const navigator = openGiftPage();
  fireEvent.click(screen.getByRole('button', { name: 'Change your gift' }));
  expect(screen.getByText('How often', { selector: 'label' })).toBeTruthy();
  fireEvent.change(findAmount(), { target: { value: '40' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(screen.getByText(SENTENCE).getAttribute('role')).toBe('alert'));
  fireEvent.click(screen.getByRole('link', { name: 'Log in' }));
  await vi.waitFor(() => expect(navigator.state().entry.address).toContain('/login'));
  expect(screen.queryByText('Leave without saving?')).toBeNull();
  const { return_to: returnTo = '' } = parseAddress(navigator.state().entry.address).search;
  expect(parseAddress(returnTo)).toEqual({ path: ADDRESS, search: { amount: '40', every: 'month 1' }, hash: '' });

  cleanup();
  openGiftPage({ amount: '40', every: 'month 1' });
  expect(findAmount().value).toBe('40');
});

test('the restored change disappears from the address when its dialog closes', async () => {
  const navigator = openGiftPage({ amount: '40', every: undefined });
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  await vi.waitFor(() => expect(navigator.state().entry.address).not.toContain('amount'));
});
