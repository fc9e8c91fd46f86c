import { searchKey } from '#server/gateways/places/fold-name.ts';

const LATIN_NAME = /^[\p{Script=Latin}\s.'’\-–]+$/u;
const CITY_SUFFIX = / city$/i;
const MIN_KEY_LENGTH = 4;

/** Search keys of a place's name. "New York City" is also found as "New York", but "New City" isn't found as "New". */
export function toNameKeys(name: string): string[] {
  const shortName = name.replace(CITY_SUFFIX, '');
  return toDistinctKeys(shortName.length < MIN_KEY_LENGTH ? [name] : [name, shortName]);
}

/**
 * Search keys of other names in Latin letters. Other scripts would multiply the size of the list, and names of one or
 * two letters are airport and license-plate codes.
 */
export function toOtherNameKeys(alternateNames: readonly string[], nameKeys: readonly string[]): string[] {
  const latin = alternateNames.filter((name) => name.length > 2 && LATIN_NAME.test(name));
  return toDistinctKeys(latin).filter((key) => !nameKeys.includes(key));
}

function toDistinctKeys(names: readonly string[]): string[] {
  return [...new Set(names.map(searchKey))].filter(Boolean);
}
