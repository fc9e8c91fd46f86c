import { type CartItem, MAX_CHECKOUT, offsetItem } from '#domain/cart.ts';
import { distanceMiles } from '#domain/distance.ts';
import {
  airCarbon,
  DEFAULT_MPG,
  DEFAULT_TRAVELERS,
  type OffsetType,
  type VersionedFactors,
} from '#domain/emissions.ts';
import { Failure, getFailureSentence } from '#domain/failures.ts';
import { formatCents, formatWhole, toChargedCents } from '#domain/money.ts';
import { m } from '#messages';
import type { City } from '#web/api/city.ts';
import { parseNumber } from '#web/ui/parse-number.ts';

/** A calculator's estimate, based on its fields. */
export type Estimate<Field extends string = never> = {
  /** The cart item, once the fields are valid. */
  readonly item: CartItem | undefined;
  /** Problems by field. */
  readonly problems: Readonly<Partial<Record<Field, string>>>;
  /** Reason there is no item even though every field is valid. */
  readonly problem: string | undefined;
};

export const NOTHING_TO_OFFSET = m.estimateNothing();

export function noEstimate<Field extends string>(problems: Estimate<Field>['problems']): Estimate<Field> {
  return { item: undefined, problems, problem: undefined };
}

/** The estimate for pounds of carbon. There is no item for 0 lbs, or above the maximum for one checkout. */
export function toEstimate(offsetType: OffsetType, carbon: number, factorSet?: VersionedFactors): Estimate {
  if (carbon === 0) return { item: undefined, problems: {}, problem: NOTHING_TO_OFFSET };
  const item = offsetItem(offsetType, carbon, factorSet);
  if (toChargedCents(item.cost) <= MAX_CHECKOUT) return { item, problems: {}, problem: undefined };
  const { message } = new Failure('cart-above-maximum', { max: formatCents(MAX_CHECKOUT) });
  return { item: undefined, problems: {}, problem: message };
}

function collectProblems<Field extends string>(
  fields: Readonly<Record<Field, ParsedAmount>>,
): Estimate<Field>['problems'] {
  const problems: Partial<Record<Field, string>> = {};
  for (const name in fields) {
    const field = fields[name];
    if (field.kind === 'problem') problems[name] = field.problem;
  }
  return problems;
}

/** Validation rules for a calculator field. */
export type AmountLimits = {
  /** A limit far above any real trip or bill, but low enough for exact arithmetic. */
  readonly maximum: number;
  /** Unit, such as "miles". */
  readonly unit: string;
  readonly wholeOnly?: boolean;
};

/** A parsed field: empty, invalid, or an amount of 0 or more. */
type ParsedAmount =
  | { readonly kind: 'blank' }
  | { readonly kind: 'problem'; readonly problem: string }
  | { readonly kind: 'amount'; readonly amount: number };

export function parseQuantity(text: string, { maximum, unit, wholeOnly = false }: AmountLimits): ParsedAmount {
  const value = parseNumber(text);
  if (value === 'blank') return { kind: 'blank' };
  if (value === 'unclear') return toProblem(m.estimateNumber({ unit }));
  if (value < 0) return toProblem(m.estimateBelowZero({ unit }));
  if (value > maximum) return toProblem(m.estimateAtMost({ max: formatWhole(maximum), unit }));
  if (wholeOnly && !Number.isInteger(value)) return toProblem(m.estimateWhole({ unit }));
  return { kind: 'amount', amount: value };
}

function toProblem(sentence: string): ParsedAmount {
  return { kind: 'problem', problem: sentence };
}

/** The cities of a trip, and the text of its miles field (one way). */
export type Trip = { readonly from: City | undefined; readonly to: City | undefined; readonly miles: string };

export type TripEnd = 'from' | 'to';

/** Fields shared by flights and drives. */
export type TripFormFields = { readonly trip: Trip; readonly roundtrip: boolean };
export type AirFields = TripFormFields & { readonly travelers: string };
export type CarFields = TripFormFields & { readonly mpg: string };

/** The whole miles between two cities: by air or by road. */
export type MeasureMiles = (from: City, to: City) => number;

export const NO_TRIP: Trip = { from: undefined, to: undefined, miles: '' };

export const AIR_DEFAULTS = { trip: NO_TRIP, travelers: String(DEFAULT_TRAVELERS), roundtrip: false };
export const CAR_DEFAULTS = { trip: NO_TRIP, mpg: String(DEFAULT_MPG), roundtrip: false };

