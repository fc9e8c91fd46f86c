import { type QuickEstimate, quickCarbon } from '#domain/emissions.ts';
import { type Estimate, estimateOf } from './estimate.ts';

/** The estimate for an average car, home or flying habit: always there, since every choice is valid. */
export function quickEstimate(choice: QuickEstimate): Estimate {
  return estimateOf(choice.type, quickCarbon(choice));
}
