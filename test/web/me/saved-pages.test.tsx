import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Org } from '#contract/schemas/orgs.ts';
import type { UserRecurringGift } from '#contract/schemas/recurring-gifts.ts';
import type { OpenSession } from '#contract/schemas/session.ts';
import type { Site } from '#contract/schemas/site.ts';
import type { UserOffsetter } from '#contract/schemas/users.ts';
import { createPageContext, wrapInPublicPage, wrapInSignedInPage } from '#test/support/render-element.ts';
import { createApiClient } from '#web/api/client.ts';
import { RecurringGiftPage } from '#web/routes/gift/recurring-gift-page.tsx';
import { OpenSessions } from '#web/routes/me/open-sessions.tsx';
import { RecurringGifts } from '#web/routes/me/recurring-gifts.tsx';
import { StoryClaims } from '#web/routes/me/story-claims.tsx';

afterEach(cleanup);

const GIFT: UserRecurringGift = {
  status: 'active',
  amount: 25,
  coveredFee: 0,
  unit: 'month',
  count: 1,
  nextChargeOn: null,
  endedUnpaid: false,
  orgid: 'valley',
  orgName: 'Valley',
  giftkey: 'g1',
};
const SESSION: OpenSession = {
  id: 's1',
  name: 'Phone',
  ipAddress: null,
  createdTimestamp: '2026-01-01T00:00:00.000Z',
  lastUsedTimestamp: '2026-01-01T00:00:00.000Z',
  isCurrent: false,
};
const CLAIM = { id: 'o1', orgid: 'valley', orgName: 'Valley', name: 'Ada', story: 'A story' } as UserOffsetter;
const STATS = { co2: 0, gas: 0, funds: 0, grants: 0 };
const ORG = { id: 'valley', name: 'Valley', stats: STATS, statsDelta: STATS } as Org;

/**
 * Renders part of a page with a server that accepts every change.
 * @returns a spy on reported changes, after which the app forgets the saved pages
 */
function renderPart(element: ReactElement, wrap: typeof wrapInPublicPage = wrapInSignedInPage) {
  const context = createPageContext();
  const reportChange = vi.fn();
  const api = createApiClient({ fetch: async () => Response.json(GIFT) });
  api.onChange(reportChange);
  render(wrap(element, { ...context, api }));
  return reportChange;
}

const clickButton = (name: RegExp) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const clickInDialog = (name: RegExp) =>
  act(async () => fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name })));

test.each([/^Pause/, /^Stop/])('the page of a recurring gift forgets saved pages after %s', async (name) => {
  const reportChange = renderPart(
    <RecurringGiftPage org={ORG} site={{} as Site} gift={GIFT} savedChange={undefined} giftKey="g1" />,
    wrapInPublicPage,
  );
  await clickButton(name);
  if (screen.queryByRole('dialog')) await clickInDialog(/^Yes, stop/);
  await waitFor(() => expect(reportChange).toHaveBeenCalled());
});

test('saved pages are forgotten after a recurring gift is stopped in My giving', async () => {
  const reportChange = renderPart(<RecurringGifts gifts={[GIFT]} />);
  await clickButton(/^Stop/);
  await clickInDialog(/^Yes, stop/);
  await waitFor(() => expect(reportChange).toHaveBeenCalledOnce());
});

test('saved pages are forgotten after a session ends', async () => {
  const reportChange = renderPart(<OpenSessions sessions={[SESSION]} />);
  await clickButton(/^Log out/);
  await clickInDialog(/^Log out/);
  await waitFor(() => expect(reportChange).toHaveBeenCalledOnce());
});

test('saved pages are forgotten after a story is claimed', async () => {
  const reportChange = renderPart(<StoryClaims claims={[CLAIM]} />);
  await clickButton(/^It’s mine/);
  await waitFor(() => expect(reportChange).toHaveBeenCalledOnce());
});

test('the page of a recurring gift shows reloaded data', () => {
  const page = (gift: UserRecurringGift) =>
    wrapInPublicPage(
      <RecurringGiftPage org={ORG} site={{} as Site} gift={gift} savedChange={undefined} giftKey="g1" />,
      context,
    );
  const context = createPageContext();
  const { rerender } = render(page(GIFT));
  expect(screen.getByRole('button', { name: /^Pause/ })).toBeTruthy();
  rerender(page({ ...GIFT, status: 'paused' }));
  expect(screen.getByRole('button', { name: /^Resume/ })).toBeTruthy();
});
