// @spec 4.delete-checkout
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type {
  CheckoutRecord,
  CheckRecord,
  ListedCheckout,
  ListedGift,
  ListedRenewal,
  PaymentRecord,
} from '#contract/schemas/checkout-records.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Pledge } from '#contract/schemas/pledges.ts';
import type { Site } from '#contract/schemas/site.ts';
import { donationItem } from '#domain/cart.ts';
import type { Role } from '#domain/permissions.ts';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { createApiClient } from '#web/api/client.ts';
import { parseAddress } from '#web/navigation/address.ts';
import { type CheckoutView, parseView } from '#web/routes/editor/checkout-view.ts';
import { attentionQuery, checkoutsQuery, sumsQuery } from '#web/routes/editor/checkouts/checkout-queries.ts';
import { CheckoutSums } from '#web/routes/editor/checkouts/checkout-sums.tsx';
import { CheckoutsPage } from '#web/routes/editor/checkouts/checkouts-page.tsx';
import { PaymentList } from '#web/routes/editor/checkouts/payment-list.tsx';
import { SIGNED_OUT } from '#web/session/session.ts';

afterEach(() => {
  cleanup();
  // A typed note is kept as a draft.
  localStorage.clear();
});

const ORG = { id: 'valley', name: 'Valley', timeZone: 'UTC' } as Org;
const VIEW = parseView({});
const NEXT_VIEW = parseView({ after: 'c2' });
const SUMS = { checkouts: 2, gross: 0, refunded: 0, disputed: 0, fees: 0, net: 0 };

const checkout = (id: string, displayName: string): ListedCheckout => ({
  id,
  displayName,
  cart: [],
  total: 25,
  coveredFee: 0,
  paymentStatus: 'unpaid',
  refunded: 0,
  completed: false,
  email: null,
  offsetterId: null,
  userId: null,
  createdTimestamp: '2026-01-01T00:00:00.000Z',
});

const checkoutRecord = (row: ListedCheckout): CheckoutRecord => ({
  ...row,
  carbon: 0,
  paidTimestamp: null,
  provider: { sessionId: null, paymentId: null, customerId: null, subscriptionId: null },
  tribute: null,
  story: null,
  donorid: null,
  payments: [],
  recurringGift: null,
  notes: [],
  history: [],
});

const check = (status: Pledge['status']): Pledge => ({
  id: 'p1',
  name: 'Paula',
  email: null,
  amount: 40,
  status,
  receivedAmount: status === 'received' ? 40 : null,
  receivedOn: status === 'received' ? '2026-01-02' : null,
  checkNumber: null,
  note: null,
  receiptNumber: null,
  entryid: status === 'received' ? 'e1' : null,
  donorid: null,
  reversal: null,
  createdTimestamp: '2026-01-01T00:00:00.000Z',
});

const checkRecord = (row: Pledge): CheckRecord => ({ ...row, notes: [], history: [] });

const isCheckout = (gift: ListedGift): gift is ListedCheckout => 'completed' in gift;
const isPledge = (gift: ListedGift): gift is Pledge => 'checkNumber' in gift;

