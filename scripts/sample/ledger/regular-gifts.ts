import { type CartItem, donationItem } from '#domain/cart.ts';
import {
  daysBefore,
  everyMonths,
  flight,
  giver,
  heating,
  quick,
  renewalsOf,
  type SampleGift,
  yearly,
} from './sample-gift.ts';

type Regular = {
  readonly key: string;
  readonly name: string;
  /** Days before now. */
  readonly since: number;
  /** Days before now when the donor canceled. */
  readonly until?: number;
  readonly items: readonly CartItem[];
};

/** Recurring donors without a story. */
const regulars: readonly Regular[] = [
  { key: 'alma-reyes', name: 'Alma Reyes', since: 497.3, items: [everyMonths(1, donationItem(25))] },
  { key: 'greg-tanaka', name: 'Greg Tanaka', since: 641.8, until: 289, items: [everyMonths(1, donationItem(15))] },
  {
    key: 'whitcomb',
    name: 'The Whitcomb family',
    since: 579.6,
    items: [everyMonths(3, quick({ type: 'home', time: 'quarter' }))],
  },
  {
    key: 'fatima-noor',
    name: 'Fatima Noor',
    since: 372.4,
    items: [everyMonths(1, quick({ type: 'car', time: 'monthly' }))],
  },
  { key: 'h-vandermeer', name: 'H. Vandermeer', since: 703.2, items: [yearly(donationItem(500))] },
  {
    key: 'colin-ashe',
    name: 'Colin Ashe',
    since: 201.7,
    items: [everyMonths(1, donationItem(20)), flight({ travelers: 2, miles: 1090, roundtrip: true })],
  },
  {
    key: 'dolores-quinn',
    name: 'Dolores Quinn',
    since: 411.5,
    items: [yearly(heating({ gas: 640, electricity: 4100 }))],
  },
];

type Check = readonly [daysAgo: number, dollars: number, name: string];

/** Checks on the day they arrived. */
const checks: readonly Check[] = [
  [712, 250, 'Harriet Boll'],
  [655, 100, 'Orville Sands'],
  [612, 1000, 'The Lindgren-Moss family'],
  [548, 50, 'R. Pettibone'],
  [493, 200, 'Thursday Reading Circle'],
  [431, 75, 'Orville Sands'],
  [377, 2500, 'Estate of Margaret Toll'],
  [362, 250, 'Harriet Boll'],
  [308, 120, 'Maple Street block party'],
  [246, 60, 'R. Pettibone'],
  [189, 300, 'The Lindgren-Moss family'],
  [117, 40, 'Miss Ivory’s piano students'],
  [64, 150, 'Orville Sands'],
  [19, 500, 'Harriet Boll'],
];

export function regularGifts(now: Date): SampleGift[] {
  return regulars.flatMap(({ key, name, since, until = 0, items }) => {
    const payment: SampleGift = {
      ...giver(name),
      key: `${key}-1`,
      at: daysBefore(now, since),
      kind: 'payment',
      items,
    };
    return [payment, ...renewalsOf(payment, daysBefore(now, until))];
  });
}

export function checkGifts(now: Date): SampleGift[] {
  return checks.map(([daysAgo, dollars, name], index) => ({
    ...giver(name),
    key: `check-${index + 1}`,
    at: daysBefore(now, daysAgo),
    kind: 'check',
    items: [donationItem(dollars)],
  }));
}

/** A donor who paid twice by mistake and got the second gift back. */
export function mistakenGifts(now: Date): SampleGift[] {
  const items = [flight({ travelers: 2, miles: 1391, roundtrip: true })];
  const payment = { ...giver('Ottoline Marsh'), kind: 'payment', items } as const;
  const refund = { at: daysBefore(now, 40.1), reason: 'Given twice by mistake; the donor asked for one back.' };
  return [
    { ...payment, key: 'ottoline-marsh-1', at: daysBefore(now, 41.206) },
    { ...payment, key: 'ottoline-marsh-2', at: daysBefore(now, 41.2), refund },
  ];
}
