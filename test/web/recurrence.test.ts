// @spec decisions.3
import { expect, test } from 'vitest';
import { donationItem, MAXIMUM_MONTHS, recurringSuffix } from '#domain/cart.ts';
import { kindOf, MONTHS, ONCE, RECURRENCE_KINDS, recurrenceOf } from '#web/ui/recurrence-select.tsx';

test('nothing recurs by default', () => {
  expect(kindOf(ONCE)).toBe('once');
  expect(RECURRENCE_KINDS[0]?.value).toBe('once');
});

test.each(RECURRENCE_KINDS.map(({ value }) => value))('the choice %s matches its recurrence text', (kind) => {
  expect(kindOf(recurrenceOf(kind))).toBe(kind);
});

test('every choice makes a valid cart item', () => {
  const months = MONTHS.map((interval) => ({ recurring: 'month', interval }) as const);
  for (const { recurring, interval } of [...RECURRENCE_KINDS.map(({ value }) => recurrenceOf(value)), ...months]) {
    expect(donationItem(25, recurring, interval).recurring).toBe(recurring);
  }
  expect(MONTHS.at(0)).toBe(2);
  expect(MONTHS.at(-1)).toBe(MAXIMUM_MONTHS);
});

test('choices are in plain words, and the selected one reads as specified', () => {
  expect(RECURRENCE_KINDS.map(({ label }) => label)).toEqual(['One time', 'Monthly', 'Yearly', 'Every few months']);
  const { recurring, interval } = recurrenceOf('months');
  expect(recurringSuffix(recurring, interval)).toBe('(recurring: every 3 months)');
});

test('choosing every N months again keeps N', () => {
  expect(recurrenceOf('months', { recurring: 'month', interval: 7 })).toEqual({ recurring: 'month', interval: 7 });
  expect(recurrenceOf('months', { recurring: 'month', interval: 1 }).interval).toBe(3);
});
