/**
 * Every number of §9 that turns a habit into pounds of carbon dioxide, or pounds into dollars: one table, each with
 * what it means, where it comes from, and where it does not hold. A stored cart item keeps the version it was
 * computed with, so a change of any value here needs a new version.
 */
export type EmissionFactor = {
  /** Exact decimal, as text, because binary floating point cannot hold most of them. */
  readonly value: string;
  readonly unit: string;
  readonly source: string;
  readonly note: string;
};

const SOURCE = 'specification §9';
const EVERYWHERE = 'Taken to be the same in every region.';

const factor = (value: string, unit: string, note = EVERYWHERE): EmissionFactor => ({
  value,
  unit,
  source: SOURCE,
  note,
});

export const FACTORS_VERSION = '2026-1';

export const EMISSION_FACTORS = {
  carbonPrice: factor('0.0125', 'US dollars per pound', "The fund's price: $25 per ton of 2,000 pounds."),
  air: factor(
    '0.56',
    'pounds per mile per traveler',
    'An average over aircraft, seats and distances; a single flight differs.',
  ),
  carFuel: factor(
    '39.28',
    'pounds per gallon',
    'About twice what burning a gallon of gasoline alone gives off, which is 19.6 pounds.',
  ),
  propane: factor('12.17', 'pounds per gallon'),
  electricity: factor(
    '0.233',
    'pounds per kilowatt-hour',
    "Upstate New York's grid; an organization elsewhere has another.",
  ),
  naturalGas: factor(
    '25.2',
    'pounds per therm',
    'About twice what burning a therm alone gives off, which is 11.7 pounds.',
  ),
  fuelOil: factor('22.37', 'pounds per gallon'),
  quickCar: factor('722', 'pounds per month', 'An average household; who drives little is below it.'),
  quickAir: factor('425', 'pounds per month', 'An average household.'),
  quickHome: factor('1240', 'pounds per month', 'An average household; a colder region is above it.'),
} as const satisfies Record<string, EmissionFactor>;

/** Miles per gallon of a car whose owner does not say (§9). */
export const DEFAULT_MPG = 25;
/** Travelers of a flight whose owner does not say (§2). */
export const DEFAULT_TRAVELERS = 1;
/** What a road adds to the straight line between two cities (§9). */
export const ROAD_FACTOR = '1.2';
/** Pounds in a ton, and what the fund says a ton is (§9, decisions §2). */
export const POUNDS_PER_TON = 2000;
export const GALLONS_OF_GAS_PER_TON = 102;
export const TREES_PER_TON = 15;
/** Dollars per ton: the grant, and the least that science says a ton costs society (§9). */
export const GRANT_PER_TON = 25;
export const SOCIAL_COST_PER_TON = 125;
