// @spec decisions.3
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Org } from '#contract/schemas/orgs.ts';
import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import type { Site } from '#contract/schemas/site.ts';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { RecurringGiftPage } from '#web/routes/gift/recurring-gift-page.tsx';

afterEach(cleanup);

const STATS = { co2: 0, gas: 0, funds: 0, grants: 0 };
const ORG = { id: 'valley', name: 'Valley Fund', stats: STATS, statsDelta: STATS } as Org;
const GIFT: RecurringGift = {
  status: 'active',
  amount: 40,
  coveredFee: 0,
  unit: 'month',
  count: 1,
  nextChargeOn: '2026-04-14',
  endedUnpaid: false,
};

function renderPage(gift: RecurringGift, response?: Promise<RecurringGift>) {
  const context = createPageContext();
  const call = vi.fn().mockReturnValue(response);
  const page = <RecurringGiftPage org={ORG} site={{} as Site} gift={gift} giftKey="key" savedChange={undefined} />;
  render(wrapInSignedInPage(page, { ...context, api: { ...context.api, call } }));
  return call;
}

const pressStop = () => fireEvent.click(screen.getByRole('button', { name: 'Stop this gift' }));
const getDialog = () => screen.getByRole('dialog', { name: 'Stop this gift?' });
const pressInDialog = (label: string) =>
  fireEvent.click(
    [...getDialog().querySelectorAll('button')].find(({ textContent }) => textContent === label) as Element,
  );

test('a gift is stopped only after a confirmation, and then the page’s sentence has the focus', async () => {
  const call = renderPage(GIFT, Promise.resolve({ ...GIFT, status: 'canceled', nextChargeOn: null }));
  pressStop();
  expect(getDialog().textContent).toContain('Your gift of $40.00 every month to Valley Fund ends now.');
  pressInDialog('No, keep it');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(call).not.toHaveBeenCalled();
  pressStop();
  pressInDialog('Yes, stop it');
  const sentence = await screen.findByText('This gift has ended. You won’t be charged again.');
  expect(call).toHaveBeenCalledExactlyOnceWith('stopRecurringGift', { params: { orgid: 'valley', giftkey: 'key' } });
  await waitFor(() => expect(document.activeElement).toBe(sentence));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a failed stop keeps the dialog open with the reason', async () => {
  renderPage(GIFT, Promise.reject(new TypeError('Failed to fetch')));
  pressStop();
  pressInDialog('Yes, stop it');
  await waitFor(() => expect(getDialog().querySelector('[role=alert]')?.textContent).not.toBe(''));
});

test('a gift without reported terms is named by its fund alone', () => {
  renderPage({ ...GIFT, status: 'unknown', amount: null, unit: null, count: null, nextChargeOn: null });
  pressStop();
  expect(getDialog().textContent).toContain('Your gift to Valley Fund ends now.');
});

test('an ended gift offers to give its amount again, without promising the same interval', () => {
  renderPage({ ...GIFT, status: 'canceled', amount: 41.5, coveredFee: 1.5, nextChargeOn: null });
  expect(screen.getByRole('link', { name: 'Give again' }).getAttribute('href')).toBe('/orgs/valley/donate?amount=40');
});
