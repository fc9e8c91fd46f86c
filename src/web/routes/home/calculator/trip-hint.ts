import type { TypedAmount } from './typed-amount.ts';

/** The fields of a trip that a number stands in. */
export type TripField = 'miles' | 'travelers' | 'mpg';

/** What is asked where a field is blank. Miles per gallon may stay blank: they are 25 then (§5). */
const ASKS: Readonly<Partial<Record<TripField, string>>> = {
  miles: 'Choose two cities, or enter the miles.',
  travelers: 'Enter how many people travel.',
};

/** What is asked where a field cannot be read; the field itself says why. */
const CORRECTIONS: Readonly<Record<TripField, string>> = {
  miles: 'Correct the trip mileage.',
  travelers: 'Correct the number of travelers.',
  mpg: 'Correct the miles per gallon.',
};

/** What stands between the fields and an estimate, a sentence for each field: what is missing, and what is wrong. */
export function tripHint(fields: Readonly<Partial<Record<TripField, TypedAmount>>>): string {
  const { miles, travelers, mpg } = fields;
  const sentences = [sentenceFor('miles', miles), sentenceFor('travelers', travelers), sentenceFor('mpg', mpg)];
  return sentences.filter((sentence) => sentence !== undefined).join(' ');
}

function sentenceFor(name: TripField, field: TypedAmount | undefined): string | undefined {
  if (field?.kind === 'blank') return ASKS[name];
  return field?.kind === 'problem' ? CORRECTIONS[name] : undefined;
}
