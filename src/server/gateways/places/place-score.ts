/** The fund's country: of two namesakes of like size, the nearer one is meant. */
const HOME_COUNTRY = 'US';
const HOME_BONUS = 35;

/** GeoNames' feature codes: a capital, the seat of a state or of a county, a mere part of a city. */
const FEATURE_BONUS: Readonly<Record<string, number>> = { PPLC: 60, PPLA: 20, PPLA2: 10, PPLX: -100 };

/**
 * How likely a place is meant when its name is typed, in hundredths of a power of ten: a place of ten times the
 * population is worth 100 more. From 0 for a part of a village to some 800.
 */
export function placeScore(place: { population: number; feature: string; countryCode: string }): number {
  const home = place.countryCode === HOME_COUNTRY ? HOME_BONUS : 0;
  const size = 100 * Math.log10(Math.max(place.population, 0) + 10);
  return Math.max(0, Math.round(size + home + (FEATURE_BONUS[place.feature] ?? 0)));
}

/** Added to a place's score by how it was named: whole or only begun, by its own name, by another, or by a code ("NYC"). */
export const NAME_BONUS = { whole: 150, begun: 0, otherWhole: 60, otherBegun: -190, codeWhole: 0 };
/** The state was named too, by a word that is not just a country's abbreviation. */
export const STATE_NAMED = 100;
