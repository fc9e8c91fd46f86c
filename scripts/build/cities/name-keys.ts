import { keyOf } from '#server/gateways/places/fold-name.ts';

const LATIN = /^[\p{Script=Latin}\s.'’\-–]+$/u;
const CITY = / city$/i;
const SHORTEST_NAME = 4;

/** The keys of a place's own name: "New York City" is also "New York", but "New City" is not "New". */
export function nameKeysOf(name: string): string[] {
  const short = name.replace(CITY, '');
  return distinctKeys(short.length < SHORTEST_NAME ? [name] : [name, short]);
}

/**
 * The keys of its other names in Latin letters. Other scripts would make the list several times as large,
 * and names of one or two letters are codes of airports and car plates.
 */
export function otherKeysOf(otherNames: readonly string[], nameKeys: readonly string[]): string[] {
  const latin = otherNames.filter((name) => name.length > 2 && LATIN.test(name));
  return distinctKeys(latin).filter((key) => !nameKeys.includes(key));
}

function distinctKeys(names: readonly string[]): string[] {
  return [...new Set(names.map(keyOf))].filter(Boolean);
}
