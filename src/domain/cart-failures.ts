import { type InLanguage, m } from '#messages';
import { type DetailsOf, Failure, type FailureDefinition } from './failures.ts';

/** Failures of a whole cart (decisions §3). Those of a single item are in server-failures.ts. */
export const CART_FAILURES = {
  'cart-empty': { status: 422, sentence: m.failCartEmpty },
  'cart-too-many-items': { status: 422, sentence: m.failCartTooManyItems },
  'cart-below-minimum': { status: 422, sentence: m.failCartBelowMinimum },
  'two-intervals': { status: 422, sentence: twoIntervalsSentence },
} as const satisfies Record<string, FailureDefinition>;

/** The sentence begins with a placeholder, so its first letter is capitalized here. */
function twoIntervalsSentence(
  details: { firstInterval: string; secondInterval: string },
  options?: InLanguage,
): string {
  return m.failTwoIntervals(details, options).replace(/^./, (letter) => letter.toUpperCase());
}

export function createCartFailure<Code extends keyof typeof CART_FAILURES>(
  code: Code,
  details: DetailsOf<Code>,
): Failure {
  return new Failure(code, details, CART_FAILURES[code]);
}
