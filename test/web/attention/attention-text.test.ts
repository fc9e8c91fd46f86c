// @spec decisions.3
import { expect, test } from 'vitest';
import { attentionTitle, describeOpenItems, describeReason, formatAmount } from '#web/attention/attention-text.ts';

test.each([
  [2500, 'usd', '$25.00'],
  [512, 'eur', '€5.12'],
  [500, 'jpy', '¥500'],
])('%i of the smallest unit of %s is %s', (amount, currency, text) => {
  expect(formatAmount(amount, currency)).toBe(text);
});

test('a reason is shown in plain words, even an unknown one', () => {
  expect(describeReason('amount')).toBe('The amount doesn’t match its checkout.');
  expect(describeReason('weather')).toBe('It could not be matched: weather.');
});

test.each([
  [['dispute', 'fraud-warning'], /^This money is in the books, but the donor’s bank contests it\. Respond/],
  [['amount', 'movement: adjustment'], /^This money doesn’t match a gift and isn’t in the totals\. Look it up/],
  [['amount', 'dispute'], /^Some of this money doesn’t match a gift .* The rest is contested by a donor’s bank\./],
])('the lead above %j says whether the money is in the books', (reasons, lead) => {
  expect(describeOpenItems(reasons.map((reason) => ({ reason })))).toMatch(lead);
});

test('the title counts the payments that need attention, in the singular or plural', () => {
  expect([attentionTitle(1), attentionTitle(2)]).toEqual(['1 payment needs attention', '2 payments need attention']);
});
