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
import { type GroupInput, groupTotal, isGroupInput, parseGroup } from '../group/group-estimate.ts';
import { airEstimate, isSamePlace, type MeasureMiles, type Trip } from './estimates.ts';
import type { CarFields } from './more-calculators.tsx';
import { carEstimate, HOME_FIELDS, type HomeForm, homeEstimate, quickEstimate } from './more-estimates.ts';
import type { AirFields } from './trip-calculator.tsx';

/** The organization's settings that an estimate depends on. */
export type CalculatorOrg = Pick<Org, 'id' | 'factors'>;

/** Fields of a calculator, by its tab. */
export type TabInput =
  | { readonly tab: 'air'; readonly fields: AirFields }
  | { readonly tab: 'car'; readonly fields: CarFields }
  | { readonly tab: 'home'; readonly fields: HomeForm }
  | { readonly tab: 'quick'; readonly fields: QuickEstimate };

/** Fields of a calculator or of the group page. */
export type CalculatorInput = TabInput | GroupInput;

/**
 * The calculator fields of a cart line. Undefined if they are missing or yield different pounds than the item, so a row
 * never shows the wrong trip. Items with older factors aren't verified.
 */
export function inputOfLine({ item, entered: stored }: CartLine, used?: VersionedFactors): CalculatorInput | undefined {
  const input = parseInput(stored);
  if (!input) return undefined;
  if (hasOtherFactors(item, used)) return input;
  const isItem = (estimated: CartItem) => estimated.carbon === item.carbon && estimated.offsetType === item.offsetType;
  return itemsFor(input, used).some(isItem) ? input : undefined;
}

/** @returns whether an item's pounds were computed with an older factor set of its organization */
function hasOtherFactors({ factorsVersion }: CartItem, used = SPECIFIED_FACTORS): boolean {
  return factorsVersion !== undefined && factorsVersion !== used.version;
}

function itemsFor(entered: CalculatorInput, used?: VersionedFactors): readonly CartItem[] {
  if (entered.tab === 'group') return groupTotal(parseGroup(entered.text)?.rows ?? [], used).items;
  const { item } = estimateFor(entered, used);
  return item ? [item] : [];
}

export function estimateFor(entered: TabInput, used?: VersionedFactors) {
  if (entered.tab === 'home') return homeEstimate(entered.fields, used);
  if (entered.tab === 'quick') return quickEstimate(entered.fields, used);
  if (entered.tab === 'air') return airEstimate({ ...entered.fields, miles: entered.fields.trip.miles }, used);
  return carEstimate({ ...entered.fields, miles: entered.fields.trip.miles }, used);
}

/** "Ithaca ⇄ Lisbon, 2 travelers, round trip" */
export function inputText(entered: TabInput): string {
  switch (entered.tab) {
    case 'air': {
      const { trip, travelers, roundtrip } = entered.fields;
      const people = m.enteredTravelers({ count: Number(parseNumber(travelers)), travelers: formatInput(travelers) });
      return [...tripTexts(trip, roundtrip, distanceMiles), people, direction(roundtrip)].join(', ');
    }
    case 'car': {
      const { trip, mpg, roundtrip } = entered.fields;
      const economy = mpg.trim() ? [m.enteredMpg({ mpg: formatInput(mpg) })] : [];
      return [...tripTexts(trip, roundtrip, drivingMiles), ...economy, direction(roundtrip)].join(', ');
    }
    case 'home': {
      const filledFields = HOME_FIELDS.filter(({ name }) => Number(parseNumber(entered.fields[name])) > 0);
      return filledFields
        .map(({ name, label, unit }) =>
          m.enteredFuel({ amount: formatInput(entered.fields[name]), unit, fuel: label.toLowerCase() }),
        )
        .join(', ');
    }
    case 'quick':
      return { year: m.enteredYear, quarter: m.enteredQuarter, monthly: m.enteredMonth }[entered.fields.time]();
  }
}

function direction(roundtrip: boolean): string {
  return roundtrip ? m.enteredRoundTrip() : m.enteredOneWay();
}

/** The cities, and the miles unless they equal the distance between the cities. */
function tripTexts({ from, to, miles }: Trip, roundtrip: boolean, measure: MeasureMiles): string[] {
  const formattedMiles = formatInput(miles);
  const distance = m.enteredMiles({ miles: formattedMiles });
  if (!from || !to || isSamePlace({ from, to, miles })) return [distance];
  const cities = `${from.city} ${roundtrip ? '⇄' : '→'} ${to.city}`;
  return formattedMiles === formatWhole(measure(from, to)) ? [cities] : [cities, distance];
}

/** Formats a number with thousands separators. */
function formatInput(text: string): string {
  const value = parseNumber(text);
  return typeof value === 'number' && Number.isFinite(value) ? formatNumber(value) : text.trim();
}

/** Parses input from the browser's storage, which is untrusted. */
export function parseInput(stored: unknown): CalculatorInput | undefined {
  if (isGroupInput(stored)) return stored;
  if (!isRecord(stored) || !isRecord(stored.fields)) return undefined;
  const { tab, fields } = stored;
  const { roundtrip, travelers, mpg, type, time } = fields;
  const trip = readTrip(fields.trip);
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
    type: OFFSET_TYPES.find((known) => known === type),
    time: QUICK_TIMES.find((known) => known === time),
  };
  return tab === 'quick' && choice.type && choice.time
    ? { tab, fields: { type: choice.type, time: choice.time } }
    : undefined;
}

function readTrip(stored: unknown): Trip | undefined {
  if (!isRecord(stored) || !isText(stored.miles)) return undefined;
  return { from: parseCity(stored.from), to: parseCity(stored.to), miles: stored.miles };
}

/** Parses a city from the browser's storage, which is untrusted. */
export function parseCity(stored: unknown): City | undefined {
  if (!isRecord(stored)) return undefined;
  const { name, city, displayName, lat, lon, country, countryCode, county, postcode, state } = stored;
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
