import type { ListedPlace, PlaceWithPopulation } from './sources.ts';
import { calculateDistance, createSpatialIndex, findNearest } from './spatial-index.ts';

/** Maximum difference between a place's coordinates in the two lists, in degrees. */
const MAX_SAME_NAME_DISTANCE = 0.12;
const MAX_RENAMED_DISTANCE = 0.06;
/** A renamed place listed under its new name may be this much farther away. */
const ALIAS_CREDIT = 0.05;
const MIN_RENAMED_POPULATION = 5000;

/** Matches each listed place to its population and other names. The two lists share no ids. */
export function matchPopulations(listedPlaces: readonly ListedPlace[], populations: readonly PlaceWithPopulation[]) {
  const matches = matchByName(listedPlaces, populations);
  matchRenamed(listedPlaces, populations, matches);
  return matches;
}

function matchByName(listedPlaces: readonly ListedPlace[], populations: readonly PlaceWithPopulation[]) {
  const namesakes = groupByName(populations);
  const claims = new Map<PlaceWithPopulation, ListedPlace>();
  for (const place of listedPlaces) {
    const candidates = namesakes.get(`${place.countryCode} ${place.name}`) ?? [];
    const match = findNearest(candidates, (other) => calculateDistance(place, other), MAX_SAME_NAME_DISTANCE);
    if (!match) continue;
    const rival = claims.get(match);
    if (!rival || calculateDistance(place, match) < calculateDistance(rival, match)) claims.set(match, place);
  }
  return new Map([...claims].map(([match, place]) => [place, match]));
}

function groupByName(populations: readonly PlaceWithPopulation[]) {
  const groups = new Map<string, PlaceWithPopulation[]>();
  for (const place of populations) {
    for (const name of new Set([place.name, place.asciiName])) {
      const key = `${place.countryCode} ${name}`;
      const group = groups.get(key);
      if (group) group.push(place);
      else groups.set(key, [place]);
    }
  }
  return groups;
}

/** Matches renamed places (Antwerpen, Antwerp), largest first, to the nearest place still unmatched. */
function matchRenamed(
  listedPlaces: readonly ListedPlace[],
  populations: readonly PlaceWithPopulation[],
  matches: Map<ListedPlace, PlaceWithPopulation>,
): void {
  const matchedPopulations = new Set(matches.values());
  const unmatchedPlaces = createSpatialIndex(listedPlaces.filter((place) => !matches.has(place)));
  const candidates = populations
    .filter((place) => !matchedPopulations.has(place) && place.population >= MIN_RENAMED_POPULATION)
    .sort((a, b) => b.population - a.population);
  for (const place of candidates) {
    const neighbors = unmatchedPlaces
      .findAround(place)
      .filter((other) => other.countryCode === place.countryCode && !matches.has(other));
    const getAliasCredit = (other: ListedPlace) => (place.alternateNames.includes(other.name) ? ALIAS_CREDIT : 0);
    const match = findNearest(
      neighbors,
      (other) => calculateDistance(place, other) - getAliasCredit(other),
      MAX_RENAMED_DISTANCE,
    );
    if (match) matches.set(match, place);
  }
}
