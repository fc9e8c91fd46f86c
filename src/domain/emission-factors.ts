/**
 * The numbers of §9 that turn a habit into pounds of carbon dioxide, or pounds into dollars. Every stored cart item
 * keeps the version it was computed with, so a change of any value needs a new version.
 */
export type EmissionFactor = {
  /** An exact decimal, as text: binary floating point cannot hold most of them. */
  readonly value: string;
  readonly unit: string;
  readonly source: string;
  readonly note: string;
};

const SOURCE = 'specification §9';
const EVERYWHERE = 'Assumed the same in every region.';

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
    'About twice the 19.6 pounds that burning a gallon of gasoline alone releases.',
  ),
  propane: factor('12.17', 'pounds per gallon'),
  electricity: factor('0.233', 'pounds per kilowatt-hour', "Upstate New York's grid; other regions differ."),
  naturalGas: factor('25.2', 'pounds per therm', 'About twice the 11.7 pounds that burning a therm alone releases.'),
  fuelOil: factor('22.37', 'pounds per gallon'),
  quickCar: factor('722', 'pounds per month', 'An average household; higher for heavy drivers.'),
  quickAir: factor('425', 'pounds per month', 'An average household.'),
  quickHome: factor('1240', 'pounds per month', 'An average household; higher in colder regions.'),
} as const satisfies Record<string, EmissionFactor>;

/** Miles per gallon, if not given (§9). */
export const DEFAULT_MPG = 25;
/** Travelers on a flight, if not given (§2). */
export const DEFAULT_TRAVELERS = 1;
/** Road distance over straight-line distance (§9). */
export const ROAD_FACTOR = '1.2';
/** A ton, in pounds and in gallons of gasoline (§9, decisions §2). */
export const POUNDS_PER_TON = 2000;
export const GALLONS_OF_GAS_PER_TON = 102;
