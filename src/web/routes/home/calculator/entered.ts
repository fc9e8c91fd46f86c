import type { Org } from '#contract/schemas/orgs.ts';
import type { CartItem } from '#domain/cart.ts';
import { distanceMiles, drivingMiles } from '#domain/distance.ts';
import { OFFSET_TYPES, QUICK_TIMES, type QuickEstimate, SPECIFIED, type UsedFactors } from '#domain/emissions.ts';
import { formatNumber, formatWhole } from '#domain/money.ts';
import { m } from '#messages';
import type { City } from '#web/api/city.ts';
import type { CartLine } from '#web/cart/cart-lines.ts';
import { typedNumber } from '#web/ui/typed-number.ts';
import { type GroupEntered, groupOfText, groupTotal, isGroupEntered } from '../group/group-estimate.ts';
import { airEstimate, isSamePlace, type MeasureMiles, type Trip } from './estimates.ts';
import type { CarFields } from './more-calculators.tsx';
import { carEstimate, HOME_FIELDS, type HomeForm, homeEstimate, quickEstimate } from './more-estimates.ts';
import type { AirFields } from './trip-calculator.tsx';

/** The organization's settings that an estimate depends on. */
export type OfOrg = Pick<Org, 'id' | 'factors'>;

/** Fields of a calculator, by its tab. */
export type TabEntered =
  | { readonly tab: 'air'; readonly fields: AirFields }
  | { readonly tab: 'car'; readonly fields: CarFields }
  | { readonly tab: 'home'; readonly fields: HomeForm }
  | { readonly tab: 'quick'; readonly fields: QuickEstimate };

/** Fields of a calculator or of the group page. */
export type Entered = TabEntered | GroupEntered;

/**
 * What was entered for an item of the cart. Undefined if that is not known, or comes to other pounds than the item's: a row
 * never describes another trip than the one that is paid for. With numbers of before it can't be computed again.
 */
export function enteredFor({ item, entered: stored }: CartLine, used?: UsedFactors): Entered | undefined {
  const entered = readEntered(stored);
  if (!entered) return undefined;
  if (hasOtherNumbers(item, used)) return entered;
  const isItem = (estimated: CartItem) => estimated.carbon === item.carbon && estimated.offsetType === item.offsetType;
  return itemsFor(entered, used).some(isItem) ? entered : undefined;
}

/** @returns whether an item's pounds were computed with an older factor set of its organization */
export function hasOtherNumbers({ factorsVersion }: CartItem, used = SPECIFIED): boolean {
  return factorsVersion !== undefined && factorsVersion !== used.version;
}

function itemsFor(entered: Entered, used?: UsedFactors): readonly CartItem[] {
  if (entered.tab === 'group') return groupTotal(groupOfText(entered.text)?.rows ?? [], used).items;
  const { item } = estimateFor(entered, used);
  return item ? [item] : [];
}

/** @param used the organization's factor set */
export function estimateFor(entered: TabEntered, used?: UsedFactors) {
  if (entered.tab === 'home') return homeEstimate(entered.fields, used);
  if (entered.tab === 'quick') return quickEstimate(entered.fields, used);
  if (entered.tab === 'air') return airEstimate({ ...entered.fields, miles: entered.fields.trip.miles }, used);
  return carEstimate({ ...entered.fields, miles: entered.fields.trip.miles }, used);
}

/** "Ithaca ⇄ Lisbon, 2 travelers, round trip" */
export function enteredText(entered: TabEntered): string {
  switch (entered.tab) {
    case 'air': {
      const { trip, travelers, roundtrip } = entered.fields;
      const people = m.enteredTravelers({ count: Number(typedNumber(travelers)), travelers: formatTyped(travelers) });
      return [...tripTexts(trip, roundtrip, distanceMiles), people, direction(roundtrip)].join(', ');
    }
    case 'car': {
      const { trip, mpg, roundtrip } = entered.fields;
      const economy = mpg.trim() ? [m.enteredMpg({ mpg: formatTyped(mpg) })] : [];
      return [...tripTexts(trip, roundtrip, drivingMiles), ...economy, direction(roundtrip)].join(', ');
    }
    case 'home': {
      const filled = HOME_FIELDS.filter(({ name }) => Number(typedNumber(entered.fields[name])) > 0);
      return filled
        .map(({ name, label, unit }) =>
          m.enteredFuel({ amount: formatTyped(entered.fields[name]), unit, fuel: label.toLowerCase() }),
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

/** The cities, and the miles unless they are those between the cities. */
function tripTexts({ from, to, miles }: Trip, roundtrip: boolean, measure: MeasureMiles): string[] {
  const typed = formatTyped(miles);
  const distance = m.enteredMiles({ miles: typed });
  if (!from || !to || isSamePlace({ from, to, miles })) return [distance];
  const cities = `${from.city} ${roundtrip ? '⇄' : '→'} ${to.city}`;
  return typed === formatWhole(measure(from, to)) ? [cities] : [cities, distance];
}

/** Formats a typed number with thousands separators. */
function formatTyped(text: string): string {
  const typed = typedNumber(text);
  return typeof typed === 'number' && Number.isFinite(typed) ? formatNumber(typed) : text.trim();
}

/** Read from the browser's storage, so nothing in it is trusted. */
function readEntered(stored: unknown): Entered | undefined {
  if (isGroupEntered(stored)) return stored;
  if (!isRecord(stored) || !isRecord(stored.fields)) return undefined;
  const { tab, fields } = stored;
  const { roundtrip, travelers, mpg, type, time } = fields;
  const trip = readTrip(fields.trip);
  if (tab === 'air' && trip && isTyped(travelers))
    return { tab, fields: { trip, travelers, roundtrip: roundtrip === true } };
  if (tab === 'car' && trip && isTyped(mpg)) return { tab, fields: { trip, mpg, roundtrip: roundtrip === true } };
  if (tab === 'home') {
    const { propane, electricity, gas, oil } = fields;
    return isTyped(propane) && isTyped(electricity) && isTyped(gas) && isTyped(oil)
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
  if (!isRecord(stored) || !isTyped(stored.miles)) return undefined;
  return { from: readCity(stored.from), to: readCity(stored.to), miles: stored.miles };
}

function readCity(stored: unknown): City | undefined {
  if (!isRecord(stored)) return undefined;
  const { name, city, displayName, lat, lon, country, countryCode, county, postcode, state } = stored;
  if (!isTyped(name) || !isTyped(city) || typeof lat !== 'number' || typeof lon !== 'number') return undefined;
  return {
    name,
    lat,
    lon,
    displayName: typed(displayName) ?? name,
    city,
    country: typed(country) ?? '',
    countryCode: typed(countryCode) ?? '',
    county: typed(county),
    postcode: typed(postcode),
    state: typed(state),
  };
}

/** Longer than the name of any city or a number that is taken. */
const MOST_CHARACTERS = 200;

function isTyped(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MOST_CHARACTERS;
}

function typed(value: unknown): string | undefined {
  return isTyped(value) ? value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
