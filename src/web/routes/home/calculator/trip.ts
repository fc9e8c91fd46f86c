import { formatWhole } from '#domain/money.ts';
import type { City } from '#web/api/city.ts';

/** Where a trip goes, and its miles one way as they stand in their field. */
export type Trip = { readonly from: City | undefined; readonly to: City | undefined; readonly miles: string };

export type TripEnd = 'from' | 'to';

/** Whole miles between two cities: through the air, or by road. */
export type MeasureMiles = (from: City, to: City) => number;

export const NO_TRIP: Trip = { from: undefined, to: undefined, miles: '' };

/** The trip with another city at one end. Once it has both ends, its miles fill in by themselves (§2). */
export function withCity(trip: Trip, end: TripEnd, city: City, measure: MeasureMiles): Trip {
  const changed = { ...trip, [end]: city };
  const { from, to } = changed;
  return from && to ? { ...changed, miles: formatWhole(measure(from, to)) } : changed;
}

/** Whether both ends are one place, so that there is no way to measure. */
export function staysInPlace({ from, to }: Trip): boolean {
  return from !== undefined && to !== undefined && from.lat === to.lat && from.lon === to.lon;
}
