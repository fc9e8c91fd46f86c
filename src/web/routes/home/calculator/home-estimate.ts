import { type HomeEnergy, homeCarbon } from '#domain/emissions.ts';
import { typedNumber } from '#web/ui/typed-number.ts';
import { type Estimate, estimateOf, waiting } from './estimate.ts';
import { type AmountLimits, typedAmount } from './typed-amount.ts';

export type HomeField = keyof HomeEnergy;
/** What stands in the fields of the home calculator. */
export type HomeForm = Readonly<Record<HomeField, string>>;

const MOST = 10_000_000;
const LIMITS: Record<HomeField, AmountLimits> = {
  propane: { most: MOST, unit: 'gallons' },
  electricity: { most: MOST, unit: 'kWh' },
  gas: { most: MOST, unit: 'therms' },
  oil: { most: MOST, unit: 'gallons' },
};

export const HOME_FIELDS: readonly HomeField[] = ['propane', 'electricity', 'gas', 'oil'];

/** Whether at least one field is filled, whatever with: that alone enables the button (§4, §5). */
export function isHomeFilled(form: HomeForm): boolean {
  return HOME_FIELDS.some((field) => form[field].trim() !== '');
}

/** What is blank or not a number counts as 0 (§5); a number beyond all homes is asked about instead. */
export function homeEstimate(form: HomeForm): Estimate<HomeField> {
  const energy: Partial<HomeEnergy> = {};
  const problems: Partial<Record<HomeField, string>> = {};
  for (const field of HOME_FIELDS) {
    const typed = typedAmount(form[field], LIMITS[field]);
    if (typed.kind === 'amount') energy[field] = typed.amount;
    else if (typed.kind === 'problem' && !countsAsZero(form[field])) problems[field] = typed.problem;
  }
  if (!isHomeFilled(form) || Object.keys(problems).length > 0) return waiting(problems);
  return estimateOf('home', homeCarbon(energy));
}

/** Whether a field holds something that cannot be counted, which its owner should know. */
export function countsAsZero(text: string): boolean {
  const typed = typedNumber(text);
  return typed === 'unclear' || (typeof typed === 'number' && typed < 0);
}