/** A familiar flight, for visitors who have not entered their own. */
export const EXAMPLE_FLIGHT = {
  travelers: String(DEFAULT_TRAVELERS),
  roundtrip: true,
  trip: withCity(
    { ...NO_TRIP, from: createUsCity('New York City', 'New York', 40.71427, -74.00597) },
    'to',
    createUsCity('Los Angeles', 'California', 34.05223, -118.24368),
    distanceMiles,
  ),
} as const;

/** Price of the example flight's offset: "$34.24". */
export function formatExamplePrice(factorSet?: VersionedFactors): string {
  const { item } = estimateAir({ ...EXAMPLE_FLIGHT, miles: EXAMPLE_FLIGHT.trip.miles }, factorSet);
  return item ? formatCents(toChargedCents(item.cost)) : '';
}

function createUsCity(city: string, state: string, lat: number, lon: number): City {
  const name = `${city}, ${state}, US`;
  const unknownFields = { county: undefined, postcode: undefined };
  return {
    name,
    lat,
    lon,
    displayName: name,
    city,
    country: 'United States',
    countryCode: 'US',
    ...unknownFields,
    state,
  };
}

/** Sets the city at one end of a trip. Once both ends are set, fills in the miles (§2). */
export function withCity(trip: Trip, end: TripEnd, city: City, measure: MeasureMiles): Trip {
  const newTrip = { ...trip, [end]: city };
  const { from, to } = newTrip;
  return from && to ? { ...newTrip, miles: formatWhole(measure(from, to)) } : newTrip;
}

/** @returns whether both ends are the same place */
export function isSamePlace({ from, to }: Trip): boolean {
  return from !== undefined && to !== undefined && from.lat === to.lat && from.lon === to.lon;
}

type AirForm = { readonly miles: string; readonly travelers: string; readonly roundtrip: boolean };

/** The hint names the missing fields; it is empty when there is an item. */
export type TripEstimate<Field extends string> = Estimate<Field> & { readonly hint: string };

export const MILES: AmountLimits = { maximum: 1_000_000, unit: m.unitMiles() };
const TRAVELERS: AmountLimits = { maximum: 10_000, unit: m.unitTravelers(), wholeOnly: true };

/** Travelers and miles are required and can't be zero (§5). */
export function estimateAir(form: AirForm, factorSet?: VersionedFactors): TripEstimate<'miles' | 'travelers'> {
  const miles = requirePositive(parseQuantity(form.miles, MILES), getFailureSentence('no-miles'));
  const travelers = requirePositive(parseQuantity(form.travelers, TRAVELERS), getFailureSentence('no-travelers'));
  if (miles.kind !== 'amount' || travelers.kind !== 'amount') {
    return incompleteEstimate({ miles, travelers }, formatTripHint({ miles, travelers }));
  }
  const { roundtrip } = form;
  const flight = { travelers: travelers.amount, miles: miles.amount, roundtrip };
  return withoutHint(toEstimate('air', airCarbon(flight, factorSet?.factors), factorSet));
}

export function incompleteEstimate<Field extends string>(
  fields: Readonly<Record<Field, ParsedAmount>>,
  hint: string,
): TripEstimate<Field> {
  return { ...noEstimate(collectProblems(fields)), hint };
}

export function withoutHint(estimate: Estimate): TripEstimate<never> {
  return { ...estimate, hint: '' };
}

export function requirePositive(field: ParsedAmount, problem: string): ParsedAmount {
  return field.kind === 'amount' && field.amount === 0 ? { kind: 'problem', problem } : field;
}

/** The text of the travelers field after − or + is pressed. */
export function stepTravelers(text: string, step: 1 | -1): string {
  const travelers = parseQuantity(text, TRAVELERS);
  if (travelers.kind !== 'amount') return String(DEFAULT_TRAVELERS);
  return String(Math.min(TRAVELERS.maximum, Math.max(1, travelers.amount + step)));
}

type TripField = 'miles' | 'travelers';

/** Hints for a blank field and for an invalid one, which shows its own error. */
const HINTS: Readonly<Record<TripField, { readonly blank: string; readonly problem: string }>> = {
  miles: { blank: m.hintMiles(), problem: m.hintMilesWrong() },
  travelers: { blank: m.hintTravelers(), problem: m.hintTravelersWrong() },
};

/** One sentence for each field that is missing or wrong. */
export function formatTripHint(fields: Readonly<Partial<Record<TripField, ParsedAmount>>>): string {
  const { miles, travelers } = fields;
  const sentences = [getFieldHint('miles', miles), getFieldHint('travelers', travelers)];
  return sentences.filter((sentence) => sentence !== undefined).join(' ');
}

function getFieldHint(name: TripField, field: ParsedAmount | undefined): string | undefined {
  return field === undefined || field.kind === 'amount' ? undefined : HINTS[name][field.kind];
}
