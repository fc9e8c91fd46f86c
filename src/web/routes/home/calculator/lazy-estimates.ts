import {
  carCarbon,
  DEFAULT_MPG,
  type HomeEnergy,
  homeCarbon,
  type QuickEstimate,
  quickCarbon,
  type VersionedFactors,
} from '#domain/emissions.ts';
import { getFailureSentence } from '#domain/failures.ts';
import { m } from '#messages';
import { parseNumber } from '#web/ui/parse-number.ts';
import {
  type AmountLimits,
  type Estimate,
  formatTripHint,
  incompleteEstimate,
  MILES,
  noEstimate,
  parseQuantity,
  requirePositive,
  type TripEstimate,
  toEstimate,
  withoutHint,
} from './estimates.ts';

export type HomeField = keyof HomeEnergy;
export type HomeForm = Readonly<Record<HomeField, string>>;

export const HOME_FIELDS: readonly { readonly name: HomeField; readonly label: string; readonly unit: string }[] = [
  { name: 'propane', label: m.fuelPropane(), unit: m.unitGallons() },
  { name: 'electricity', label: m.fuelElectricity(), unit: 'kWh' },
  { name: 'gas', label: m.fuelGas(), unit: m.unitTherms() },
  { name: 'oil', label: m.fuelOil(), unit: m.unitGallons() },
];

const MAX_HOME_AMOUNT = 10_000_000;

/** @returns whether at least one field has text, which enables the button (§4, §5) */
export function isHomeFilled(form: HomeForm): boolean {
  return HOME_FIELDS.some(({ name }) => form[name].trim() !== '');
}

/** Blank or non-numeric fields count as 0 (§5); amounts above the maximum are problems. */
export function estimateHome(form: HomeForm, factorSet?: VersionedFactors): Estimate<HomeField> {
  const energy: Partial<HomeEnergy> = {};
  const problems: Partial<Record<HomeField, string>> = {};
  for (const { name, unit } of HOME_FIELDS) {
    const field = parseQuantity(form[name], { maximum: MAX_HOME_AMOUNT, unit });
    if (field.kind === 'amount') energy[name] = field.amount;
    else if (field.kind === 'problem' && !countsAsZero(form[name])) problems[name] = field.problem;
  }
  if (!isHomeFilled(form) || Object.keys(problems).length > 0) return noEstimate(problems);
  return toEstimate('home', homeCarbon(energy, factorSet?.factors), factorSet);
}

/** @returns whether a field has text that isn't an amount */
export function countsAsZero(text: string): boolean {
  const value = parseNumber(text);
  return value === 'unclear' || (typeof value === 'number' && value < 0);
}

/** The estimate for an average car, home, or flying habit. Every choice is valid. */
export function estimateQuick(choice: QuickEstimate, factorSet?: VersionedFactors): Estimate {
  return toEstimate(choice.type, quickCarbon(choice, factorSet?.factors), factorSet);
}

type CarForm = { readonly miles: string; readonly mpg: string; readonly roundtrip: boolean };
const MPG: AmountLimits = { maximum: 1_000, unit: m.unitMilesPerGallon() };

/** Miles are required and can't be zero. Empty miles per gallon count as 25 (§5). */
export function estimateCar(form: CarForm, factorSet?: VersionedFactors): TripEstimate<'miles' | 'mpg'> {
  const miles = requirePositive(parseQuantity(form.miles, MILES), getFailureSentence('no-miles'));
  const mpg = requirePositive(parseQuantity(form.mpg, MPG), m.estimateMpg({ mpg: String(DEFAULT_MPG) }));
  if (miles.kind !== 'amount' || mpg.kind === 'problem') {
    const hints = [formatTripHint({ miles }), mpg.kind === 'problem' ? m.hintMpgWrong() : ''];
    return incompleteEstimate({ miles, mpg }, hints.filter(Boolean).join(' '));
  }
  const { roundtrip } = form;
  const milesPerGallon = mpg.kind === 'blank' ? DEFAULT_MPG : mpg.amount;
  const drive = { miles: miles.amount, mpg: milesPerGallon, roundtrip };
  return withoutHint(toEstimate('car', carCarbon(drive, factorSet?.factors), factorSet));
}
