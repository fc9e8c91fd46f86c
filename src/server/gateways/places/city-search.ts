import { HOME_COUNTRY, NAME_BONUS } from './city-file.ts';
import type { CityTable } from './city-table.ts';
import { foldName } from './fold-name.ts';
import { createRegionNames, type MatchingStates, type RegionNames } from './region-names.ts';
import { isZipCode, listWordSplits, parseSearch, type SearchText } from './search-text.ts';

/** Returns the numbers of at most `limit` places, best first. Never throws. */
export type CitySearch = (text: string, limit: number) => number[];

/** Returns the bonus for the score, or undefined if the place doesn't qualify. */
type Condition = (place: number, isExactName: boolean) => number | undefined;

/** One interpretation of a query: a complete name or a prefix, plus conditions for the place. */
type Interpretation = {
  key: string;
  isWhole: boolean;
  isInCapitals: boolean;
  conditions: readonly Condition[];
};

/**
 * Up to this many letters, other names, such as airport codes, match only in full. Otherwise too many would match:
 * "ith" wouldn't find Ithaca, and "mün" wouldn't find Munich.
 */
const CODE_LETTERS = 3;

export function createCitySearch(table: CityTable): CitySearch {
  const regions = createRegionNames(table.states);
  return (text, limit) => {
    const search = parseSearch(text);
    if (search.words.length === 0) return [];
    const withoutRegion = { ...search, qualifiers: [] };
    const attempts = [
      () => findNames(table, listInterpretations(table, regions, search, regions.findByName), limit),
      () => findNames(table, listInterpretations(table, regions, search, regions.findByPrefix), limit),
      () => findNearSpellings(table, listInterpretations(table, regions, search, regions.findByName), limit),
      // An unknown or misspelled region must not hide the city.
      () => findNames(table, listInterpretations(table, regions, withoutRegion, regions.findByName), limit),
    ];
    for (const attempt of attempts) {
      const places = attempt();
      if (places.length > 0) return places;
    }
    return [];
  };
}

/** Lists interpretations of a query: "ithaca ny" is a place whose name starts that way, or Ithaca in NY. */
function listInterpretations(
  table: CityTable,
  regions: RegionNames,
  { words, qualifiers, isInCapitals }: SearchText,
  findStates: (folded: string) => MatchingStates,
): Interpretation[] {
  const conditions = qualifiers.map((qualifier) => createQualifierCondition(table, regions, qualifier));
  const splitOffRegions = (
    name: readonly string[],
    outerConditions: readonly Condition[],
    depth: number,
  ): Interpretation[] =>
    listWordSplits(name).flatMap(({ head, tail }) => {
      const states = findStates(tail);
      if (states.size === 0) return [];
      const allConditions = [...outerConditions, createStateCondition(table, states)];
      const interpretation = { key: head.join(''), isWhole: true, isInCapitals, conditions: allConditions };
      return depth > 0 ? [interpretation, ...splitOffRegions(head, allConditions, depth - 1)] : [interpretation];
    });
  // One region can be inside another: "ithaca new york usa".
  return [{ key: words.join(''), isWhole: false, isInCapitals, conditions }, ...splitOffRegions(words, conditions, 1)];
}

function createStateCondition(table: CityTable, states: MatchingStates): Condition {
  return (place) => states.get(table.getState(place));
}

/** Creates the condition for a state, a country, a county (only for full names), or a ZIP Code. */
function createQualifierCondition(table: CityTable, regions: RegionNames, qualifier: string): Condition {
  if (isZipCode(qualifier)) {
    const places = table.findPlacesByName(qualifier);
    return (place) => (places.has(place) ? 0 : undefined);
  }
  const exactStates = regions.findByName(qualifier);
  const states = exactStates.size > 0 ? exactStates : regions.findByPrefix(qualifier);
  const isInCounty = (place: number) => foldName(table.getPlace(place).county).startsWith(qualifier);
  return (place, isExactName) =>
    states.get(table.getState(place)) ?? (isExactName && isInCounty(place) ? 0 : undefined);
}

