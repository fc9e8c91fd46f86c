import { apart, nearest, neighbourhood } from './neighbourhood.ts';
import type { CountedPlace, ListedPlace } from './sources.ts';

/** Two lists' coordinates of one place differ by less than this, in degrees. */
const SAME_NAME_WITHIN = 0.12;
const RENAMED_WITHIN = 0.06;
/** A renamed place that is known by the new name may lie this much farther off. */
const ALIAS_CREDIT = 0.05;
const RENAMED_POPULATION = 5000;

/** Which counted place (population, other names) each listed place is; the two lists share no id. */
export function matchCounted(listed: readonly ListedPlace[], counted: readonly CountedPlace[]) {
  const matches = matchByName(listed, counted);
  matchRenamed(listed, counted, matches);
  return matches;
}

function matchByName(listed: readonly ListedPlace[], counted: readonly CountedPlace[]) {
  const namesakes = groupByName(counted);
  const claims = new Map<CountedPlace, ListedPlace>();
  for (const place of listed) {
    const candidates = namesakes.get(`${place.countryCode} ${place.name}`) ?? [];
    const match = nearest(candidates, (other) => apart(place, other), SAME_NAME_WITHIN);
    if (!match) continue;
    const rival = claims.get(match);
    if (!rival || apart(place, match) < apart(rival, match)) claims.set(match, place);
  }
  return new Map([...claims].map(([match, place]) => [place, match]));
}

function groupByName(counted: readonly CountedPlace[]) {
  const groups = new Map<string, CountedPlace[]>();
  for (const place of counted) {
    for (const name of new Set([place.name, place.plainName])) {
      const key = `${place.countryCode} ${name}`;
      const group = groups.get(key);
      if (group) group.push(place);
      else groups.set(key, [place]);
    }
  }
  return groups;
}

/** A place that changed its name (Antwerpen, Antwerp): largest first, each takes the nearest one still without a match. */
function matchRenamed(
  listed: readonly ListedPlace[],
  counted: readonly CountedPlace[],
  matches: Map<ListedPlace, CountedPlace>,
): void {
  const matched = new Set(matches.values());
  const open = neighbourhood(listed.filter((place) => !matches.has(place)));
  const renamed = counted
    .filter((place) => !matched.has(place) && place.population >= RENAMED_POPULATION)
    .sort((a, b) => b.population - a.population);
  for (const place of renamed) {
    const free = open.around(place).filter((other) => other.countryCode === place.countryCode && !matches.has(other));
    const credit = (other: ListedPlace) => (place.otherNames.includes(other.name) ? ALIAS_CREDIT : 0);
    const match = nearest(free, (other) => apart(place, other) - credit(other), RENAMED_WITHIN);
    if (match) matches.set(match, place);
  }
}
