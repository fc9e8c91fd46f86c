import { DEFAULT_MPG, DEFAULT_TRAVELERS } from '#domain/emission-factors.ts';
import { airCarbon, carCarbon } from '#domain/emissions.ts';
import { sentenceOf } from '#domain/failures.ts';
import { type Estimate, estimateOf, problemsOf, waiting } from './estimate.ts';
import { type TripField, tripHint } from './trip-hint.ts';
import { type AmountLimits, type TypedAmount, typedAmount } from './typed-amount.ts';

/** What stands in the fields of the air calculator. */
export type AirForm = { readonly miles: string; readonly travelers: string; readonly roundtrip: boolean };
/** What stands in the fields of the car calculator. */
export type CarForm = { readonly miles: string; readonly mpg: string; readonly roundtrip: boolean };

/** The estimate of a trip, and what its fields still need before there can be an item; empty when nothing. */
export type TripEstimate<Field extends string> = Estimate<Field> & { readonly hint: string };

const MILES: AmountLimits = { most: 1_000_000, unit: 'miles' };
const TRAVELERS: AmountLimits = { most: 10_000, unit: 'travelers', whole: true };
const MPG: AmountLimits = { most: 1_000, unit: 'miles per gallon' };

/** Travelers and miles have to be there and not zero (§5). */
export function airEstimate(form: AirForm): TripEstimate<'miles' | 'travelers'> {
  const miles = aboveZero(typedAmount(form.miles, MILES), sentenceOf('no-miles'));
  const travelers = aboveZero(typedAmount(form.travelers, TRAVELERS), sentenceOf('no-travelers'));
  if (miles.kind !== 'amount' || travelers.kind !== 'amount') return incomplete({ miles, travelers });
  const { roundtrip } = form;
  return complete(estimateOf('air', airCarbon({ travelers: travelers.amount, miles: miles.amount, roundtrip })));
}

/** Miles have to be there and not zero; an empty miles per gallon is 25 (§5). */
export function carEstimate(form: CarForm): TripEstimate<'miles' | 'mpg'> {
  const miles = aboveZero(typedAmount(form.miles, MILES), sentenceOf('no-miles'));
  const mpg = aboveZero(
    typedAmount(form.mpg, MPG),
    `Please enter miles per gallon, or leave it empty for ${DEFAULT_MPG}.`,
  );
  if (miles.kind !== 'amount' || mpg.kind === 'problem') return incomplete({ miles, mpg });
  const { roundtrip } = form;
  const used = mpg.kind === 'blank' ? DEFAULT_MPG : mpg.amount;
  return complete(estimateOf('car', carCarbon({ miles: miles.amount, mpg: used, roundtrip })));
}

function incomplete<Field extends TripField>(fields: Readonly<Record<Field, TypedAmount>>): TripEstimate<Field> {
  return { ...waiting(problemsOf(fields)), hint: tripHint(fields) };
}

function complete(estimate: Estimate): TripEstimate<never> {
  return { ...estimate, hint: '' };
}

function aboveZero(typed: TypedAmount, problem: string): TypedAmount {
  return typed.kind === 'amount' && typed.amount === 0 ? { kind: 'problem', problem } : typed;
}

/** The travelers' field after one press of − or +: from what can be counted on, or from one. */
export function stepTravelers(text: string, by: 1 | -1): string {
  const typed = typedAmount(text, TRAVELERS);
  if (typed.kind !== 'amount') return String(DEFAULT_TRAVELERS);
  return String(Math.min(TRAVELERS.most, Math.max(1, typed.amount + by)));
}
