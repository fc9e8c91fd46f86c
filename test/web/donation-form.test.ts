import { expect, test } from 'vitest';
import { donationAlone, donationOf, typedDollars } from '#web/routes/donate/donation-form.ts';
import { pledgeOf } from '#web/routes/donate/pledge-form.ts';
import { ONCE } from '#web/ui/recurrence-select.tsx';

const WHOLE = 'Please enter a whole number of dollars, 1 or more.';
const MOST = 'One checkout takes at most $999,999.99. Please write to us about a larger gift.';

test.each([
  ['25', 25],
  ['1,000', 1000],
  [' $50 ', 50],
  ['50.00', 50],
  ['1', 1],
  ['999,999', 999_999],
])('%j is an amount of whole dollars', (text, dollars) => {
  expect(typedDollars(text)).toEqual({ kind: 'dollars', dollars });
});

test.each([
  ['', 'Please enter an amount.'],
  ['  ', 'Please enter an amount.'],
  ['$', 'Please enter an amount.'],
  ['0', 'Please enter an amount.'],
  ['12.50', WHOLE],
  ['0.5', WHOLE],
  ['-25', WHOLE],
  ['ten', WHOLE],
  ['1e3', WHOLE],
  ['1000000', MOST],
  ['9'.repeat(400), MOST],
  [`-${'9'.repeat(400)}`, WHOLE],
])('%j is told: %s', (text, problem) => {
  expect(typedDollars(text)).toEqual({ kind: 'problem', problem });
});

test('a donation for the cart may be small, one that goes to checkout alone may not', () => {
  expect(donationOf('3', ONCE)).toMatchObject({ kind: 'item', item: { title: 'Donation', cost: 3, recurring: 'no' } });
  expect(donationAlone('3', ONCE)).toEqual({ kind: 'problem', problem: '$5 minimum to checkout' });
  expect(donationAlone('5', ONCE)).toMatchObject({ kind: 'item', item: { cost: 5 } });
});

test('a donation recurs as chosen', () => {
  const donation = donationOf('25', { recurring: 'month', interval: 3 });
  expect(donation).toMatchObject({ item: { recurring: 'month', recurringInterval: 3 } });
});

test('a pledge carries what was typed, without blanks around it', () => {
  const form = { name: ' Ada Park ', email: ' ada@example.org ', amount: '$1,200' };
  expect(pledgeOf(form)).toEqual({ pledge: { name: 'Ada Park', email: 'ada@example.org', amount: 1200 } });
});

test('a pledge is told what to correct, all at once', () => {
  expect(pledgeOf({ name: ' ', email: 'ada@', amount: '12.50' })).toEqual({
    problems: { name: 'Please enter a name.', email: 'Not a valid email: ada@', amount: WHOLE },
  });
});

test('a pledge is told of one field only when one field is wrong', () => {
  const form = { name: 'Ada', email: '', amount: '5' };
  expect(pledgeOf(form)).toEqual({ problems: { email: 'Please enter an email address.' } });
});
