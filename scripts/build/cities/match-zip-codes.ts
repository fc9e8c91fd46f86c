import { searchKey } from '#server/gateways/places/fold-name.ts';
import { toNameKeys } from './name-keys.ts';
import type { ListedPlace, ZipCode } from './sources.ts';
import { calculateDistance, createSpatialIndex, findNearest } from './spatial-index.ts';

/** In degrees. Places with the same name in the same state are farther apart. */
const MAX_SAME_NAME_DISTANCE = 1;
/** In degrees. A ZIP Code of an unlisted place belongs to the nearest place in its state. */
const MAX_NEAREST_DISTANCE = 0.5;
const DISTANCE_STEP = 0.03;

export type PlaceZipCodes = {
  zipCodes: string[];
  /** The nearest ZIP Code with the place's name. Ties go to the lowest number, since high ones are often PO boxes. */
  postcode: string;
};

/** Matches ZIP Codes to places in the United States. */
export function matchZipCodes(listedPlaces: readonly ListedPlace[], zipCodes: readonly ZipCode[]) {
  const places = listedPlaces.filter((place) => place.countryCode === 'US');
  const namesakes = groupByName(places);
  const spatialIndex = createSpatialIndex(places);
  const zipCodesByPlace = new Map<ListedPlace, { all: ZipCode[]; sameName: ZipCode[] }>();
  for (const zip of zipCodes) {
    const distanceTo = (place: ListedPlace) => calculateDistance(place, zip);
    const namesake = findNearest(
      namesakes.get(toGroupKey(zip.stateCode, zip.place)) ?? [],
      distanceTo,
      MAX_SAME_NAME_DISTANCE,
    );
    const findNearbyInState = () => spatialIndex.findAround(zip).filter((place) => place.admin1 === zip.stateCode);
    const place = namesake ?? findNearest(findNearbyInState(), distanceTo, MAX_NEAREST_DISTANCE);
    if (!place) continue;
    const entry = zipCodesByPlace.get(place) ?? { all: [], sameName: [] };
    zipCodesByPlace.set(place, entry);
    entry.all.push(zip);
    if (namesake) entry.sameName.push(zip);
  }
  return new Map(
    [...zipCodesByPlace].map(([place, { all, sameName }]) => [place, toPlaceZipCodes(place, all, sameName)]),
  );
}

function toPlaceZipCodes(place: ListedPlace, all: readonly ZipCode[], sameName: readonly ZipCode[]): PlaceZipCodes {
  const getDistanceStep = (zip: ZipCode) => Math.floor(calculateDistance(place, zip) / DISTANCE_STEP);
  const [postcode] = [...sameName].sort(
    (a, b) => getDistanceStep(a) - getDistanceStep(b) || Number(a.zip) - Number(b.zip),
  );
  return { zipCodes: all.map(({ zip }) => zip), postcode: postcode?.zip ?? '' };
}

const toGroupKey = (stateCode: string, name: string) => `${stateCode} ${searchKey(name)}`;

function groupByName(places: readonly ListedPlace[]) {
  const groups = new Map<string, ListedPlace[]>();
  for (const place of places) {
    for (const key of toNameKeys(place.name)) {
      const group = groups.get(`${place.admin1} ${key}`);
      if (group) group.push(place);
      else groups.set(`${place.admin1} ${key}`, [place]);
    }
  }
  return groups;
}
