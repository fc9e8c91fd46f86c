import { type CartItem, donationItem } from '#domain/cart.ts';
import { sampleOffsetters } from '../sample-offsetters.ts';
import {
  daysBefore,
  drive,
  everyMonths,
  flight,
  giver,
  heating,
  quick,
  renewalsOf,
  type SampleGift,
} from './sample-gift.ts';

type OffsetterGifts = {
  /** The cart paid before the story. */
  readonly first: readonly CartItem[];
  /** Other gifts, by days after the first one (negative for earlier ones). */
  readonly others?: readonly (readonly [daysAfter: number, items: readonly CartItem[]])[];
};

/** These gifts match the offsetters' stories. */
const giftsByOffsetter: Readonly<Record<string, OffsetterGifts>> = {
  'maya-torres': {
    first: [flight({ travelers: 1, miles: 2299, roundtrip: true })],
    others: [-176, -371, -548].map((days) => [days, [flight({ travelers: 1, miles: 2299, roundtrip: true })]]),
  },
  'sam-whitfield': {
    first: [drive({ miles: 9120, mpg: 17, roundtrip: false })],
    others: [[-361, [drive({ miles: 8740, mpg: 17, roundtrip: false })]]],
  },
  'priya-raman': {
    first: [flight({ travelers: 1, miles: 3410, roundtrip: true }), donationItem(25)],
    others: [[-338, [flight({ travelers: 1, miles: 2640, roundtrip: true })]]],
  },
  'hollis-family': { first: [drive({ miles: 642, mpg: 24, roundtrip: true })] },
  'theresa-novak': { first: [everyMonths(1, drive({ miles: 1408, mpg: 28, roundtrip: false }))] },
  'edith-marchetti': {
    first: [heating({ oil: 388 })],
    others: [[-364, [heating({ oil: 421 })]]],
  },
  'room-14': { first: [drive({ miles: 62, mpg: 7, roundtrip: true }), donationItem(98)] },
  'tom-okada': {
    first: [heating({ gas: 512, electricity: 3380 })],
    others: [[-359, [heating({ gas: 574, electricity: 3425 })]]],
  },
  'danielle-andre': {
    first: [
      flight({ travelers: 9, miles: 5290, roundtrip: true }),
      flight({ travelers: 2, miles: 11_460, roundtrip: true }),
      flight({ travelers: 17, miles: 870, roundtrip: true }),
      flight({ travelers: 25, miles: 410, roundtrip: true }),
    ],
  },
  'anneke-brandt': { first: [everyMonths(3, heating({ gas: 296 }))] },
  'lewis-hargrove': {
    first: [heating({ oil: 1164 })],
    others: [[365, [heating({ oil: 1092 })]]],
  },
  'duarte-farm': {
    first: [heating({ propane: 2870 })],
    others: [[366, [heating({ propane: 2715 })]]],
  },
  'moira-kells': {
    first: [quick({ type: 'car', time: 'quarter' })],
    others: [92, 184, 275, 364, 457, 549].map((days) => [days, [quick({ type: 'car', time: 'quarter' })]]),
  },
  'ben-castellan': { first: [everyMonths(1, donationItem(10))] },
};

/** Minutes from the payment to the published story. */
const MINUTES_TO_WRITE = 17;

/** The offsetters' gifts up to `now`, including renewals. */
export function offsettersGifts(now: Date): SampleGift[] {
  return sampleOffsetters(now).flatMap(({ key, name, createdTimestamp }) => {
    const gifts = giftsByOffsetter[key];
    if (!gifts) throw new Error(`The sample offsetter ${key} has no gift`);
    const paidAt = new Date(Date.parse(createdTimestamp) - MINUTES_TO_WRITE * 60_000);
    const payments = [[0, gifts.first] as const, ...(gifts.others ?? [])].map(
      ([days, items], index): SampleGift => ({
        ...giver(name, key),
        key: `${key}-${index + 1}`,
        at: daysBefore(paidAt, -days),
        kind: 'payment',
        items,
      }),
    );
    return payments.flatMap((payment) => [payment, ...renewalsOf(payment, now)]);
  });
}
