// @spec 2.editor
import { expect, test } from 'vitest';
import { calculateExcess } from '#web/routes/editor/grants/grant-step-dialogs.tsx';
import { getStepTexts } from '#web/routes/editor/overview/first-steps.tsx';
import { listDisputeTasks, listOverspendingTasks } from '#web/routes/editor/overview/tasks.tsx';

test('each setup step links to the place where it is done', () => {
  const texts = getStepTexts({ id: 'valley', slug: 'valley-fund' });
  const pages = Object.values(texts).map(({ to }) => to.replace('/orgs/valley/', ''));
  expect(pages).toEqual([
    'editor/org#header-photo',
    'editor/pages#home-intro',
    'editor/org/place#time-zone',
    'editor/org/calculator#electricity',
    'editor/org/grants#typical-grant',
    'editor/awardees/new',
    'editor/editors#invite',
    'qrcode',
  ]);
  expect(texts.share.detail).toContain('/valley-fund');
});

test('a dispute names the donor, the amount, and the deadline, and links to the gift', () => {
  const dispute = { giftid: 'c1', name: 'Oscar Disputo', amount: 250, dueTimestamp: '2026-12-06T23:59:59.000Z' };
  expect(listDisputeTasks('valley', [dispute], 'UTC')).toMatchObject([
    {
      title: 'Oscar Disputo disputes $250.00',
      detail: 'Respond at the card processor by December 6, 2026.',
      to: '/orgs/valley/editor/checkouts?gift=c1',
    },
  ]);
  const [anonymousItem] = listDisputeTasks('valley', [{ ...dispute, name: null, dueTimestamp: null }], 'UTC');
  expect(anonymousItem).toMatchObject({
    title: 'A donor disputes $250.00',
    detail: 'Respond at the card processor before its deadline.',
  });
});

test('grants that exceed the gifts need attention', () => {
  expect(listOverspendingTasks('valley', -4451.75)).toMatchObject([
    { action: 'grants.pay', title: 'Grants exceed gifts by $4,451.75', to: '/orgs/valley/editor/grants' },
  ]);
  expect(listOverspendingTasks('valley', 0)).toEqual([]);
});

test.each([
  ['a payment within the available money', 'applied', 4500, 5000, 0],
  ['a payment above it', 'applied', 4500, 4000.5, 499.5],
  ['a payment of its own promise', 'promised', 4500, 0, 0],
  ['a payment above its own promise', 'promised', 5000, 100, 400],
  ['a payment if the available money is unknown', 'applied', 4500, undefined, 0],
] as const)('%s exceeds the available money by the right amount', (_name, stage, amount, available, excess) => {
  expect(calculateExcess({ stage, amount: 4500 }, amount, available)).toBe(excess);
});
