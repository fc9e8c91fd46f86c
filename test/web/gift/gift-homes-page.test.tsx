// @spec decisions.2
import { expect, test } from 'vitest';
import type { Org } from '#contract/schemas/orgs.ts';
import type { GiftHomes } from '#contract/schemas/receipts.ts';
import type { Site } from '#contract/schemas/site.ts';
import { renderMarkup, renderVisibleText } from '#test/support/render-element.ts';
import { GiftHomesPage } from '#web/routes/gift/gift-homes-page.tsx';

type Gift = NonNullable<GiftHomes['gift']>;

const GIFT: Gift = {
  paid: 60,
  returned: 0,
  fee: 2,
  unallocatedDollars: 18,
  isDisputed: false,
  soldPounds: 100,
  unallocatedPounds: 0,
  shortfallPounds: 0,
  isShortfallCovered: null,
  homes: [
    {
      page: { id: 'okafor', name: 'The Okafor family', photo: null, profileURL: '/orgs/valley/awardees/okafor/' },
      amount: 40,
      pounds: 100,
      deliveredPounds: 2,
      measures: ['attic-insulation'],
      installer: null,
      grant: 2000,
      savings: null,
      work: { doneOn: '2026-04-01', inspectedOn: null },
    },
  ],
};
const STATS = { co2: 1000, gas: 50, funds: 500, grants: 3 };
const ORG = { id: 'valley', name: 'Valley', stats: STATS, statsDelta: STATS } as Org;

function page(gift: Gift | null, allPayments: GiftHomes['allPayments'] = null) {
  const homes = { place: 'Ithaca', checkoutid: 'c1', gift, allPayments };
  return <GiftHomesPage org={ORG} site={{} as Site} homes={homes} receiptKey="key" />;
}

test('the page shows the amounts, the homes, and the pounds saved and still to come', () => {
  const text = renderVisibleText(page(GIFT));
  const figures = [
    'Paid to homes $40.00',
    'Not granted yet $18.00',
    'Saved so far 2.00 lbs',
    'Still to come 98.00 lbs',
  ];
  for (const figure of figures) expect(text).toContain(figure);
  expect(text).toContain('helped insulate the attic of the Okafor family.');
  expect(renderMarkup(page(GIFT))).toContain('href="/orgs/valley/awardees/okafor/"');
  expect(renderMarkup(page(GIFT))).toContain('href="/api/orgs/valley/receipts/file?key=key"');
});

test('a recurring gift shows all its payments together', () => {
  const text = renderVisibleText(page(GIFT, { payments: 3, gift: { ...GIFT, paid: 180, unallocatedDollars: 138 } }));
  expect(text).toContain('Of your $180.00 in 3 payments, $40.00 helped insulate');
  expect(text).toContain('Not granted yet $138.00');
  const [home] = GIFT.homes;
  const homes = home ? [home, home, home] : [];
  const allPayments = { payments: 17, gift: { ...GIFT, paid: 425, unallocatedDollars: 303, homes } };
  expect(renderVisibleText(page(GIFT, allPayments))).toContain(
    'Of your $425.00 in 17 payments, $120.00 went to 3 homes. $303.00 hasn’t been granted',
  );
});

test('many homes are counted in the text and named only in the list', () => {
  const [home] = GIFT.homes;
  const homes = home ? [home, home, home] : [];
  const text = renderVisibleText(page({ ...GIFT, paid: 140, homes }));
  expect(text).toContain('Of your $140.00, $120.00 went to 3 homes. $18.00 hasn’t been granted to a home yet.');
  expect(text).not.toContain('helped insulate');
});

test('pounds are omitted if a household keeps a figure private', () => {
  const homes = GIFT.homes.map((home) => ({ ...home, deliveredPounds: null }));
  const text = renderVisibleText(page({ ...GIFT, homes }));
  expect(text).toContain('Paid to homes $40.00');
  expect(text).not.toContain('Saved so far');
});

test('the page for a gift without a home promises an email, and the page for a returned gift shows no impact', () => {
  expect(renderVisibleText(page({ ...GIFT, homes: [], unallocatedDollars: 58 }))).toContain(
    'No home yet. We’ll email you',
  );
  const text = renderVisibleText(page(null));
  expect(text).toContain('so it hasn’t helped a home');
  expect(text).not.toContain('Paid to homes');
});
