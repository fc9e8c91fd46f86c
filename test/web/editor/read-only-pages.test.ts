// @spec 6.editors
import { createElement } from 'react';
import { expect, test } from 'vitest';
import type { BankMonth, PayoutLine } from '#contract/schemas/bank.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Pledge } from '#contract/schemas/pledges.ts';
import { FIRST_STEP_NAMES, type StepState } from '#domain/first-steps.ts';
import { createPageContext, renderMarkup } from '#test/support/render-element.ts';
import { PayoutsPage } from '#web/routes/editor/books/payouts-page.tsx';
import { bankMonthQuery } from '#web/routes/editor/books/route.ts';
import { parseView } from '#web/routes/editor/checkout-view.ts';
import { attentionQuery, checkoutsQuery } from '#web/routes/editor/checkouts/checkout-queries.ts';
import { CheckoutsPage } from '#web/routes/editor/checkouts/checkouts-page.tsx';
import { FirstSteps, hasFirstGift } from '#web/routes/editor/overview/first-steps.tsx';
import { TaskSection } from '#web/routes/editor/overview/tasks.tsx';

const NONE = { co2: 0, gas: 0, funds: 0, grants: 0 };
const ORG = { id: 'valley', slug: 'valley', name: 'Valley', photoURL: null, noAwardees: false, stats: NONE } as Org;
const PLEDGE = {
  id: 'p1',
  name: 'Paula',
  email: 'paula@example.org',
  amount: 25,
  receivedAmount: null,
  receivedOn: null,
  checkNumber: null,
  note: null,
  entryid: 'e1',
  receiptNumber: 7,
  reversal: null,
  createdTimestamp: '2026-01-01',
};
const ITEM = {
  id: 'a1',
  amount: 2500,
  currency: 'usd',
  livemode: true,
  reason: 'amount',
  providerId: 'cs_1',
  checkoutid: null,
  payer: null,
  occurredTimestamp: '2026-01-01T00:00:00.000Z',
  dueTimestamp: null,
  resolution: null,
};
const PENDING_COUNTS = {
  disputed: 1,
  failed: 1,
  processing: 1,
  pledges: 1,
  pledgedDollars: 25,
  suspiciousPledges: 0,
  stories: 1,
  receipts: 1,
  attention: 1,
  contested: 1,
  monthToClose: '2026-02',
};

/** Renders the page for a user without a role, with its data loaded. */
function renderCheckouts(statuses: readonly Pledge['status'][] = []): string {
  const context = createPageContext();
  const { api, client } = context;
  const view = parseView({});
  client.setQueryData(attentionQuery(api, ORG.id).queryKey, [ITEM]);
  client.setQueryData(checkoutsQuery(api, ORG.id, view).queryKey, {
    checkouts: statuses.map((status) => ({ ...PLEDGE, status }) as Pledge),
    position: 0,
    hasPrevious: false,
    hasNext: false,
  });
  const site = {} as Parameters<typeof CheckoutsPage>[0]['site'];
  return renderMarkup(createElement(CheckoutsPage, { org: ORG, site, view }), context);
}

test('the checkouts page hides export and checks from users without permission', () => {
  const markup = renderCheckouts();
  expect(markup).toContain('No checkouts found.');
  expect(markup).not.toMatch(/Export the ledger|Record a check|Receipts to send/);
  expect(markup).toContain('1 payment needs attention');
  expect(markup).not.toContain('Resolve…');
});

test('the checkouts table lists checks with their own statuses', () => {
  const markup = renderCheckouts(['pledged', 'received', 'withdrawn']);
  expect(markup).toContain('Paula');
  expect(markup).toMatch(/Waiting.*Received.*Canceled/);
  expect(markup).toContain('1–3');
});

test('the overview suggests only tasks the user may do', () => {
  const tasks = renderMarkup(createElement(TaskSection, { orgId: 'valley', pendingCounts: PENDING_COUNTS }));
  expect(tasks).not.toContain('href');
  const steps = FIRST_STEP_NAMES.map((step) => ({ step, state: 'open' as const }));
  expect(renderMarkup(createElement(FirstSteps, { org: ORG, steps }))).toBe('');
});

test('the first steps collapse once there is a gift', () => {
  const stepsWith = (share: StepState) =>
    FIRST_STEP_NAMES.map((step) => ({ step, state: step === 'share' ? share : ('open' as const) }));
  expect(hasFirstGift(stepsWith('open'))).toBe(false);
  expect(hasFirstGift(stepsWith('dismissed'))).toBe(false);
  expect(hasFirstGift(stepsWith('done'))).toBe(true);
});

const PAYOUT: PayoutLine = {
  kind: 'payout',
  id: 'po_1',
  status: 'paid',
  arrivesOn: '2026-03-16',
  amount: 9.41,
  gifts: 10,
  fees: -0.59,
  refunds: 0,
  disputes: 0,
  returned: 0,
  manualPayouts: 0,
  share: 9.41,
  otherOrgs: 0,
  accountMovements: 0,
  movements: 1,
  replacementPayoutId: null,
  seen: null,
};
const CHECK = {
  entryid: 'entry',
  pledgeid: 'pledge',
  name: 'Paula',
  checkNumber: '1077',
  receivedOn: '2026-03-05',
  amount: 50,
};
const BANK: BankMonth = {
  month: '2026-03',
  firstMonth: '2026-01',
  lastMonth: '2026-04',
  isOver: true,
  lines: [PAYOUT],
  checks: [CHECK],
  matchesProvider: true,
  openMonth: null,
  closing: null,
  canReopen: false,
  reopening: null,
};

function renderPayouts(bank: BankMonth): string {
  const context = createPageContext();
  context.client.setQueryData(bankMonthQuery(context.api, ORG.id, { month: bank.month }).queryKey, bank);
  const site = {} as Parameters<typeof PayoutsPage>[0]['site'];
  const data = { month: bank.month, lineId: undefined };
  return renderMarkup(createElement(PayoutsPage, { org: ORG, site, ...data }), context);
}

test('the payouts page shows a viewer which lines were seen at the bank, without controls to change them', () => {
  const markup = renderPayouts(BANK);
  expect(markup).toMatch(/1 check.*to deposit.*\$50\.00/);
  expect(markup).toContain('Not on statement yet');
  expect(markup).toContain('1 of 1 payouts and deposits not on the bank statement yet');
  expect(markup).toContain('1 check still to deposit');
  expect(markup).not.toContain('All checks are in a deposit');
  expect(markup).not.toMatch(/checkbox|Make a deposit slip|<button/);
  const laterMarkup = renderPayouts({ ...BANK, checks: [], matchesProvider: false });
  expect(laterMarkup).toContain('All checks are in a deposit');
  expect(laterMarkup).toContain('The books must agree with the card processor (compared every night)');
  expect(renderPayouts({ ...BANK, isOver: false, matchesProvider: false })).toContain(
    'The books will be compared with the card processor every night after March 31, 2026',
  );
  const signature = { by: 'Tess', on: '2026-04-03' };
  const closing = { ...signature, month: '2026-04' };
  const closedMarkup = renderPayouts({ ...BANK, checks: [], lines: [{ ...PAYOUT, seen: signature }], closing });
  expect(closedMarkup).toContain('Tess, April 3, 2026');
  expect(closedMarkup).toContain('together with April 2026');
  expect(closedMarkup).not.toMatch(/checkbox|<button/);
});
