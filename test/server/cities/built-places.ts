import { fileURLToPath } from 'node:url';
import { buildCities } from '#scripts/build/cities.ts';
import { type BundledPlaces, loadBundledPlaces } from '#server/gateways/places/bundled-places.ts';

/** Location of the built list of places. */
export const BUILT_FILE = fileURLToPath(new URL('../../../build/cities.tsv.gz', import.meta.url));

/** Making the list takes some ten seconds, on a slow machine several times that. */
export const BUILD_TIMEOUT = 120_000;

/** The real bundled places, built first if this version has none. */
export async function builtPlaces(): Promise<BundledPlaces> {
  const places = loadBundledPlaces(BUILT_FILE);
  try {
    await places.warm();
  } catch {
    await buildCities(BUILT_FILE);
  }
  return places;
}
