import { add, countOf, type Decimal, decimal, divide, multiply, round, toNumber } from './decimal.ts';
import { DEFAULT_MPG, EMISSION_FACTORS, GALLONS_OF_GAS_PER_TON, POUNDS_PER_TON } from './emission-factors.ts';
import { Failure } from './failures.ts';
import { KEPT_DECIMALS, type TenThousandthsOfPound } from './money.ts';

export type AirTravel = { travelers: number; miles: number; roundtrip: boolean };
export type CarTravel = { miles: number; mpg: number; roundtrip: boolean };
/** Gallons of propane, kilowatt-hours, therms of natural gas, gallons of fuel oil. */
export type HomeEnergy = { propane: number; electricity: number; gas: number; oil: number };
export type QuickType = 'car' | 'home' | 'air';
export type QuickTime = 'year' | 'quarter' | 'monthly';
export type QuickEstimate = { type: QuickType; time: QuickTime };

const QUICK_MONTHS: Record<QuickTime, number> = { year: 12, quarter: 3, monthly: 1 };
const QUICK_MONTHLY = {
  car: EMISSION_FACTORS.quickCar,
  air: EMISSION_FACTORS.quickAir,
  home: EMISSION_FACTORS.quickHome,
};

/**
 * Pounds of carbon of a flight: travelers × miles × 0.56, twice for a round trip (§9).
 * @throws Failure no-travelers, no-miles
 */
export function airCarbon({ travelers, miles, roundtrip }: AirTravel): number {
  if (!isPositive(travelers)) throw new Failure('no-travelers');
  if (!isPositive(miles)) throw new Failure('no-miles');
  return kept(multiply(decimal(travelers), decimal(miles), decimal(EMISSION_FACTORS.air.value), trips(roundtrip)));
}

/**
 * Pounds of carbon of a drive: miles / mpg × 39.28, twice for a round trip; 25 mpg if not given (§5, §9).
 * @throws Failure no-miles
 */
export function carCarbon({ miles, mpg, roundtrip }: CarTravel): number {
  if (!isPositive(miles)) throw new Failure('no-miles');
  const fuel = multiply(decimal(miles), decimal(EMISSION_FACTORS.carFuel.value), trips(roundtrip));
  // One division at the end, so that it is rounded only once.
  return toNumber(divide(fuel, decimal(isPositive(mpg) ? mpg : DEFAULT_MPG), KEPT_DECIMALS));
}

/** Pounds of carbon of a home's energy; blank or non-numeric counts as 0 (§5, §9). */
export function homeCarbon(energy: Partial<HomeEnergy>): number {
  const parts: [number | undefined, string][] = [
    [energy.propane, EMISSION_FACTORS.propane.value],
    [energy.electricity, EMISSION_FACTORS.electricity.value],
    [energy.gas, EMISSION_FACTORS.naturalGas.value],
    [energy.oil, EMISSION_FACTORS.fuelOil.value],
  ];
  const products = parts.map(([amount, perUnit]) => multiply(decimal(countable(amount)), decimal(perUnit)));
  return kept(products.reduce(add));
}

/** Pounds of carbon of an average car, home or flying habit over a period (§9). */
export function quickCarbon({ type, time }: QuickEstimate): number {
  return kept(multiply(decimal(QUICK_MONTHLY[type].value), decimal(QUICK_MONTHS[time])));
}

/** Ten-thousandths of a gallon of gasoline: 102 gallons per 2,000 pounds of carbon (decisions §2). */
export function gasEquivalent(carbon: TenThousandthsOfPound): number {
  const gallons = divide(multiply(decimal(carbon), decimal(GALLONS_OF_GAS_PER_TON)), decimal(POUNDS_PER_TON), 0);
  return countOf(gallons, 0);
}

function kept(carbon: Decimal): number {
  return toNumber(round(carbon, KEPT_DECIMALS));
}

function trips(roundtrip: boolean): Decimal {
  return decimal(roundtrip ? 2 : 1);
}

function isPositive(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}

function countable(value: number | undefined): number {
  return value !== undefined && isPositive(value) ? value : 0;
}
