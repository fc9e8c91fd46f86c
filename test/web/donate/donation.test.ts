// @spec 1.visitors 5.donate 8.email-toast 8.strings decisions.3
import { expect, test } from 'vitest';
import { parseDirectDonation, parseDonation, parsePledge, parseWholeDollars } from '#web/routes/donate/donation.ts';
import { ONCE } from '#web/ui/recurrence-select.tsx';

const WHOLE_DOLLARS_PROBLEM = 'Please enter a whole number of dollars, 1 or more.';
const MAXIMUM_PROBLEM = 'A checkout can be at most $999,999.99. For a larger gift, please contact us.';

test.each([
  ['25', 25],
  ['1,000', 1000],
  [' $50 ', 50],
  ['50.00', 50],
  ['1', 1],
  ['999,999', 999_999],
])('%j is an amount in whole dollars', (text, dollars) => {
  expect(parseWholeDollars(text)).toEqual({ kind: 'dollars', dollars });
});

test.each([
  ['', 'Please enter an amount.'],
  ['  ', 'Please enter an amount.'],
  ['$', 'Please enter an amount.'],
  ['0', 'Please enter an amount.'],
  ['12.50', WHOLE_DOLLARS_PROBLEM],
  ['0.5', WHOLE_DOLLARS_PROBLEM],
  ['-25', WHOLE_DOLLARS_PROBLEM],
  ['ten', WHOLE_DOLLARS_PROBLEM],
  ['1e3', WHOLE_DOLLARS_PROBLEM],
  ['1000000', MAXIMUM_PROBLEM],
  ['9'.repeat(400), MAXIMUM_PROBLEM],
  [`-${'9'.repeat(400)}`, WHOLE_DOLLARS_PROBLEM],
])('%j is rejected: %s', (text, problem) => {
  expect(parseWholeDollars(text)).toEqual({ kind: 'problem', problem });
});

test('a donation in a cart can be under $5, but a direct checkout can’t', () => {
  expect(parseDonation('3', ONCE)).toMatchObject({
    kind: 'item',
    item: { title: 'Donation', cost: 3, recurring: 'no' },
  });
  expect(parseDirectDonation('3', ONCE)).toEqual({ kind: 'problem', problem: '$5 minimum to checkout' });
  expect(parseDirectDonation('5', ONCE)).toMatchObject({ kind: 'item', item: { cost: 5 } });
});

test('a donation can recur', () => {
  const donation = parseDonation('25', { recurring: 'month', interval: 3 });
  expect(donation).toMatchObject({ item: { recurring: 'month', recurringInterval: 3 } });
});

test('whitespace around pledge fields is trimmed', () => {
  const form = { name: ' Ada Park ', email: ' ada@example.org ', amount: '$1,200' };
  expect(parsePledge(form)).toEqual({
    pledge: { name: 'Ada Park', email: 'ada@example.org', amount: 1200 },
    problems: {},
  });
});

test('an invalid pledge reports every invalid field', () => {
  expect(parsePledge({ name: ' ', email: 'ada@', amount: '12.50' })).toEqual({
    problems: { name: 'Please enter a name.', email: 'Not a valid email: ada@', amount: WHOLE_DOLLARS_PROBLEM },
  });
});

test('a pledge with one invalid field reports only that field', () => {
  const form = { name: 'Ada', email: '', amount: '5' };
  expect(parsePledge(form)).toEqual({ problems: { email: 'Please enter an email address.' } });
});
