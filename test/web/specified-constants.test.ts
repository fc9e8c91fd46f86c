// @spec 2.toast 2.home-screen 2.air 2.car 2.city-picker 2.donate-screen 2.qr-screen 5.city 5.titles 9.price
// @spec 9.air-factor 9.car-factor 9.home-factors 9.quick 9.quick-period 9.roundtrip 9.minimum 9.grant 9.ton
// @spec 9.distance 9.presets 9.city-search 9.preview 9.minimums 9.photo 9.checkout-expiry 9.page-sizes 9.snackbar
// @spec 9.qr decisions.2
import { expect, test } from 'vitest';
import { QRCODE_SIZE } from '#contract/qrcode.ts';
import { page } from '#contract/schemas/shared.ts';
import { DONATION_PRESETS, MIN_CHECKOUT } from '#domain/cart.ts';
import { CHECKOUT_OPEN_MINUTES } from '#domain/checkout.ts';
import { EARTH_RADIUS_MILES, ROAD_FACTOR } from '#domain/distance.ts';
import {
  airCarbon,
  calculatePrice,
  DEFAULT_MPG,
  DEFAULT_TRAVELERS,
  EMISSION_FACTORS,
  FACTORS_VERSION,
  GALLONS_OF_GAS_PER_TON,
  OFFSET_TYPES,
  offsetTitle,
  quickCarbon,
} from '#domain/emissions.ts';
import { STORED_DECIMALS } from '#domain/money.ts';
import { MIN_NAME_LENGTH, MIN_STORY_LENGTH, PHOTO_LIMIT_BYTES, PHOTO_WARNING_BYTES } from '#domain/profile.ts';
import { STORY_PREVIEW_LENGTH } from '#domain/story-preview.ts';
import { MIN_CITY_QUERY_LENGTH } from '#web/routes/home/calculator/city-picker.tsx';
import { TABS } from '#web/routes/home/calculator/tabs.tsx';
import { TOAST_MILLISECONDS } from '#web/ui/toast.tsx';

const FACTORS = EMISSION_FACTORS;
const flight = { travelers: 1, miles: 1, roundtrip: false };

/**
 * The constants of §9, and the offset types with their titles (§3, §5) and tabs (§2). Another test checks the FAQ's
 * numbers.
 */
const CONSTANTS: readonly (readonly [string, unknown, unknown])[] = [
  ['carbon price, dollars per pound', FACTORS.carbonPrice.value, '0.0125'],
  ['air, lb per mile per traveler', FACTORS.air.value, '0.56'],
  ['offset types', OFFSET_TYPES, ['air', 'car', 'home']],
  ['offset titles', OFFSET_TYPES.map((type) => offsetTitle(type)), ['Air travel', 'Car travel', 'Home energy use']],
  ['calculator tabs', TABS.map(({ label }) => label), ['Air', 'Car', 'Home', 'Quick', 'Cart']],
  ['car, road factor', ROAD_FACTOR, '1.2'],
  ['car, lb per gallon', FACTORS.carFuel.value, '39.28'],
  ['car, default miles per gallon', DEFAULT_MPG, 25],
  ['air, default travelers (§2)', DEFAULT_TRAVELERS, 1],
  ['home, lb per gallon of propane', FACTORS.propane.value, '12.17'],
  ['home, lb per kWh', FACTORS.electricity.value, '0.233'],
  ['home, lb per therm', FACTORS.naturalGas.value, '25.2'],
  ['home, lb per gallon of fuel oil', FACTORS.fuelOil.value, '22.37'],
  ['quick, lb per month by car', FACTORS.quickCar.value, '722'],
  ['quick, lb per month by air', FACTORS.quickAir.value, '425'],
  ['quick, lb per month at home', FACTORS.quickHome.value, '1240'],
  ['quick, a year', quickCarbon({ type: 'car', time: 'year' }), 722 * 12],
  ['quick, a quarter', quickCarbon({ type: 'air', time: 'quarter' }), 425 * 3],
  ['quick, monthly', quickCarbon({ type: 'home', time: 'monthly' }), 1240],
  ['round trip doubles', airCarbon({ ...flight, roundtrip: true }) / airCarbon(flight), 2],
  ['minimum cost, dollars', calculatePrice(0.0001), 0.01],
  ['decimals of cost and carbon', STORED_DECIMALS, 4],
  ['minimum checkout, cents', MIN_CHECKOUT, 500],
  ['a ton in gallons of gas', GALLONS_OF_GAS_PER_TON, 102],
  ['earth radius, miles', EARTH_RADIUS_MILES, 3958.8],
  ['donation presets, dollars', DONATION_PRESETS, [25, 50, 100, 250, 500]],
  ['city search, characters', MIN_CITY_QUERY_LENGTH, 3],
  ['story preview, characters', STORY_PREVIEW_LENGTH, 150],
  ['name, characters', MIN_NAME_LENGTH, 3],
  ['story, characters', MIN_STORY_LENGTH, 26],
  ['photo, bytes', PHOTO_LIMIT_BYTES, 25 * 1024 * 1024],
  ['photo warning, bytes', PHOTO_WARNING_BYTES, 15 * 1024 * 1024],
  ['checkout expiry, minutes', CHECKOUT_OPEN_MINUTES, 1440],
  ['page size', page.parse({}).max, 10],
  ['snackbar, milliseconds', TOAST_MILLISECONDS, 3000],
  ['QR code, pixels', QRCODE_SIZE, 200],
];

test.each(CONSTANTS)('%s', (_name, actual, specified) => {
  expect(actual).toEqual(specified);
});

/**
 * A stored item contains the version it was computed with, so the values of a version must never change. To change a
 * value, raise the version and update both here.
 */
test('factor values match their version', () => {
  const values = Object.values(FACTORS).map(({ value }) => value);
  expect([FACTORS_VERSION, ...values]).toEqual([
    '2026-1',
    '0.0125',
    '0.56',
    '39.28',
    '12.17',
    '0.233',
    '25.2',
    '22.37',
    '722',
    '425',
    '1240',
  ]);
});
