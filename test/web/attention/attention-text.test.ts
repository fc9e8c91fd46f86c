// @spec decisions.3
import { expect, test } from 'vitest';
import { attentionTitle, describeReason, formatAmount } from '#web/attention/attention-text.ts';

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

test('the title counts the payments that need attention, in the singular or plural', () => {
  expect([attentionTitle(1), attentionTitle(2)]).toEqual(['1 payment needs attention', '2 payments need attention']);
});