/** Opens the checkouts page with a server that delays its responses to deletions until the test sends them. */
function openPage(
  gifts: ListedGift[] = [checkout('c1', 'Ada'), checkout('c2', 'Ben')],
  role: Role = 'editor',
  { loadsRecords = true } = {},
) {
  const deletions: PromiseWithResolvers<Response>[] = [];
  let checkouts: ListedGift[] = gifts;
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    if (init?.method === 'DELETE') {
      const deletion = Promise.withResolvers<Response>();
      deletions.push(deletion);
      return deletion.promise;
    }
    const address = input instanceof Request ? input.url : input.toString();
    if (address.includes('checkouts-search')) return Response.json(checkouts);
    const pledge = checkouts.filter(isPledge).find(({ id }) => address.endsWith(`/pledges/${id}`));
    if (pledge && loadsRecords) return Response.json(checkRecord(pledge));
    const row = checkouts.filter(isCheckout).find(({ id }) => address.endsWith(`/checkouts/${id}/record`));
    if (row && loadsRecords) return Response.json(checkoutRecord(row));
    if (address.includes('checkouts-sums')) return Response.json(SUMS);
    return new Promise<Response>(() => {});
  };
  const context = createPageContext();
  let openAddress = (_to: string) => {};
  let keepsRecord = false;
  const go = async (to: string) => openAddress(to);
  const goBackTo = (to: string) => (keepsRecord ? new Promise<void>(() => {}) : go(to));
  const navigator = { ...context.navigator, go, goBackTo };
  const editor = {
    ...SIGNED_OUT,
    initialized: true,
    authenticated: true,
    uid: 'u1',
    emailVerified: true,
    roles: { valley: role },
  };
  const api = createApiClient({ fetch });
  const session = { ...context.session, now: () => editor };
  const { client } = context;
  client.setQueryData(attentionQuery(api, ORG.id).queryKey, []);
  client.setQueryData(sumsQuery(api, ORG.id, VIEW).queryKey, SUMS);
  const list = { checkouts, position: 0, hasPrevious: false, hasNext: false };
  client.setQueryData(checkoutsQuery(api, ORG.id, VIEW).queryKey, list);
  const page = (view: CheckoutView) =>
    wrapInSignedInPage(<CheckoutsPage org={ORG} site={{} as Site} view={view} />, {
      ...context,
      api,
      session,
      navigator,
    });
  client.setQueryData(checkoutsQuery(api, ORG.id, NEXT_VIEW).queryKey, {
    checkouts,
    position: 2,
    hasPrevious: true,
    hasNext: false,
  });
  const { rerender } = render(page(VIEW));
  openAddress = (to) => rerender(page(parseView(parseAddress(to).search)));
  return {
    openNextPage: () => rerender(page(NEXT_VIEW)),
    /** @param index which deletion to respond to, in the order sent */
    respond: async (response: Response, index = 0) => {
      // The client imports its signed-in calls before making the first one.
      await vi.waitFor(() => expect(deletions[index]).toBeDefined(), { timeout: 20_000 });
      await act(async () => deletions[index]?.resolve(response));
    },
    /** Keeps the record open, as the leave guard does if the person stays. */
    keepRecord: () => {
      keepsRecord = true;
    },
    setCheckouts: (newCheckouts: ListedGift[]) => {
      checkouts = newCheckouts;
    },
  };
}

async function deleteCheckout(donor = /Info.*Ada/): Promise<void> {
  fireEvent.click(screen.getByRole('link', { name: donor }));
  fireEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  const confirmation = screen.getByRole('dialog', { name: 'Delete checkout' });
  await act(async () => fireEvent.click(within(confirmation).getByRole('button', { name: 'Delete' })));
}

const listDonors = () => screen.getAllByRole('link', { name: /^Info/ }).map((rowButton) => rowButton.textContent);

test('a deleted checkout disappears before the server responds, and the list is then reloaded', async () => {
  const { respond, setCheckouts } = openPage();
  expect(listDonors()).toEqual([expect.stringContaining('Ada'), expect.stringContaining('Ben')]);
  await deleteCheckout();
  await waitFor(() => expect(listDonors()).toEqual([expect.stringContaining('Ben')]));
  setCheckouts([checkout('c2', 'Ben'), checkout('c3', 'Cleo')]);
  await respond(new Response(null, { status: 204 }));
  expect(await screen.findByRole('link', { name: /Info.*Cleo/ })).toBeTruthy();
  expect(listDonors()).toEqual([expect.stringContaining('Ben'), expect.stringContaining('Cleo')]);
});

test('a checkout that the server doesn’t delete reappears with the reason', async () => {
  const { respond } = openPage();
  await deleteCheckout();
  await waitFor(() => expect(listDonors()).toEqual([expect.stringContaining('Ben')]));
  await respond(new Response('', { status: 503 }));
  expect(await screen.findByText(/Ada’s checkout was not deleted\./)).toBeTruthy();
  expect(listDonors()).toEqual([expect.stringContaining('Ada'), expect.stringContaining('Ben')]);
});

test('a checkout isn’t deleted if its record stays open because of an unsaved note', async () => {
  const { keepRecord } = openPage();
  keepRecord();
  await deleteCheckout();
  expect(screen.queryByRole('dialog', { name: 'Delete checkout' })).toBeNull();
  expect(screen.getByRole('dialog', { name: 'Ada' })).toBeTruthy();
  expect(listDonors()).toEqual([expect.stringContaining('Ada'), expect.stringContaining('Ben')]);
});

