import { fileURLToPath } from 'node:url';
import { buildCities } from '#scripts/build/cities.ts';
import { type BundledPlaces, loadBundledPlaces } from '#server/gateways/places/bundled-places.ts';

/** Location of the built list of places. */
export const BUILT_PLACES_FILE = fileURLToPath(new URL('../../../build/cities.tsv.gz', import.meta.url));

/** Building the list takes about ten seconds, or several times as long on a slow machine. */
export const BUILD_TIMEOUT = 120_000;

/** Loads the real places, building the list first if needed. */
export async function loadBuiltPlaces(): Promise<BundledPlaces> {
  const places = loadBundledPlaces(BUILT_PLACES_FILE);
  try {
    await places.warm();
  } catch {
    await buildCities(BUILT_PLACES_FILE);
  }
  return places;
}
