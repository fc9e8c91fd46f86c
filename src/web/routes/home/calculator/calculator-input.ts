import type { Org } from '#contract/schemas/orgs.ts';
import type { CartItem } from '#domain/cart.ts';
import { distanceMiles, drivingMiles } from '#domain/distance.ts';
import {
  OFFSET_TYPES,
  QUICK_TIMES,
  type QuickEstimate,
  SPECIFIED_FACTORS,
  type VersionedFactors,
} from '#domain/emissions.ts';
import { formatNumber, formatWhole } from '#domain/money.ts';
import { m } from '#messages';
import type { City } from '#web/api/city.ts';
import { isRecord } from '#web/browser/parse-json.ts';
import type { CartLine } from '#web/cart/cart-lines.ts';
import { parseNumber } from '#web/ui/parse-number.ts';
import { calculateGroupTotal, type GroupInput, isGroupInput, parseGroup } from '../group/group-estimate.ts';
import { type AirFields, type CarFields, estimateAir, isSamePlace, type MeasureMiles, type Trip } from './estimates.ts';
import { estimateCar, estimateHome, estimateQuick, HOME_FIELDS, type HomeForm } from './lazy-estimates.ts';

/** The organization's settings that an estimate depends on. */
export type CalculatorOrg = Pick<Org, 'id' | 'factors'>;

/** Fields of a calculator, by its tab. */
export type TabInput =
  | { readonly tab: 'air'; readonly fields: AirFields }
  | { readonly tab: 'car'; readonly fields: CarFields }
  | { readonly tab: 'home'; readonly fields: HomeForm }
  | { readonly tab: 'quick'; readonly fields: QuickEstimate };

/** Fields by tab of the calculators that load on demand. */
export type LazyFields = { readonly car: CarFields; readonly home: HomeForm; readonly quick: QuickEstimate };

/** Fields of a calculator or of the group page. */
export type CalculatorInput = TabInput | GroupInput;

/**
 * The calculator fields of a cart line. Undefined if they are missing or yield different pounds than the item, so a row
 * never shows the wrong trip. Items with older factors aren't verified.
 */
export function getLineInput(
  { item, input: storedInput }: CartLine,
  factorSet?: VersionedFactors,
): CalculatorInput | undefined {
  const input = parseInput(storedInput);
  if (!input) return undefined;
  if (hasOlderFactors(item, factorSet)) return input;
  const matchesItem = (estimated: CartItem) =>
    estimated.carbon === item.carbon && estimated.offsetType === item.offsetType;
  return listItems(input, factorSet).some(matchesItem) ? input : undefined;
}

/** @returns whether an item's pounds were computed with an older factor set of its organization */
function hasOlderFactors({ factorsVersion }: CartItem, factorSet = SPECIFIED_FACTORS): boolean {
  return factorsVersion !== undefined && factorsVersion !== factorSet.version;
}

function listItems(input: CalculatorInput, factorSet?: VersionedFactors): readonly CartItem[] {
  if (input.tab === 'group') return calculateGroupTotal(parseGroup(input.text)?.rows ?? [], factorSet).items;
  const { item } = estimateTab(input, factorSet);
  return item ? [item] : [];
}

export function estimateTab(input: TabInput, factorSet?: VersionedFactors) {
  if (input.tab === 'home') return estimateHome(input.fields, factorSet);
  if (input.tab === 'quick') return estimateQuick(input.fields, factorSet);
  if (input.tab === 'air') return estimateAir({ ...input.fields, miles: input.fields.trip.miles }, factorSet);
  return estimateCar({ ...input.fields, miles: input.fields.trip.miles }, factorSet);
}

