import { m } from '#messages';
import { distanceMiles } from './distance.ts';
import { calculatePrice, DEFAULT_MPG, DEFAULT_TRAVELERS, type VersionedFactors } from './emissions.ts';
import type { Message } from './factor-sets.ts';
import { type Calculation, calculateCarbon } from './formula.ts';
import { type Cents, toChargedCents } from './money.ts';

const NEW_YORK = { lat: 40.71427, lon: -74.00597 };
const LOS_ANGELES = { lat: 34.05223, lon: -118.24368 };
const COAST_TO_COAST_MILES = distanceMiles(NEW_YORK, LOS_ANGELES);

const FLIGHT: Calculation = { kind: 'air', travelers: DEFAULT_TRAVELERS, miles: COAST_TO_COAST_MILES, roundtrip: true };
const drive = (miles: number): Calculation => ({ kind: 'car', miles, mpg: DEFAULT_MPG, roundtrip: false });
const home = (months: number): Calculation => ({
  kind: 'home',
  energy: { electricity: 600 * months, gas: 60 * months },
});

/** An example for a set of factors: trips and homes that most people can picture. */
export type FactorExample = { readonly text: Message; readonly calculations: readonly Calculation[] };

export const SINGLE_EXAMPLES = [
  { text: m.exampleFlight, calculations: [FLIGHT] },
  { text: m.exampleDrive, calculations: [drive(100)] },
  { text: m.exampleHome, calculations: [home(1)] },
] as const satisfies readonly FactorExample[];

export const FACTOR_EXAMPLES: readonly FactorExample[] = [
  ...SINGLE_EXAMPLES,
  { text: m.exampleYear, calculations: [FLIGHT, drive(10_000), home(12)] },
];

/** The result of an example. `carbon` in pounds. */
export function exampleEffect(
  { calculations }: FactorExample,
  { factors }: VersionedFactors,
): { readonly carbon: number; readonly charge: Cents } {
  const carbon = calculations.reduce((sum, calculation) => sum + calculateCarbon(calculation, factors), 0);
  return { carbon, charge: toChargedCents(calculatePrice(carbon, factors)) };
}
