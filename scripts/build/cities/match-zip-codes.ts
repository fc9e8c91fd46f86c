import { keyOf } from '#server/gateways/places/fold-name.ts';
import { nameKeysOf } from './name-keys.ts';
import { apart, nearest, neighbourhood } from './neighbourhood.ts';
import type { ListedPlace, ZipCode } from './sources.ts';

/** Places of one name in one state are farther apart than this, in degrees. */
const SAME_NAME_WITHIN = 1;
/** A ZIP code of a place too small for the list leads to the nearest one of its state. */
const NEIGHBOUR_WITHIN = 0.5;
const ABOUT_AS_NEAR = 0.03;

export type PlaceZipCodes = {
  /** The ZIP codes that lead to the place. */
  zipCodes: string[];
  /** The one of its own name nearest to it; of those about as near, the lowest, for high ones are often post-office boxes. */
  postcode: string;
};

/** The ZIP codes of each place of the United States. */
export function matchZipCodes(listed: readonly ListedPlace[], zipCodes: readonly ZipCode[]) {
  const places = listed.filter((place) => place.countryCode === 'US');
  const namesakes = groupByName(places);
  const nearby = neighbourhood(places);
  const found = new Map<ListedPlace, { all: ZipCode[]; own: ZipCode[] }>();
  for (const zip of zipCodes) {
    const distance = (place: ListedPlace) => apart(place, zip);
    const own = nearest(namesakes.get(groupKey(zip.stateCode, zip.place)) ?? [], distance, SAME_NAME_WITHIN);
    const inState = () => nearby.around(zip).filter((place) => place.admin1 === zip.stateCode);
    const place = own ?? nearest(inState(), distance, NEIGHBOUR_WITHIN);
    if (!place) continue;
    const entry = found.get(place) ?? { all: [], own: [] };
    found.set(place, entry);
    entry.all.push(zip);
    if (own) entry.own.push(zip);
  }
  return new Map([...found].map(([place, { all, own }]) => [place, placeZipCodes(place, all, own)]));
}

function placeZipCodes(place: ListedPlace, all: readonly ZipCode[], own: readonly ZipCode[]): PlaceZipCodes {
  const steps = (zip: ZipCode) => Math.floor(apart(place, zip) / ABOUT_AS_NEAR);
  const [postcode] = [...own].sort((a, b) => steps(a) - steps(b) || Number(a.zip) - Number(b.zip));
  return { zipCodes: all.map(({ zip }) => zip), postcode: postcode?.zip ?? '' };
}

const groupKey = (stateCode: string, name: string) => `${stateCode} ${keyOf(name)}`;

function groupByName(places: readonly ListedPlace[]) {
  const groups = new Map<string, ListedPlace[]>();
  for (const place of places) {
    for (const key of nameKeysOf(place.name)) {
      const group = groups.get(`${place.admin1} ${key}`);
      if (group) group.push(place);
      else groups.set(`${place.admin1} ${key}`, [place]);
    }
  }
  return groups;
}
