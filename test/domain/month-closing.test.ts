// @spec decisions.3
import { expect, test } from 'vitest';
import {
  type ClosableMonth,
  findClosing,
  isReadyToClose,
  lastClosedMonth,
  listUnseenLines,
  type MonthChange,
} from '#domain/month-closing.ts';

const closed = (month: string): MonthChange => ({ month, action: 'closed' });
const reopened = (month: string): MonthChange => ({ month, action: 'reopened' });

test.each<[MonthChange[], string | undefined]>([
  [[], undefined],
  [[closed('2026-03')], '2026-03'],
  [[closed('2026-03'), closed('2026-04')], '2026-04'],
  [[closed('2026-03'), closed('2026-04'), reopened('2026-04')], '2026-03'],
  [[closed('2026-03'), reopened('2026-03')], undefined],
  [[closed('2026-03'), reopened('2026-03'), closed('2026-03')], '2026-03'],
])('after %j, the last closed month is %s', (changes, month) => {
  expect(lastClosedMonth(changes)).toBe(month);
});

test('a closed month closes all earlier months', () => {
  const changes = [closed('2026-03'), closed('2026-04')];
  expect(findClosing(changes, '2025-12')).toEqual(closed('2026-03'));
  expect(findClosing(changes, '2026-03')).toEqual(closed('2026-03'));
  expect(findClosing(changes, '2026-04')).toEqual(closed('2026-04'));
  expect(findClosing(changes, '2026-05')).toBeUndefined();
});

const bankMark = { by: 'Tess', on: '2026-06-03' };
const readyMonth: ClosableMonth = {
  matchesProvider: true,
  lines: [{ seen: bankMark, status: 'paid' }, { seen: bankMark }],
  checks: [],
  openMonth: null,
};

test.each<[string, Partial<ClosableMonth>, boolean]>([
  ['everything is done', {}, true],
  ['there are no lines', { lines: [] }, true],
  ['the bank returned a payout', { lines: [{ seen: null, status: 'failed' }] }, true],
  ['a deposit isn’t marked as seen at the bank', { lines: [{ seen: null }] }, false],
  ['a payout is on its way', { lines: [{ seen: null, status: 'in-transit' }] }, false],
  ['a check is in no deposit', { checks: [{}] }, false],
  ['the books don’t agree with the card processor', { matchesProvider: false }, false],
  ['an earlier month is open', { openMonth: '2026-04' }, false],
])('checks whether the month is ready to close if %s', (_state, changes, isReady) => {
  expect(isReadyToClose({ ...readyMonth, ...changes })).toBe(isReady);
});

test('unseen lines exclude returned payouts', () => {
  const lines = [{ seen: null, status: 'failed' }, { seen: null, status: 'paid' }, { seen: bankMark }];
  expect(listUnseenLines(lines)).toEqual([{ seen: null, status: 'paid' }]);
});
