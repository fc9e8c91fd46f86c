import fc from 'fast-check';
import { expect, test } from 'vitest';
import { browserName } from '#domain/browser-name.ts';
import {
  type CartItem,
  completeItem,
  donationItem,
  formatInterval,
  GIFT_UNITS,
  itemDescription,
  itemTitle,
  offsetItem,
  recurringSuffix,
} from '#domain/cart.ts';
import { addDays, dayText } from '#domain/days.ts';
import { OFFSET_TYPES } from '#domain/emissions.ts';
import { Failure } from '#domain/failures.ts';
import { allGiftsSentence, effectSentence } from '#domain/gift-effect.ts';
import { photoWarning } from '#domain/profile.ts';
import { RECURRING_GIFT_STATUSES, recurringGiftLabel, recurringGiftSentence } from '#domain/recurring-gift.ts';
import { failureSentence } from '#domain/server-failures.ts';
import { CARD_STATUSES, cardStatusText, TRIBUTE_KINDS, tributePrefix, tributeText } from '#domain/tribute.ts';
import { cartFailure, intervalAdjective } from '#domain/validate-cart.ts';
import { type InLanguage, LANGUAGES } from '#messages';

const ES = { locale: 'es' } as const;

/** A message function with sample inputs, in a given language or the page's. */
const MESSAGES: Readonly<Record<string, (options?: InLanguage) => readonly string[]>> = {
  titles: (options) => [
    itemTitle('donation', undefined, options),
    ...OFFSET_TYPES.map((type) => itemTitle('offset', type, options)),
  ],
  descriptions: (options) => [donationItem(5), offsetItem('air', 2000)].map((item) => itemDescription(item, options)),
  intervals: (options) => GIFT_UNITS.flatMap((unit) => [1, 3].map((count) => formatInterval({ unit, count }, options))),
  adjectives: (options) =>
    GIFT_UNITS.flatMap((unit) => [1, 3].map((count) => intervalAdjective({ unit, count }, options))),
  suffixes: (options) => [
    recurringSuffix('month', 1, options),
    recurringSuffix('month', 36, options),
    recurringSuffix('year', 1, options),
  ],
  days: (options) => ['2026-01-02', '2026-11-23'].map((day) => dayText(day, options)),
  'gift statuses': (options) =>
    RECURRING_GIFT_STATUSES.flatMap((status) => [
      recurringGiftLabel(status, options),
      ...[null, '2026-11-23'].flatMap((nextChargeOn) =>
        [true, false].map((endedUnpaid) => recurringGiftSentence({ status, nextChargeOn, endedUnpaid }, options)),
      ),
    ]),
  tributes: (options) =>
    TRIBUTE_KINDS.flatMap((kind) => [tributePrefix(kind, options), tributeText({ kind, name: 'Ada' }, options)]),
  'tribute cards': (options) =>
    CARD_STATUSES.map((status) => cardStatusText({ email: 'ada@example.org', status }, options)),
  effects: (options) => [
    ...[0, 1].flatMap((carbon) =>
      [500, 2500, 10_000, 50_000, 200_000].map((amount) =>
        effectSentence({ carbon, amount, typicalGrant: 60_000 }, options),
      ),
    ),
    ...[50_000, 200_000].map((amount) => allGiftsSentence(amount, 60_000, options)),
  ],
  photos: (options) => [photoWarning(20_000_000, options) ?? ''],
  browsers: (options) => ['', 'Windows', 'Firefox/1 Windows'].map((agent) => browserName(agent, options)),
};

test.each(Object.entries(MESSAGES))(
  '%s exist in every language, completely filled in, with English as the default',
  (_, texts) => {
    const [english, spanish] = [texts({ locale: 'en' }), texts(ES)];
    expect(texts()).toEqual(english);
    expect(english.filter((text, index) => text === spanish[index])).toEqual([]);
    expect([...english, ...spanish].filter((text) => text === '' || /[{}]|undefined/.test(text))).toEqual([]);
  },
);

test.each([
  ['an offset', () => itemTitle('offset', 'air', ES), 'Viaje en avión'],
  ['a month', () => formatInterval({ unit: 'month', count: 1 }, ES), 'cada mes'],
  ['several months', () => formatInterval({ unit: 'month', count: 3 }, ES), 'cada 3 meses'],
  ['a year', () => formatInterval({ unit: 'year', count: 1 }, ES), 'cada año'],
  ['a day', () => dayText('2026-11-23', ES), '23 de noviembre de 2026'],
  [
    'two intervals',
    () => cartFailureSentence([donationItem(10, 'month'), donationItem(11, 'month', 3)]),
    'Las donaciones mensuales y las de cada 3 meses no se pueden pagar a la vez. Pague unas ahora y las otras después.',
  ],
  [
    'an incorrect item',
    () => failureSentenceFrom(() => completeItem({ type: 'offset', offsetType: 'car', carbon: 100, cost: 3 })),
    'Viaje en auto: cuesta $1.25, y no $3.00. Quite esta línea y agréguela de nuevo.',
  ],
  [
    'an unknown offset',
    () => failureSentenceFrom(() => itemTitle('offset', 'boat')),
    'Una compensación debe ser de uno de estos tipos: air, car u home.',
  ],
])('in Spanish, %s reads naturally', (_, message, words) => {
  expect(message()).toBe(words);
});

function cartFailureSentence(items: readonly CartItem[]): string {
  const failure = cartFailure(items);
  return failure ? failureSentence(failure, ES) : '';
}

function failureSentenceFrom(run: () => unknown): string {
  try {
    return String(run());
  } catch (error) {
    if (error instanceof Failure) return failureSentence(error, ES);
    throw error;
  }
}

test('every date shows its day and year in each language', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40_000 }), fc.constantFrom(...LANGUAGES), (days, locale) => {
      const day = addDays('1990-01-01', days);
      const numbers = dayText(day, { locale }).match(/\d+/g);
      expect(numbers?.map(Number)).toEqual(expect.arrayContaining([Number(day.slice(0, 4)), Number(day.slice(8))]));
    }),
  );
});
