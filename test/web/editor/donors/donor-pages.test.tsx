// @spec 2.editor
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Donor, DonorRecord } from '#contract/schemas/donors.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { createLoadedList, createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';

import { MergeDialog } from '#web/routes/editor/donors/donor-dialogs.tsx';
import { DonorFiles } from '#web/routes/editor/donors/donor-files.tsx';
import { DonorPage } from '#web/routes/editor/donors/donor-page.tsx';
import { DonorsPage } from '#web/routes/editor/donors/donors-page.tsx';
import { type DonorsView, donorGiftsQuery, donorQuery, donorsQuery } from '#web/routes/editor/donors/route.ts';
import { bookMonthsQuery } from '#web/routes/editor/queries.ts';

afterEach(cleanup);

const PAGE = { org: { id: 'valley', name: 'Valley', timeZone: 'UTC' } as Org, site: {} as Site };
const VIEW: DonorsView = { query: '', sort: 'last-gift' };
const DONOR: Donor = {
  id: 'd1',
  name: 'Ada',
  email: null,
  hasAccount: false,
  gifts: 2,
  firstGiftOn: '2025-01-01',
  lastGiftOn: '2025-02-01',
  thisYear: 0,
  lifetime: 50,
  recurring: [],
};
const RECORD: DonorRecord = {
  ...DONOR,
  giftEmail: null,
  postalAddress: null,
  years: [],
  mergedDonors: [],
  notes: [],
  corrections: [],
};

test.each<[string, ReactElement]>([
  ['the list of donors', <DonorsPage key="donors" {...PAGE} view={VIEW} />],
  ['a donor’s page', <DonorPage key="donor" {...PAGE} donorId={DONOR.id} />],
])('%s shows a dash if the homes couldn’t be counted', async (_name, page) => {
  const context = createPageContext();
  const api = { ...context.api, call: vi.fn().mockRejectedValue(new TypeError('Failed to fetch')) };
  const { client } = context;
  client.setQueryData(donorsQuery(api, 'valley', VIEW).queryKey, createLoadedList([DONOR]));
  client.setQueryData(donorQuery(api, 'valley', DONOR.id).queryKey, RECORD);
  client.setQueryData(donorGiftsQuery(api, 'valley', DONOR.id).queryKey, createLoadedList([]));
  render(wrapInSignedInPage(page, { ...context, api }));
  expect(await screen.findByText('–')).toBeTruthy();
  expect(screen.queryByText('…')).toBeNull();
});

test('a donor without an email shows the one of the merged donor', () => {
  const context = createPageContext();
  const { client, api } = context;
  const mergedDonor = { id: 'd2', name: 'Ada A.', email: 'ada@example.org', postalAddress: '1 Elm Street' };
  client.setQueryData(donorQuery(api, 'valley', DONOR.id).queryKey, { ...RECORD, mergedDonors: [mergedDonor] });
  client.setQueryData(donorGiftsQuery(api, 'valley', DONOR.id).queryKey, createLoadedList([]));
  render(wrapInSignedInPage(<DonorPage {...PAGE} donorId={DONOR.id} />, context));
  const contact = screen.getByRole('region', { name: 'Contact' });
  expect(contact.textContent).toContain('ada@example.org');
  expect(contact.textContent).toContain('1 Elm Street');
});

test('lifetime giving names the part that may still go back to the donor', () => {
  const context = createPageContext();
  const { client, api } = context;
  const year = { year: '2025', gifts: 1, amount: 50, returned: 50, pendingReturn: 50 };
  client.setQueryData(donorQuery(api, 'valley', DONOR.id).queryKey, { ...RECORD, years: [year] });
  client.setQueryData(donorGiftsQuery(api, 'valley', DONOR.id).queryKey, createLoadedList([]));
  render(wrapInSignedInPage(<DonorPage {...PAGE} donorId={DONOR.id} />, context));
  const lifetime = screen.getByText('Lifetime giving').nextElementSibling;
  expect(lifetime?.textContent).toBe('$50.00$50.00 in dispute or being refunded');
});

test.each<[string, () => void]>([
  ['the button', () => fireEvent.click(screen.getByRole('button', { name: 'Search' }))],
  ['Enter', () => fireEvent.keyDown(screen.getByLabelText('Other donor’s name or email'), { key: 'Enter' })],
])('a failed search for the other donor is repeated with %s', async (_name, search) => {
  const context = createPageContext();
  const call = vi.fn().mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue([]);
  const api = { ...context.api, call };
  const dialog = <MergeDialog orgId="valley" donor={RECORD} onClose={() => {}} />;
  render(wrapInSignedInPage(dialog, { ...context, api }));
  fireEvent.change(screen.getByLabelText('Other donor’s name or email'), { target: { value: 'Ben' } });
  search();
  await vi.waitFor(() =>
    expect(
      screen
        .getAllByRole('alert')
        .map(({ textContent }) => textContent)
        .join(''),
    ).not.toBe(''),
  );
  search();
  expect(await screen.findByText('No other donor found.')).toBeTruthy();
  expect(
    screen
      .getAllByRole('alert')
      .map(({ textContent }) => textContent)
      .join(''),
  ).toBe('');
});

test.each([
  ['2024-12', '2025', ['2026', '2025', '2024']],
  ['2026-02', '2026', ['2026']],
])('yearly statements are offered from the first gift in %s on', async (firstMonth, selectedYear, years) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-10T12:00:00Z') });
  const context = createPageContext();
  context.client.setQueryData<object>(bookMonthsQuery(context.api, 'valley').queryKey, { firstMonth });
  render(wrapInSignedInPage(<DonorFiles orgId="valley" />, context));
  fireEvent.click(screen.getByRole('button', { name: 'Yearly statements' }));
  const select = screen.getByLabelText<HTMLSelectElement>('Year');
  expect([...select.options].map(({ value }) => value)).toEqual(years);
  expect(select.value).toBe(selectedYear);
  vi.useRealTimers();
});