function findNames(table: CityTable, candidates: readonly Interpretation[], limit: number): number[] {
  const best = createBestPlaces(limit);
  for (const candidate of candidates) offerKeys(table, candidate, best);
  return best.places();
}

function findNearSpellings(table: CityTable, candidates: readonly Interpretation[], limit: number): number[] {
  const best = createBestPlaces(limit);
  for (const candidate of candidates) {
    for (const key of listNearSpellings(candidate.key)) offerKeys(table, { ...candidate, key, isWhole: true }, best);
  }
  return best.places();
}

function offerKeys(
  table: CityTable,
  { key: text, isWhole, isInCapitals, conditions }: Interpretation,
  best: BestPlaces,
): void {
  const { start, exactEnd, end } = table.findKeys(text);
  const isCode = text.length <= CODE_LETTERS;
  for (let key = start; key < (isWhole ? exactEnd : end); key++) {
    const isExact = key < exactEnd;
    const isOther = table.isOtherName(key);
    if (isOther && !isExact && isCode) continue;
    const place = table.getPlaceOfKey(key);
    const bonus = sumBonuses(conditions, place, isExact);
    if (bonus === undefined) continue;
    const isForeignCode = isCode && isOther && !isInCapitals && isAbroad(table, place);
    const nameBonus = isForeignCode ? NAME_BONUS.foreignCode : getNameBonus(isExact, isOther, isCode);
    best.offer(place, table.getScore(place) + nameBonus + bonus);
  }
}

function isAbroad(table: CityTable, place: number): boolean {
  return table.states[table.getState(place)]?.countryCode !== HOME_COUNTRY;
}

function getNameBonus(isExact: boolean, isOther: boolean, isCode: boolean): number {
  if (!isOther) return isExact ? NAME_BONUS.whole : NAME_BONUS.prefix;
  if (!isExact) return NAME_BONUS.otherPrefix;
  return isCode ? NAME_BONUS.codeWhole : NAME_BONUS.otherWhole;
}

function sumBonuses(conditions: readonly Condition[], place: number, isExact: boolean): number | undefined {
  let sum = 0;
  for (const condition of conditions) {
    const bonus = condition(place, isExact);
    if (bonus === undefined) return undefined;
    sum += bonus;
  }
  return sum;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('');
/** A typo in a shorter word often makes another word. Longer words are rarely names and have too many spellings to try. */
const MIN_SPELLING_LENGTH = 5;
const MAX_SPELLING_LENGTH = 16;

/** Lists all spellings that are one typo away: two letters swapped, or one removed, added, or replaced. */
export function listNearSpellings(key: string): string[] {
  if (key.length < MIN_SPELLING_LENGTH || key.length > MAX_SPELLING_LENGTH) return [];
  const spellings = new Set<string>();
  for (let index = 0; index <= key.length; index++) {
    const prefix = key.slice(0, index);
    const [letter = '', next = ''] = key.slice(index);
    spellings.add(prefix + next + letter + key.slice(index + 2));
    spellings.add(prefix + key.slice(index + 1));
    for (const newLetter of LETTERS) {
      spellings.add(prefix + newLetter + key.slice(index));
      spellings.add(prefix + newLetter + key.slice(index + 1));
    }
  }
  spellings.delete(key);
  return [...spellings];
}

/** Collects the best places, each once, by its highest weight. */
export type BestPlaces = {
  offer(place: number, weight: number): void;
  /** Best first. Places of equal weight keep their order. */
  places(): number[];
};

export function createBestPlaces(limit: number): BestPlaces {
  const best: { place: number; weight: number }[] = [];
  return {
    offer: (place, weight) => {
      const last = best.at(-1);
      if (last && best.length >= limit && weight <= last.weight) return;
      const existingIndex = best.findIndex((entry) => entry.place === place);
      if (existingIndex >= 0) {
        if ((best[existingIndex]?.weight ?? 0) >= weight) return;
        best.splice(existingIndex, 1);
      }
      const nextIndex = best.findIndex((entry) => entry.weight < weight);
      best.splice(nextIndex < 0 ? best.length : nextIndex, 0, { place, weight });
      if (best.length > limit) best.pop();
    },
    places: () => best.map((entry) => entry.place),
  };
}
