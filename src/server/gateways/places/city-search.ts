import { NAME_BONUS } from './city-file.ts';
import type { CityTable } from './city-table.ts';
import { foldName } from './fold-name.ts';
import { type MatchingStates, type RegionNames, regionNames } from './region-names.ts';
import { isZipCode, parseSearch, type SearchText, wordSplits } from './search-text.ts';

/** The numbers of at most `most` places, best first. Never throws. */
export type CitySearch = (text: string, most: number) => number[];

/** Returns what it adds to the score, or undefined if the place doesn't qualify. */
type Condition = (place: number, isExactName: boolean) => number | undefined;

/** One reading of a text: a name (whole or a prefix) and the conditions on the place. */
type Reading = { key: string; isWhole: boolean; conditions: readonly Condition[] };

/**
 * So few letters are the start of too many names. Another name then counts only in full, as an airport code would:
 * otherwise "ith" wouldn't find Ithaca, nor "mün" Munich.
 */
const CODE_LETTERS = 3;

export function citySearch(table: CityTable): CitySearch {
  const regions = regionNames(table.states);
  return (text, most) => {
    const search = parseSearch(text);
    if (search.words.length === 0) return [];
    const withoutRegion = { ...search, qualifiers: [] };
    const attempts = [
      () => findNames(table, readings(table, regions, search, regions.named), most),
      () => findNames(table, readings(table, regions, search, regions.beginning), most),
      () => findNearSpellings(table, readings(table, regions, search, regions.named), most),
      // An unknown or misspelled region must not hide the city.
      () => findNames(table, readings(table, regions, withoutRegion, regions.named), most),
    ];
    for (const attempt of attempts) {
      const found = attempt();
      if (found.length > 0) return found;
    }
    return [];
  };
}

/** "ithaca ny": either a place whose name starts that way, or Ithaca in NY. */
function readings(
  table: CityTable,
  regions: RegionNames,
  { words, qualifiers }: SearchText,
  statesMeant: (folded: string) => MatchingStates,
): Reading[] {
  const conditions = qualifiers.map((qualifier) => qualifiedBy(table, regions, qualifier));
  const inRegions = (name: readonly string[], known: readonly Condition[], more: number): Reading[] =>
    wordSplits(name).flatMap(({ head, tail }) => {
      const states = statesMeant(tail);
      if (states.size === 0) return [];
      const all = [...known, inStates(table, states)];
      const reading = { key: head.join(''), isWhole: true, conditions: all };
      return more > 0 ? [reading, ...inRegions(head, all, more - 1)] : [reading];
    });
  // A region may be inside another: "ithaca new york usa".
  return [{ key: words.join(''), isWhole: false, conditions }, ...inRegions(words, conditions, 1)];
}

function inStates(table: CityTable, states: MatchingStates): Condition {
  return (place) => states.get(table.stateOf(place));
}

/** A state, country, county (only for full names) or ZIP code. */
function qualifiedBy(table: CityTable, regions: RegionNames, qualifier: string): Condition {
  if (isZipCode(qualifier)) {
    const places = table.placesNamed(qualifier);
    return (place) => (places.has(place) ? 0 : undefined);
  }
  const named = regions.named(qualifier);
  const states = named.size > 0 ? named : regions.beginning(qualifier);
  const inCounty = (place: number) => foldName(table.place(place).county).startsWith(qualifier);
  return (place, isExactName) => states.get(table.stateOf(place)) ?? (isExactName && inCounty(place) ? 0 : undefined);
}

function findNames(table: CityTable, readings: readonly Reading[], most: number): number[] {
  const best = bestPlaces(most);
  for (const { key, isWhole, conditions } of readings) offerKeys(table, key, isWhole, conditions, best);
  return best.places();
}

function findNearSpellings(table: CityTable, readings: readonly Reading[], most: number): number[] {
  const best = bestPlaces(most);
  for (const { key, conditions } of readings) {
    for (const spelling of nearSpellings(key)) offerKeys(table, spelling, true, conditions, best);
  }
  return best.places();
}

function offerKeys(
  table: CityTable,
  text: string,
  isWhole: boolean,
  conditions: readonly Condition[],
  best: BestPlaces,
): void {
  const { start, exactEnd, end } = table.keysFrom(text);
  const isCode = text.length <= CODE_LETTERS;
  for (let key = start; key < (isWhole ? exactEnd : end); key++) {
    const isExact = key < exactEnd;
    const isOther = table.isOtherName(key);
    if (isOther && !isExact && isCode) continue;
    const place = table.placeOfKey(key);
    const extra = sumIfAll(conditions, place, isExact);
    if (extra === undefined) continue;
    best.offer(place, table.scoreOf(place) + nameBonus(isExact, isOther, isCode) + extra);
  }
}

function nameBonus(isExact: boolean, isOther: boolean, isCode: boolean): number {
  if (!isOther) return isExact ? NAME_BONUS.whole : NAME_BONUS.begun;
  if (!isExact) return NAME_BONUS.otherBegun;
  return isCode ? NAME_BONUS.codeWhole : NAME_BONUS.otherWhole;
}

function sumIfAll(conditions: readonly Condition[], place: number, isExact: boolean): number | undefined {
  let sum = 0;
  for (const condition of conditions) {
    const extra = condition(place, isExact);
    if (extra === undefined) return undefined;
    sum += extra;
  }
  return sum;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('');
/** A typo in a shorter word makes another word; longer words are rarely names and have too many spellings to try. */
const SHORTEST = 5;
const LONGEST = 16;

/** All spellings that are one typo away: two letters swapped, or one removed, added or replaced. */
export function nearSpellings(key: string): string[] {
  if (key.length < SHORTEST || key.length > LONGEST) return [];
  const spellings = new Set<string>();
  for (let at = 0; at <= key.length; at++) {
    const before = key.slice(0, at);
    const [letter = '', next = ''] = key.slice(at);
    spellings.add(before + next + letter + key.slice(at + 2));
    spellings.add(before + key.slice(at + 1));
    for (const other of LETTERS) {
      spellings.add(before + other + key.slice(at));
      spellings.add(before + other + key.slice(at + 1));
    }
  }
  spellings.delete(key);
  return [...spellings];
}

/** Keeps the best few of many offered places, each once, by its best weight. */
export type BestPlaces = {
  offer(place: number, weight: number): void;
  /** Best first; of equal ones, the one offered first. */
  places(): number[];
};

export function bestPlaces(most: number): BestPlaces {
  const best: { place: number; weight: number }[] = [];
  return {
    offer: (place, weight) => {
      const last = best.at(-1);
      if (last && best.length >= most && weight <= last.weight) return;
      const known = best.findIndex((entry) => entry.place === place);
      if (known >= 0) {
        if ((best[known]?.weight ?? 0) >= weight) return;
        best.splice(known, 1);
      }
      const worse = best.findIndex((entry) => entry.weight < weight);
      best.splice(worse < 0 ? best.length : worse, 0, { place, weight });
      if (best.length > most) best.pop();
    },
    places: () => best.map((entry) => entry.place),
  };
}
