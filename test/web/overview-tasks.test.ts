// @spec 2.editor
import { expect, test } from 'vitest';
import { excessDollars } from '#web/routes/editor/grants/grant-step-dialogs.tsx';
import { firstSteps, overdrawnItems } from '#web/routes/editor/overview/tasks.tsx';

const NONE = { co2: 0, gas: 0, funds: 0, grants: 0 };
const NEW = { id: 'valley', slug: 'valley-fund', photoURL: null, noAwardees: false, stats: NONE };
const pagesOf = (org: Parameters<typeof firstSteps>[0]) => firstSteps(org).map(({ to }) => to.split('/').at(-1));

test('a new site gets first steps for a photo, its own text, an awardee, and sharing', () => {
  expect(pagesOf(NEW)).toEqual(['org', 'pages', 'awardees', 'qrcode']);
  expect(firstSteps(NEW).at(-1)?.detail).toContain('/valley-fund');
});

test('a completed step isn’t suggested again', () => {
  expect(pagesOf({ ...NEW, photoURL: '/media/a.jpg' })).toEqual(['pages', 'awardees', 'qrcode']);
  expect(pagesOf({ ...NEW, noAwardees: true })).toEqual(['org', 'pages', 'qrcode']);
  expect(pagesOf({ ...NEW, stats: { ...NONE, grants: 1 } })).toEqual(['org', 'pages', 'qrcode']);
});

test('grants that exceed the gifts need attention', () => {
  expect(overdrawnItems('valley', -4451.75)).toMatchObject([
    { action: 'grants.pay', title: 'Grants exceed gifts by $4,451.75', to: '/orgs/valley/editor/grants' },
  ]);
  expect(overdrawnItems('valley', 0)).toEqual([]);
});

test.each([
  ['a payment within the available money', 'applied', 4500, 5000, 0],
  ['a payment above it', 'applied', 4500, 4000.5, 499.5],
  ['a payment of its own promise', 'promised', 4500, 0, 0],
  ['a payment above its own promise', 'promised', 5000, 100, 400],
  ['a payment if the available money is unknown', 'applied', 4500, undefined, 0],
] as const)('%s exceeds the available money by the right amount', (_name, stage, amount, available, excess) => {
  expect(excessDollars({ stage, amount: 4500 }, amount, available)).toBe(excess);
});
