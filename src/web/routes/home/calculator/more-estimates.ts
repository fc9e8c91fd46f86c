import {
  carCarbon,
  DEFAULT_MPG,
  type HomeEnergy,
  homeCarbon,
  type QuickEstimate,
  quickCarbon,
  type VersionedFactors,
} from '#domain/emissions.ts';
import { sentenceOf } from '#domain/failures.ts';
import { m } from '#messages';
import { parseNumber } from '#web/ui/parse-number.ts';
import {
  type AmountLimits,
  type Estimate,
  estimateOf,
  incompleteEstimate,
  MILES,
  noEstimate,
  parseQuantity,
  requirePositive,
  type TripEstimate,
  tripHint,
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

const MAXIMUM = 10_000_000;

/** @returns whether at least one field has text, which enables the button (§4, §5) */
export function isHomeFilled(form: HomeForm): boolean {
  return HOME_FIELDS.some(({ name }) => form[name].trim() !== '');
}

/** Blank or non-numeric fields count as 0 (§5); amounts above the maximum are problems. */
export function homeEstimate(form: HomeForm, used?: VersionedFactors): Estimate<HomeField> {
  const energy: Partial<HomeEnergy> = {};
  const problems: Partial<Record<HomeField, string>> = {};
  for (const { name, unit } of HOME_FIELDS) {
    const field = parseQuantity(form[name], { maximum: MAXIMUM, unit });
    if (field.kind === 'amount') energy[name] = field.amount;
    else if (field.kind === 'problem' && !countsAsZero(form[name])) problems[name] = field.problem;
  }
  if (!isHomeFilled(form) || Object.keys(problems).length > 0) return noEstimate(problems);
  return estimateOf('home', homeCarbon(energy, used?.factors), used);
}

/** @returns whether a field has text that is not an amount */
export function countsAsZero(text: string): boolean {
  const value = parseNumber(text);
  return value === 'unclear' || (typeof value === 'number' && value < 0);
}

/** The estimate for an average car, home, or flying habit. Every choice is valid. */
export function quickEstimate(choice: QuickEstimate, used?: VersionedFactors): Estimate {
  return estimateOf(choice.type, quickCarbon(choice, used?.factors), used);
}

type CarForm = { readonly miles: string; readonly mpg: string; readonly roundtrip: boolean };
const MPG: AmountLimits = { maximum: 1_000, unit: m.unitMilesPerGallon() };

/** Miles are required, and not zero. Empty miles per gallon count as 25 (§5). */
export function carEstimate(form: CarForm, used?: VersionedFactors): TripEstimate<'miles' | 'mpg'> {
  const miles = requirePositive(parseQuantity(form.miles, MILES), sentenceOf('no-miles'));
  const mpg = requirePositive(parseQuantity(form.mpg, MPG), m.estimateMpg({ mpg: String(DEFAULT_MPG) }));
  if (miles.kind !== 'amount' || mpg.kind === 'problem') {
    const hints = [tripHint({ miles }), mpg.kind === 'problem' ? m.hintMpgWrong() : ''];
    return incompleteEstimate({ miles, mpg }, hints.filter(Boolean).join(' '));
  }
  const { roundtrip } = form;
  const milesPerGallon = mpg.kind === 'blank' ? DEFAULT_MPG : mpg.amount;
  const drive = { miles: miles.amount, mpg: milesPerGallon, roundtrip };
  return withoutHint(estimateOf('car', carCarbon(drive, used?.factors), used));
}
