import { type CartItem, cartTotal, donationItem, MINIMUM_CHECKOUT } from '#domain/cart.ts';
import { type Random, seededRandom } from '../seeded-random.ts';
import { daysBefore, drive, flight, giver, heating, quick, type SampleGift } from './sample-gift.ts';

/** The relative frequency of gifts by month, January first: trips in summer, bills in winter, giving in December. */
const SEASON = [0.6, 0.45, 0.5, 0.75, 0.5, 0.65, 0.8, 0.7, 0.45, 0.5, 0.75, 1] as const;

const TWO_YEARS = 728;

/** One-time gifts of visitors without a story, spread over two years by season. */
export function visitorsGifts(now: Date, count: number): SampleGift[] {
  // Changing the seed would change the sample.
  const random = seededRandom('visitors of the sample organisation');
  return Array.from({ length: count }, (_, index): SampleGift => {
    return {
      ...giver(visitorName(random)),
      key: `visitor-${index + 1}`,
      at: seasonalMoment(random, now),
      kind: 'payment',
      items: withMinimum(visitorsCart(random)),
    };
  });
}

function seasonalMoment(random: Random, now: Date): Date {
  for (;;) {
    const moment = daysBefore(now, random.between(0.2, TWO_YEARS));
    // The fund becomes better known over time.
    const awareness = 1 - (now.getTime() - moment.getTime()) / (TWO_YEARS * 86_400_000) / 2;
    if (random.chance((SEASON[moment.getUTCMonth()] ?? 0.5) * awareness)) return moment;
  }
}

function visitorsCart(random: Random): CartItem[] {
  const roll = random.next();
  if (roll < 0.34) return [randomFlight(random), ...maybeDonation(random)];
  if (roll < 0.54) return [randomDrive(random), ...maybeDonation(random)];
  if (roll < 0.7) return [randomHeating(random)];
  if (roll < 0.82) return [randomQuickEstimate(random)];
  return [donationItem(random.pick([10, 25, 25, 25, 40, 50, 50, 100, 100, 250, 500]))];
}

function randomFlight(random: Random): CartItem {
  const miles = random.pick([298, 513, 742, 1089, 1391, 2163, 2459, 3450, 3624, 4180, 5866]);
  return flight({ travelers: random.pick([1, 1, 1, 2, 2, 3, 4]), miles, roundtrip: random.chance(0.85) });
}

function randomDrive(random: Random): CartItem {
  const mpg = random.pick([19, 22, 25, 25, 28, 31, 36, 48]);
  return drive({ miles: random.whole(90, 1400), mpg, roundtrip: random.chance(0.7) });
}

function randomHeating(random: Random): CartItem {
  const electricity = random.whole(300, 4200);
  return random.pick([
    heating({ gas: random.whole(60, 720), electricity }),
    heating({ oil: random.whole(80, 520) }),
    heating({ propane: random.whole(70, 610), electricity }),
    heating({ electricity }),
  ]);
}

function randomQuickEstimate(random: Random): CartItem {
  return quick({
    type: random.pick(['car', 'home', 'air']),
    time: random.pick(['monthly', 'quarter', 'quarter', 'year']),
  });
}

function maybeDonation(random: Random): CartItem[] {
  return random.chance(0.25) ? [donationItem(random.pick([5, 10, 10, 25, 50]))] : [];
}

/** Adds a donation to a cart below the checkout minimum. */
function withMinimum(items: CartItem[]): CartItem[] {
  return cartTotal(items) < MINIMUM_CHECKOUT ? [...items, donationItem(5)] : items;
}

const FIRST_NAMES =
  'Adaeze Aldo Beatriz Caleb Chiara Dmitri Esther Farid Greta Hana Ignacio Imani Jonas Kirsten Laila Malik Nadia Olek Paloma Quincy Rosa Silas Tamsin Uma Viktor Wren Xiomara Yara Zeb'.split(
    ' ',
  );
const LAST_NAMES =
  'Abbott Bakshi Calloway Dunne Eriksen Fontaine Grigoryan Hollins Ibarra Jansen Keita Lowell Marchand Nakamura Oduya Petrov Quimby Rosario Stavros Thorne Umar Villanueva Wexler Yoder Zielinski'.split(
    ' ',
  );

function visitorName(random: Random): string {
  return `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
}
