// @spec 2.city-picker 3.city
import { expect, test } from 'vitest';
import { distanceMiles, drivingMiles } from '#domain/distance.ts';
import { toCity } from '#web/api/city.ts';
import { isSamePlace, NO_TRIP, withCity } from '#web/routes/home/calculator/estimates.ts';

const address = {
  city: 'Ithaca',
  country: 'United States',
  country_code: 'us',
  state: 'New York',
  county: 'Tompkins',
  postcode: '14850',
};
const ITHACA = toCity({ lat: 42.44, lon: -76.5, display_name: 'Ithaca, Tompkins, New York, United States', address });
const LISBON = toCity({
  lat: 38.72,
  lon: -9.14,
  display_name: 'Lisbon, Portugal',
  address: { city: 'Lisbon', country: 'Portugal', country_code: 'PT' },
});

test('a search result becomes a city named by city, state, and uppercase country code', () => {
  expect(ITHACA).toEqual({
    name: 'Ithaca, New York, US',
    lat: 42.44,
    lon: -76.5,
    displayName: 'Ithaca, Tompkins, New York, United States',
    city: 'Ithaca',
    country: 'United States',
    countryCode: 'US',
    county: 'Tompkins',
    postcode: '14850',
    state: 'New York',
  });
});

test('leaves out a missing state, but keeps a state named like the city', () => {
  expect(LISBON.name).toBe('Lisbon, PT');
  const newYork = { ...address, city: 'New York' };
  expect(toCity({ lat: 40.71, lon: -74.01, display_name: 'New York City', address: newYork }).name).toBe(
    'New York, New York, US',
  );
});

test('the miles are filled in once both cities are chosen', () => {
  const partialTrip = withCity({ ...NO_TRIP, miles: '12' }, 'from', ITHACA, distanceMiles);
  expect(partialTrip.miles).toBe('12');
  expect(withCity(partialTrip, 'to', LISBON, distanceMiles).miles).toBe('3,450');
});

test('a drive uses road miles', () => {
  const partialTrip = withCity(NO_TRIP, 'to', LISBON, drivingMiles);
  expect(withCity(partialTrip, 'from', ITHACA, drivingMiles).miles).toBe('4,140');
});

test('entered miles are kept until a city changes', () => {
  const measuredTrip = withCity(withCity(NO_TRIP, 'from', ITHACA, distanceMiles), 'to', LISBON, distanceMiles);
  const correctedTrip = { ...measuredTrip, miles: '4000' };
  expect(withCity(correctedTrip, 'from', LISBON, distanceMiles).miles).toBe('0');
});

test('a trip from a city to itself is recognized', () => {
  const tripFrom = withCity(NO_TRIP, 'from', ITHACA, distanceMiles);
  expect(isSamePlace(tripFrom)).toBe(false);
  expect(isSamePlace(withCity(tripFrom, 'to', LISBON, distanceMiles))).toBe(false);
  expect(isSamePlace(withCity(tripFrom, 'to', ITHACA, distanceMiles))).toBe(true);
});
