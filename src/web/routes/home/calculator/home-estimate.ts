import { type HomeEnergy, homeCarbon, type QuickEstimate, quickCarbon } from '#domain/emissions.ts';
import { typedNumber } from '#web/ui/typed-number.ts';
import { type AmountLimits, type Estimate, estimateOf, noEstimate, typedAmount } from './estimates.ts';

export type HomeField = keyof HomeEnergy;
export type HomeForm = Readonly<Record<HomeField, string>>;

const MAXIMUM = 10_000_000;
const LIMITS: Record<HomeField, AmountLimits> = {
  propane: { maximum: MAXIMUM, unit: 'gallons' },
  electricity: { maximum: MAXIMUM, unit: 'kWh' },
  gas: { maximum: MAXIMUM, unit: 'therms' },
  oil: { maximum: MAXIMUM, unit: 'gallons' },
};

export const HOME_FIELDS: readonly HomeField[] = ['propane', 'electricity', 'gas', 'oil'];

/** Whether at least one field has text; that alone enables the button (§4, §5). */
export function isHomeFilled(form: HomeForm): boolean {
  return HOME_FIELDS.some((field) => form[field].trim() !== '');
}

/** Blank or non-numeric fields count as 0 (§5); amounts above the maximum are problems. */
export function homeEstimate(form: HomeForm): Estimate<HomeField> {
  const energy: Partial<HomeEnergy> = {};
  const problems: Partial<Record<HomeField, string>> = {};
  for (const field of HOME_FIELDS) {
    const typed = typedAmount(form[field], LIMITS[field]);
    if (typed.kind === 'amount') energy[field] = typed.amount;
    else if (typed.kind === 'problem' && !countsAsZero(form[field])) problems[field] = typed.problem;
  }
  if (!isHomeFilled(form) || Object.keys(problems).length > 0) return noEstimate(problems);
  return estimateOf('home', homeCarbon(energy));
}

/** Whether a field has text that is not an amount, which the form points out. */
export function countsAsZero(text: string): boolean {
  const typed = typedNumber(text);
  return typed === 'unclear' || (typeof typed === 'number' && typed < 0);
}

/** The estimate for an average car, home or flying habit. Every choice is valid. */
export function quickEstimate(choice: QuickEstimate): Estimate {
  return estimateOf(choice.type, quickCarbon(choice));
}
