import type { StateRow } from './city-file.ts';
import { STATE_BONUS } from './city-file.ts';
import { foldName } from './fold-name.ts';

/** Country codes by alternative country names (folded). */
const COUNTRY_ALIASES: ReadonlyMap<string, string> = new Map([
  ['usa', 'us'],
  ['america', 'us'],
  ['united states of america', 'us'],
  ['uk', 'gb'],
  ['britain', 'gb'],
  ['great britain', 'gb'],
  ['holland', 'nl'],
  ['czech republic', 'cz'],
  ['turkey', 'tr'],
  ['uae', 'ae'],
  ['korea', 'kr'],
  ['ivory coast', 'ci'],
  ['hong kong', 'hk'],
  ['macau', 'mo'],
  ['burma', 'mm'],
]);

const cachedNames = new Map<string, string>();
/** Created on first use, because creating it takes 10 ms. */
let displayNames: Intl.DisplayNames | undefined;

/** "United States" for "US". Returns unassigned codes unchanged. */
export function getCountryName(countryCode: string): string {
  displayNames ??= new Intl.DisplayNames(['en'], { type: 'region' });
  const name = cachedNames.get(countryCode) ?? displayNames.of(countryCode) ?? countryCode;
  cachedNames.set(countryCode, name);
  return name;
}

/** Bonuses for the score, by the number of the matching state. */
export type MatchingStates = ReadonlyMap<number, number>;

export type RegionNames = {
  /** Finds states by the name or code of the state or its country. */
  findByName: (folded: string) => MatchingStates;
  /** Finds states by the start of the state's or country's name: "mass", "calif". */
  findByPrefix: (folded: string) => MatchingStates;
};

export function createRegionNames(states: readonly StateRow[]): RegionNames {
  const statesByName = new Map<string, Map<number, number>>();
  const addName = (folded: string, state: number, bonus: number) => {
    if (!folded) return;
    const bonuses = statesByName.get(folded) ?? new Map<number, number>();
    bonuses.set(state, Math.max(bonus, bonuses.get(state) ?? 0));
    statesByName.set(folded, bonuses);
  };
  for (const [index, state] of states.entries()) {
    addName(foldName(state.name), index, STATE_BONUS);
    addName(foldName(state.code), index, STATE_BONUS);
    addName(foldName(state.countryCode), index, 0);
    addName(foldName(getCountryName(state.countryCode)), index, 0);
  }
  const noStates: MatchingStates = new Map();
  return {
    findByName: (folded) => statesByName.get(COUNTRY_ALIASES.get(folded) ?? folded) ?? noStates,
    findByPrefix: (folded) => {
      const bonuses = new Map<number, number>();
      for (const [name, matches] of statesByName) {
        if (name.startsWith(folded)) for (const state of matches.keys()) bonuses.set(state, 0);
      }
      return bonuses;
    },
  };
}
