import { decimal, multiply, round, toNumber } from './decimal.ts';

/** Latitude and longitude in degrees, positive to the north and east. */
export type Place = { readonly lat: number; readonly lon: number };

/** As specified in §9. */
export const EARTH_RADIUS_MILES = 3958.8;
/** Ratio of road distance to straight-line distance (§9). */
export const ROAD_FACTOR = '1.2';

/** Great-circle distance in whole miles, by the haversine formula (§9). */
export function distanceMiles(from: Place, to: Place): number {
  const halfLat = radians(to.lat - from.lat) / 2;
  const halfLon = radians(to.lon - from.lon) / 2;
  const h = Math.sin(halfLat) ** 2 + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * Math.sin(halfLon) ** 2;
  // Rounding can push h slightly above 1 for antipodes, and asin would be NaN.
  return Math.round(2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(h))));
}

/** Whole miles by road: the rounded distance × 1.2, rounded again (§9, decisions §2). */
export function drivingMiles(from: Place, to: Place): number {
  return toNumber(round(multiply(decimal(distanceMiles(from, to)), decimal(ROAD_FACTOR)), 0));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