/** "Ithaca ⇄ Lisbon, 2 travelers, round trip" */
export function describeInput(input: TabInput): string {
  switch (input.tab) {
    case 'air': {
      const { trip, travelers, roundtrip } = input.fields;
      const people = m.enteredTravelers({
        count: Number(parseNumber(travelers)),
        travelers: formatQuantity(travelers),
      });
      return [...formatTrip(trip, roundtrip, distanceMiles), people, formatDirection(roundtrip)].join(', ');
    }
    case 'car': {
      const { trip, mpg, roundtrip } = input.fields;
      const fuelEconomy = mpg.trim() ? [m.enteredMpg({ mpg: formatQuantity(mpg) })] : [];
      return [...formatTrip(trip, roundtrip, drivingMiles), ...fuelEconomy, formatDirection(roundtrip)].join(', ');
    }
    case 'home': {
      const filledFields = HOME_FIELDS.filter(({ name }) => Number(parseNumber(input.fields[name])) > 0);
      return filledFields
        .map(({ name, label, unit }) =>
          m.enteredFuel({ amount: formatQuantity(input.fields[name]), unit, fuel: label.toLowerCase() }),
        )
        .join(', ');
    }
    case 'quick':
      return { year: m.enteredYear, quarter: m.enteredQuarter, monthly: m.enteredMonth }[input.fields.time]();
  }
}

function formatDirection(roundtrip: boolean): string {
  return roundtrip ? m.enteredRoundTrip() : m.enteredOneWay();
}

/** The cities, and the miles unless they equal the distance between the cities. */
function formatTrip({ from, to, miles }: Trip, roundtrip: boolean, measure: MeasureMiles): string[] {
  const formattedMiles = formatQuantity(miles);
  const distance = m.enteredMiles({ miles: formattedMiles });
  if (!from || !to || isSamePlace({ from, to, miles })) return [distance];
  const cities = `${from.city} ${roundtrip ? '⇄' : '→'} ${to.city}`;
  return formattedMiles === formatWhole(measure(from, to)) ? [cities] : [cities, distance];
}

/** Formats a number with thousands separators. */
function formatQuantity(text: string): string {
  const value = parseNumber(text);
  return typeof value === 'number' && Number.isFinite(value) ? formatNumber(value) : text.trim();
}

/** Parses input from the browser's storage, which is untrusted. */
export function parseInput(value: unknown): CalculatorInput | undefined {
  if (isGroupInput(value)) return value;
  if (!isRecord(value) || !isRecord(value.fields)) return undefined;
  const { tab, fields } = value;
  const { roundtrip, travelers, mpg, type, time } = fields;
  const trip = parseTrip(fields.trip);
  if (tab === 'air' && trip && isText(travelers))
    return { tab, fields: { trip, travelers, roundtrip: roundtrip === true } };
  if (tab === 'car' && trip && isText(mpg)) return { tab, fields: { trip, mpg, roundtrip: roundtrip === true } };
  if (tab === 'home') {
    const { propane, electricity, gas, oil } = fields;
    return isText(propane) && isText(electricity) && isText(gas) && isText(oil)
      ? { tab, fields: { propane, electricity, gas, oil } }
      : undefined;
  }
  const choice = {
    type: OFFSET_TYPES.find((candidate) => candidate === type),
    time: QUICK_TIMES.find((candidate) => candidate === time),
  };
  return tab === 'quick' && choice.type && choice.time
    ? { tab, fields: { type: choice.type, time: choice.time } }
    : undefined;
}

function parseTrip(value: unknown): Trip | undefined {
  if (!isRecord(value) || !isText(value.miles)) return undefined;
  return { from: parseCity(value.from), to: parseCity(value.to), miles: value.miles };
}

/** Parses a city from the browser's storage, which is untrusted. */
export function parseCity(value: unknown): City | undefined {
  if (!isRecord(value)) return undefined;
  const { name, city, displayName, lat, lon, country, countryCode, county, postcode, state } = value;
  if (!isText(name) || !isText(city) || typeof lat !== 'number' || typeof lon !== 'number') return undefined;
  return {
    name,
    lat,
    lon,
    displayName: textOrUndefined(displayName) ?? name,
    city,
    country: textOrUndefined(country) ?? '',
    countryCode: textOrUndefined(countryCode) ?? '',
    county: textOrUndefined(county),
    postcode: textOrUndefined(postcode),
    state: textOrUndefined(state),
  };
}

/** Longer than any city's name or accepted number. */
const MAX_CHARACTERS = 200;

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_CHARACTERS;
}

function textOrUndefined(value: unknown): string | undefined {
  return isText(value) ? value : undefined;
}
