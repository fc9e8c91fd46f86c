// @spec decisions.3
import { expect, test } from 'vitest';
import { donationItem, recurringSuffix } from '#domain/cart.ts';
import { COMMON_RECURRENCES, ONCE, OTHER_RECURRENCES, toRecurrenceOption } from '#web/ui/recurrence-select.tsx';

const RECURRENCES = [...COMMON_RECURRENCES, ...OTHER_RECURRENCES];

test('the default is a one-time gift', () => {
  expect(COMMON_RECURRENCES[0]).toBe(ONCE);
  expect(ONCE.recurring).toBe('no');
});

test('every choice makes a valid cart item', () => {
  for (const { recurring, interval } of RECURRENCES) {
    expect(donationItem(25, recurring, interval).recurring).toBe(recurring);
  }
});

test('options have plain labels, and the recurrence suffix matches the specification', () => {
  expect(RECURRENCES.map((recurrence) => toRecurrenceOption(recurrence).label)).toEqual([
    'One time',
    'Monthly',
    'Yearly',
    'Every 2 months',
    'Every 3 months',
    'Every 6 months',
  ]);
  expect(recurringSuffix('month', 3)).toBe('(recurring: every 3 months)');
});