test('a failed deletion keeps its message, and the row of a later deletion stays hidden', async () => {
  const { respond, setCheckouts } = openPage();
  await deleteCheckout();
  await deleteCheckout(/Info.*Ben/);
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Info/ })).toBeNull());
  await respond(new Response('', { status: 503 }));
  expect(await screen.findByText(/Ada’s checkout was not deleted\./)).toBeTruthy();
  await waitFor(() => expect(listDonors()).toEqual([expect.stringContaining('Ada')]));
  setCheckouts([checkout('c1', 'Ada')]);
  await respond(new Response(null, { status: 204 }), 1);
  expect(await screen.findByText(/Ada’s checkout was not deleted\./)).toBeTruthy();
  expect(listDonors()).toEqual([expect.stringContaining('Ada')]);
});

test('a failed deletion is reported on the next page of checkouts', async () => {
  const { respond, openNextPage } = openPage();
  await deleteCheckout();
  openNextPage();
  await respond(new Response('', { status: 503 }));
  expect(await screen.findByText(/Ada’s checkout was not deleted\./)).toBeTruthy();
});

test('closing the confirmation of a deletion returns to the same open checkout', async () => {
  openPage();
  fireEvent.click(screen.getByRole('link', { name: /Info.*Ada/ }));
  const record = screen.getByRole('dialog', { name: 'Ada' });
  fireEvent.click(await within(record).findByRole('button', { name: 'Delete' }));
  const confirmation = screen.getByRole('dialog', { name: 'Delete checkout' });
  fireEvent.click(within(confirmation).getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog', { name: 'Delete checkout' })).toBeNull();
  expect(screen.getByRole('dialog', { name: 'Ada' })).toBe(record);
});

test('the link that hides unpaid attempts has the same words and effect as the status filter', () => {
  openPage();
  const link = screen.getByRole('link', { name: 'Show only paid or pending gifts' });
  const { value } = screen.getByRole<HTMLOptionElement>('option', { name: 'Paid or pending' });
  expect(link.getAttribute('href')).toBe(`/orgs/valley/editor/checkouts?status=${value}`);
});

test('the table shows its position in the list and its sort column', () => {
  openPage();
  expect(screen.getByText('1–2 of 2')).toBeTruthy();
  expect(screen.getByRole('columnheader', { name: 'Date' }).getAttribute('aria-sort')).toBe('descending');
  expect(screen.getByRole('link', { name: 'Date' }).getAttribute('href')).toBe(
    '/orgs/valley/editor/checkouts?order=asc',
  );
  expect(screen.getByRole('link', { name: 'Donation' }).getAttribute('href')).toBe(
    '/orgs/valley/editor/checkouts?sort=amount',
  );
});

test.each([
  ['pledged', ['Cancel pledge', 'Mark received']],
  ['suspicious', ['Cancel pledge', 'Keep pledge']],
  ['received', ['Reverse']],
  ['withdrawn', ['Restore pledge']],
  ['bounced', []],
] as const)('a treasurer can act on a check that is %s, and a viewer can’t', async (status, labels) => {
  const listButtons = async () => {
    fireEvent.click(screen.getByRole('link', { name: /Info.*Paula/ }));
    const dialog = screen.getByRole('dialog', { name: 'Paula' });
    await within(dialog).findByRole('heading', { name: 'History' });
    return within(dialog)
      .getAllByRole('button')
      .flatMap(({ textContent }) => (['', 'Close'].includes(textContent) ? [] : [textContent]));
  };
  openPage([check(status)], 'money');
  expect(await listButtons()).toEqual(labels);
  cleanup();
  openPage([check(status)], 'reader');
  expect(await listButtons()).toEqual([]);
});

test.each([
  ['a checkout', checkout('c1', 'Ada'), 'Ada'],
  ['a check', check('received'), 'Paula'],
])('the buttons of %s appear only once its record loads, because the dialog grows then', (_gift, row, name) => {
  openPage([row], 'editor', { loadsRecords: false });
  fireEvent.click(screen.getByRole('link', { name: /^Info/ }));
  const labels = within(screen.getByRole('dialog', { name }))
    .getAllByRole('button')
    .map(({ textContent }) => textContent);
  expect(labels).toEqual(['', 'Close']);
});

test('an unsaved team note stays when “Mark check received” is canceled', async () => {
  openPage([check('pledged')], 'money');
  fireEvent.click(screen.getByRole('link', { name: /Info.*Paula/ }));
  const record = screen.getByRole('dialog', { name: 'Paula' });
  const getNoteField = () => screen.findByLabelText<HTMLTextAreaElement>('Add a note for your team');
  fireEvent.change(await getNoteField(), { target: { value: 'Called twice.' } });
  fireEvent.click(within(record).getByRole('button', { name: 'Mark received' }));
  const step = screen.getByRole('dialog', { name: 'Mark check received' });
  fireEvent.click(within(step).getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog', { name: 'Mark check received' })).toBeNull();
  expect((await getNoteField()).value).toBe('Called twice.');
});

test('a renewal has a row that opens its checkout at that payment', () => {
  const { completed: _completed, offsetterId: _offsetterId, ...first } = checkout('c1', 'Ada');
  const item = { ...donationItem(25, 'month'), description: '' };
  const renewal: ListedRenewal = {
    ...first,
    id: 'e2',
    checkoutid: 'c1',
    cart: [item],
    paymentStatus: 'refunded',
    refunded: 25,
  };
  openPage([renewal]);
  const [, row] = screen.getAllByRole('row');
  expect(row?.textContent).toContain('Donation (recurring: monthly), renewal');
  expect(row?.textContent).toContain('Refunded');
  expect(screen.getByRole('link', { name: /^Info/ }).getAttribute('href')).toBe(
    '/orgs/valley/editor/checkouts?gift=c1&payment=e2',
  );
});

const payment = (entryid: string): PaymentRecord => ({
  entryid,
  chargedTimestamp: '2026-01-01T00:00:00.000Z',
  amount: 25,
  coveredFee: 0,
  fee: null,
  net: null,
  refunded: 0,
  refundable: 25,
  isSample: false,
  status: 'succeeded',
  payoutId: null,
  returns: [],
});

test('the opened payment of a recurring gift is marked', () => {
  const readAriaCurrent = (entryIds: readonly string[]) => {
    const payments = entryIds.map(payment);
    const list = <PaymentList orgId="valley" payments={payments} highlightedEntryId="e2" onRefund={undefined} />;
    const { unmount } = render(wrapInSignedInPage(list, createPageContext()));
    const values = screen.getAllByRole('listitem').map((item) => item.getAttribute('aria-current'));
    unmount();
    return values;
  };
  expect(readAriaCurrent(['e1', 'e2', 'e3'])).toEqual([null, 'true', null]);
  expect(readAriaCurrent(['e2'])).toEqual([null]);
});

test('a payment of the demo has a sentence in place of the refund button', () => {
  const payments = [payment('e1'), { ...payment('e2'), isSample: true }];
  render(
    wrapInSignedInPage(<PaymentList orgId="valley" payments={payments} onRefund={() => {}} />, createPageContext()),
  );
  const [ownPayment, samplePayment] = screen.getAllByRole('listitem');
  expect(ownPayment && within(ownPayment).queryByRole('button', { name: /^Refund/ })).toBeTruthy();
  expect(samplePayment && within(samplePayment).queryByRole('button')).toBeNull();
  expect(samplePayment?.textContent).toContain('This gift came with the demo');
});

test.each([
  [{}, 'Rows', false],
  [{ status: 'paid' }, 'Gifts', false],
  [{ from: '2026-10-01' }, 'Rows', true],
  [{ to: '2026-10-31' }, 'Rows', true],
] as const)('the totals of a search for %o count %s', (search, name, hasDates) => {
  const context = createPageContext();
  const view = parseView(search);
  context.client.setQueryData(sumsQuery(context.api, ORG.id, view).queryKey, SUMS);
  render(wrapInSignedInPage(<CheckoutSums orgId={ORG.id} filters={view} />, context));
  const totals = screen.getByRole('region', { name: 'Totals for these gifts' });
  expect(totals.querySelector('dt')?.textContent).toBe(name);
  expect(totals.textContent?.includes('Statements count returns on the day they happened.')).toBe(hasDates);
});
