import { fileURLToPath } from 'node:url';
import { buildCities } from '#scripts/build/cities.ts';
import { type BundledPlaces, loadBundledPlaces } from '#server/gateways/places/bundled-places.ts';

/** Location of the built list of places. */
export const BUILT_FILE = fileURLToPath(new URL('../../../build/cities.tsv.gz', import.meta.url));

/** Building the list takes about ten seconds, or several times as long on a slow machine. */
export const BUILD_TIMEOUT = 120_000;

/** The real places, which are built first if this version hasn't built them. */
export async function builtPlaces(): Promise<BundledPlaces> {
  const places = loadBundledPlaces(BUILT_FILE);
  try {
    await places.warm();
  } catch {
    await buildCities(BUILT_FILE);
  }
  return places;
}
