// @spec 2.user-home
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Site } from '#contract/schemas/site.ts';
import type { Gift, Giving } from '#contract/schemas/users.ts';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { givingQuery, userQuery } from '#web/routes/me/route.ts';
import { UserHomePage } from '#web/routes/me/user-home-page.tsx';
import { SIGNED_OUT } from '#web/session/session.ts';

afterEach(cleanup);

const USER = {
  id: 'u1',
  email: 'ada@example.org',
  displayName: 'Ada',
  photoURL: null,
  admin: false,
  emailVerified: true,
  providerData: [],
};
const GIFT: Gift = {
  orgid: 'valley',
  orgName: 'Valley Fund',
  typicalGrant: null,
  checkoutid: 'c1',
  amount: 25,
  coveredFee: 0,
  carbon: 0,
  returned: 0,
  pendingReturn: 0,
  notes: [],
  cart: [],
  recurring: false,
  tribute: null,
  paymentStatus: 'paid',
  receiptNumber: 7,
  receiptURL: null,
  receiptkey: null,
  checkoutURL: null,
  givenOn: '2026-03-14',
  createdTimestamp: '2026-03-14T12:00:00.000Z',
};
const NOTHING: Giving = {
  gifts: [],
  homes: [],
  recurring: [],
  offsetters: [],
  claims: [],
  giftClaims: [],
  years: [],
};

function renderPage(giving: Partial<Giving>): void {
  const context = createPageContext();
  const { api, client } = context;
  client.setQueryData<object>(userQuery(api, 'u1').queryKey, USER);
  client.setQueryData<object>(givingQuery(api, USER)?.queryKey ?? [], { ...NOTHING, ...giving });
  const person = { ...SIGNED_OUT, initialized: true, authenticated: true, uid: 'u1', emailVerified: true };
  const session = { ...context.session, now: () => person };
  const page = <UserHomePage org={undefined} site={{} as Site} userId="u1" />;
  render(wrapInSignedInPage(page, { ...context, session }));
}

const getStories = () => screen.getByRole('region', { name: 'My stories' });

test.each<[string, Gift[], string]>([
  ['no gift', [], 'You haven’t told a story yet. You can after your first gift.'],
  [
    'an open form',
    [GIFT, { ...GIFT, checkoutid: 'c2', checkoutURL: '/orgs/valley/checkouts/c2' }],
    'press “Tell your story” next to a gift',
  ],
  ['gifts without a form', [GIFT], 'You can tell one after your next online gift.'],
])('a donor with %s reads how to tell a story', (_name, gifts, sentence) => {
  renderPage({ gifts });
  expect(getStories().textContent).toContain(sentence);
});

test('a donor whose gifts have no story form finds the donate page of the latest gift’s fund', () => {
  renderPage({ gifts: [GIFT, { ...GIFT, checkoutid: 'c2', orgid: 'hills' }] });
  const link = within(getStories()).getByRole('link', { name: 'your next online gift' });
  expect(link.getAttribute('href')).toBe('/orgs/valley/donate');
});

const buildGifts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...GIFT, checkoutid: `c${index}`, amount: 100 - index }));
const listAmounts = () =>
  within(screen.getByRole('region', { name: 'My gifts' }))
    .getAllByText(/^\$\d+\.00$/)
    .map(({ textContent }) => textContent);

test('the latest five gifts are shown, and a button shows all', () => {
  renderPage({ gifts: buildGifts(17) });
  expect(listAmounts()).toEqual(['$100.00', '$99.00', '$98.00', '$97.00', '$96.00']);
  fireEvent.click(screen.getByRole('button', { name: 'Show all 17 gifts' }));
  expect(listAmounts()).toHaveLength(17);
  expect(screen.queryByRole('button', { name: /Show all/ })).toBeNull();
});

test('five gifts have no button', () => {
  renderPage({ gifts: buildGifts(5) });
  expect(listAmounts()).toHaveLength(5);
  expect(screen.queryByRole('button', { name: /Show all/ })).toBeNull();
});
