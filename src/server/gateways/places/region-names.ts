import type { StateRow } from './city-file.ts';
import { STATE_NAMED } from './city-file.ts';
import { foldName } from './fold-name.ts';

/** Other names of countries, folded, and their codes. */
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

const knownNames = new Map<string, string>();
/** Made when it is first needed: that takes 10 ms, which every start would. */
let allNames: Intl.DisplayNames | undefined;

/** "United States" for "US". Unassigned codes are returned as they are. */
export function countryName(countryCode: string): string {
  allNames ??= new Intl.DisplayNames(['en'], { type: 'region' });
  const name = knownNames.get(countryCode) ?? allNames.of(countryCode) ?? countryCode;
  knownNames.set(countryCode, name);
  return name;
}

/** Each state that a text means, and what that adds to the score of its places. */
export type MatchingStates = ReadonlyMap<number, number>;

export type RegionNames = {
  /** By the name or code of a state or of its country. */
  named: (folded: string) => MatchingStates;
  /** By the start of a state's or country's name: "mass", "calif". */
  beginning: (folded: string) => MatchingStates;
};

export function regionNames(states: readonly StateRow[]): RegionNames {
  const named = new Map<string, Map<number, number>>();
  const name = (folded: string, state: number, bonus: number) => {
    if (!folded) return;
    const meant = named.get(folded) ?? new Map<number, number>();
    meant.set(state, Math.max(bonus, meant.get(state) ?? 0));
    named.set(folded, meant);
  };
  for (const [index, state] of states.entries()) {
    name(foldName(state.name), index, STATE_NAMED);
    name(foldName(state.code), index, STATE_NAMED);
    name(foldName(state.countryCode), index, 0);
    name(foldName(countryName(state.countryCode)), index, 0);
  }
  const none: MatchingStates = new Map();
  return {
    named: (folded) => named.get(COUNTRY_ALIASES.get(folded) ?? folded) ?? none,
    beginning: (folded) => {
      const meant = new Map<number, number>();
      for (const [region, found] of named) {
        if (region.startsWith(folded)) for (const state of found.keys()) meant.set(state, 0);
      }
      return meant;
    },
  };
}
