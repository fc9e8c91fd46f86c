import { type InLanguage, m } from '#messages';
import { add, compare, type Decimal, decimal, divide, multiply, round, toNumber, toUnits } from './decimal.ts';
import { Failure } from './failures.ts';
import { type Dollars, type Pounds, STORED_DECIMALS, type TenThousandthsOfPound } from './money.ts';

/** Kinds of offsets (§3), and the titles of their cart items (§5). */
const OFFSET_TITLES = { air: m.itemAir, car: m.itemCar, home: m.itemHome } as const;
export type OffsetType = keyof typeof OFFSET_TITLES;
export const OFFSET_TYPES = Object.keys(OFFSET_TITLES) as OffsetType[];

/** "Air travel" */
export function offsetTitle(type: OffsetType, options?: InLanguage): string {
  return OFFSET_TITLES[type]({}, options);
}

/** Factors of the formulas in §9. */
export const FACTOR_NAMES = [
  'carbonPrice',
  'air',
  'carFuel',
  'propane',
  'electricity',
  'naturalGas',
  'fuelOil',
  'quickCar',
  'quickAir',
  'quickHome',
] as const;
export type FactorName = (typeof FACTOR_NAMES)[number];

/** Factor for flights of fewer miles, one way, than `maxMilesExclusive`. */
export type ShorterFlights = { readonly maxMilesExclusive: number; readonly value: string };
type FactorValue = { readonly value: string };
/**
 * Factor values are strings, because binary floating point can't represent most of them exactly. The factor for flights can
 * include other factors for shorter flights, shortest first.
 */
export type FactorValues = Readonly<Record<FactorName, FactorValue>> & {
  readonly air: FactorValue & { readonly shortFlights?: readonly ShorterFlights[] | undefined };
};

/** An organization's factors, and the version that its cart items store. A version's values never change. */
export type VersionedFactors = { readonly version: string; readonly factors: FactorValues };

/** Every cart item stores the version of its factors, so a change of any value needs a new version. */
export const FACTORS_VERSION = '2026-1';

/** The specification's factors (§9). factor-sets.ts has their descriptions and sources. */
export const EMISSION_FACTORS: FactorValues = {
  carbonPrice: { value: '0.0125' },
  air: { value: '0.56' },
  carFuel: { value: '39.28' },
  propane: { value: '12.17' },
  electricity: { value: '0.233' },
  naturalGas: { value: '25.2' },
  fuelOil: { value: '22.37' },
  quickCar: { value: '722' },
  quickAir: { value: '425' },
  quickHome: { value: '1240' },
};

/** The default for organizations that have not chosen another set. */
export const SPECIFIED_FACTORS: VersionedFactors = { version: FACTORS_VERSION, factors: EMISSION_FACTORS };

/** Default miles per gallon (§9). */
export const DEFAULT_MPG = 25;
/** Default travelers on a flight (§2). */
export const DEFAULT_TRAVELERS = 1;
/** A ton in pounds, and in gallons of gasoline (§9, decisions §2). */
export const POUNDS_PER_TON = 2000;
export const GALLONS_OF_GAS_PER_TON = 102;

export type AirTravel = { travelers: number; miles: number; roundtrip: boolean };
export type CarTravel = { miles: number; mpg: number; roundtrip: boolean };
/** Gallons of propane, kilowatt-hours, therms of natural gas, and gallons of fuel oil. */
export type HomeEnergy = { propane: number; electricity: number; gas: number; oil: number };
export type QuickTime = 'year' | 'quarter' | 'monthly';
export type QuickEstimate = { type: OffsetType; time: QuickTime };

export const QUICK_MONTHS: Record<QuickTime, number> = { year: 12, quarter: 3, monthly: 1 };
export const QUICK_TIMES = Object.keys(QUICK_MONTHS) as QuickTime[];
export const QUICK_FACTORS = { car: 'quickCar', air: 'quickAir', home: 'quickHome' } as const;

