// @spec decisions.3
import { expect, test } from 'vitest';
import { CARDS, DAY, idOf, openSandboxAt } from './open-sandbox-at.ts';

const buttonLabels = (text: string): string[] =>
  [...text.matchAll(/<button[^>]*>(.*?)<\/button>/g)].map(([, label = '']) =>
    label.replace(/<[^>]*>.*?<\/[^>]*>/g, ''),
  );

test('the dashboard is labeled as the sandbox and shows payments newest first, page by page', async () => {
  const { get, pay } = await openSandboxAt();
  expect((await get('/sandbox')).text).toContain('No payments yet.');
  for (let cents = 100; cents <= 2200; cents += 100) await pay(cents);
  const firstPage = await get('/sandbox');
  expect(firstPage.text).toContain('Sandbox – no money moves');
  expect(firstPage.headers.get('content-security-policy')).toContain("form-action 'self';");
  expect(firstPage.text).not.toMatch(/<style|style=|<script|onclick/);
  expect(firstPage.text.indexOf('$22.00')).toBeLessThan(firstPage.text.indexOf('$21.00'));
  expect(firstPage.text).not.toContain('<h3>$2.00</h3>');
  const olderPagePath = /href="(\/sandbox\?after=pi_\w+)#payments"/.exec(firstPage.text)?.[1] ?? '';
  const secondPage = await get(olderPagePath);
  expect([...secondPage.text.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, amount]) => amount)).toEqual(['$2.00', '$1.00']);
  expect(secondPage.text).toContain('Newest payments');
  expect((await get('/sandbox?after=pi_none')).status).toBe(200);
});

test('each payment state has its own text and buttons', async () => {
  const { get, post, pay, payByBank, stripe } = await openSandboxAt();
  const id = await pay(2500);
  expect(buttonLabels((await get('/sandbox')).text)).toEqual([
    'Move the clock 1 day',
    'Move the clock 1 month',
    'Move the clock 1 year',
    'Pay out now',
    'Pay out manually',
    'Pay out instantly',
    'Hold refunds until the balance covers them',
    'Refund',
    'Dispute',
    'Early fraud warning',
  ]);
  const rowId = idOf((await stripe.charges.retrieve(id)).payment_intent);
  const refundPage = await post(`/sandbox/charges/${id}`, { action: 'refund', amount: '$10.5', row: rowId });
  expect(refundPage.location).toBe(`/sandbox#${rowId}`);
  expect((await get('/sandbox')).text).toContain('Paid, $10.50 refunded');
  await post(`/sandbox/charges/${id}`, { action: 'dispute' });
  expect((await get('/sandbox')).text).toContain('Paid, $10.50 refunded, disputed');
  expect(buttonLabels((await get('/sandbox')).text).slice(7)).toEqual([
    'Fail the refund',
    'Win the dispute',
    'Lose the dispute',
    'Lose it except for the refunded part',
  ]);
  const [dispute] = (await stripe.disputes.list()).data;
  await post(`/sandbox/disputes/${dispute?.id}`, { outcome: 'lose' });
  expect((await get('/sandbox')).text).toContain('dispute lost');
  const debit = await payByBank(3000);
  expect(buttonLabels((await get('/sandbox')).text)).toContain('Return the debit');
  await stripe.refunds.create({ charge: debit });
  expect(buttonLabels((await get('/sandbox')).text)).toEqual(
    expect.arrayContaining(['Settle the pending refund', 'Fail the pending refund']),
  );
});

test('subscriptions show their next charge', async () => {
  const { get, subscribe, moveClock } = await openSandboxAt();
  await subscribe(CARDS.declinedAtRenewal);
  expect((await get('/sandbox')).text).toContain('Next charge Feb 28, 2026, 12:00 PM UTC');
  await moveClock({ seconds: 30 * DAY });
  const { text } = await get('/sandbox');
  expect(text).toContain('Past due');
  expect(text).toContain('30 days ahead of real time');
});

test.each([
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ 'sec-fetch-site': 'same-site' }, 403],
  [{ origin: 'http://evil.test' }, 403],
  [{ 'sec-fetch-site': 'same-origin' }, 303],
])('a form sent with %j returns %d', async (headers, status) => {
  const { base } = await openSandboxAt();
  const body = new URLSearchParams({ seconds: '1' });
  const response = await fetch(`${base}/sandbox/clock`, { method: 'POST', headers, body, redirect: 'manual' });
  expect(response.status).toBe(status);
});