/** The factor for a flight, by its miles one way. */
export function flightFactor({ air: { value, shortFlights = [] } }: FactorValues, miles: number): string {
  return shortFlights.find(({ maxMilesExclusive }) => miles < maxMilesExclusive)?.value ?? value;
}

/**
 * Pounds of carbon from a flight: travelers × miles × 0.56, doubled for a round trip (§9).
 * @throws Failure no-travelers, no-miles
 */
export function airCarbon({ travelers, miles, roundtrip }: AirTravel, factors = EMISSION_FACTORS): Pounds {
  if (!isPositive(travelers)) throw new Failure('no-travelers');
  if (!isPositive(miles)) throw new Failure('no-miles');
  return roundCarbon(
    multiply(decimal(travelers), decimal(miles), decimal(flightFactor(factors, miles)), countTrips(roundtrip)),
  );
}

/**
 * Pounds of carbon from a drive: miles / mpg × 39.28, doubled for a round trip; 25 mpg by default (§5, §9).
 * @throws Failure no-miles
 */
export function carCarbon({ miles, mpg, roundtrip }: CarTravel, factors = EMISSION_FACTORS): Pounds {
  if (!isPositive(miles)) throw new Failure('no-miles');
  const fuel = multiply(decimal(miles), decimal(factors.carFuel.value), countTrips(roundtrip));
  // Divide once, at the end, so that the result is rounded only once.
  return toNumber(divide(fuel, decimal(isPositive(mpg) ? mpg : DEFAULT_MPG), STORED_DECIMALS));
}

export const FUEL_FACTORS: Readonly<Record<keyof HomeEnergy, FactorName>> = {
  propane: 'propane',
  electricity: 'electricity',
  gas: 'naturalGas',
  oil: 'fuelOil',
};

/** Pounds of carbon from home energy; blank or non-numeric amounts count as 0 (§5, §9). */
export function homeCarbon(energy: Partial<HomeEnergy>, factors = EMISSION_FACTORS): Pounds {
  const parts = (Object.keys(FUEL_FACTORS) as (keyof HomeEnergy)[]).map(
    (fuel) => [energy[fuel], factors[FUEL_FACTORS[fuel]].value] as const,
  );
  const products = parts.map(([amount, perUnit]) => multiply(decimal(positiveOrZero(amount)), decimal(perUnit)));
  return roundCarbon(products.reduce(add));
}

/** Pounds of carbon from average driving, flying, or home energy use over a period (§9). */
export function quickCarbon({ type, time }: QuickEstimate, factors = EMISSION_FACTORS): Pounds {
  return roundCarbon(multiply(decimal(factors[QUICK_FACTORS[type]].value), decimal(QUICK_MONTHS[time])));
}

const MIN_COST = decimal('0.01');

/** Dollars, 4 decimals, for pounds of carbon: max(carbon × 0.0125, 0.01), rounded half away from zero (§9). */
export function calculatePrice(carbon: Pounds, factors = EMISSION_FACTORS): Dollars {
  const price = multiply(decimal(carbon), decimal(factors.carbonPrice.value));
  return toNumber(round(compare(price, MIN_COST) < 0 ? MIN_COST : price, STORED_DECIMALS));
}

/** Ten-thousandths of a gallon of gasoline: 102 gallons per 2,000 pounds of carbon (decisions §2). */
export function gasEquivalent(carbon: TenThousandthsOfPound): number {
  const gallons = divide(multiply(decimal(carbon), decimal(GALLONS_OF_GAS_PER_TON)), decimal(POUNDS_PER_TON), 0);
  return toUnits(gallons, 0);
}

function roundCarbon(carbon: Decimal): Pounds {
  return toNumber(round(carbon, STORED_DECIMALS));
}

function countTrips(roundtrip: boolean): Decimal {
  return decimal(roundtrip ? 2 : 1);
}

function isPositive(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}

function positiveOrZero(value: number | undefined): number {
  return value !== undefined && isPositive(value) ? value : 0;
}
