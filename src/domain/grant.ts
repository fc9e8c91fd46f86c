import { type Day, isDay } from './days.ts';
import type { Failure } from './failures.ts';
import { formFailure } from './form-failures.ts';

/** Measures that a grant can pay for. */
export const MEASURES = ['attic-insulation', 'air-sealing', 'heat-pump', 'heat-pump-water-heater', 'other'] as const;
export type Measure = (typeof MEASURES)[number];

/** How the savings were estimated: audit of this home, model of this home, or a standard value for all homes. */
export const METHODS = ['audit', 'model', 'deemed'] as const;
export type Method = (typeof METHODS)[number];

/** Fields of a grant that the household can publish separately. */
export const GRANT_FIELDS = ['amount', 'measures', 'installer', 'savings', 'dates'] as const;
export type GrantField = (typeof GRANT_FIELDS)[number];

/**
 * Lists the grant fields to show for the fields that the household agreed to publish. Savings are shown only with the
 * amount: grants are usually paid by the pound (§9), so yearly pounds and years would reveal an amount that is private.
 */
export function listShownFields(publishedNames: readonly GrantField[]): GrantField[] {
  return GRANT_FIELDS.filter(
    (field) => publishedNames.includes(field) && (field !== 'savings' || publishedNames.includes('amount')),
  );
}

/** Picks the grant fields that are shown publicly. */
export function pickPublishedFields<Parts extends Readonly<Record<GrantField, unknown>>>(
  parts: Parts,
  publishedNames: readonly GrantField[],
): Partial<Parts> {
  const optionalParts: Partial<Parts> = parts;
  const fields = listShownFields(publishedNames).filter((field) => parts[field] !== undefined);
  return Object.fromEntries(fields.map((field) => [field, optionalParts[field]])) as Partial<Parts>;
}

/** Characters in the installer's name, and in the source of a number. */
export const MAX_GRANT_TEXT_LENGTH = 300;
export const MAX_LIFETIME_YEARS = 60;

/** Larger yearly savings are probably typos. */
export const MAX_YEARLY_POUNDS = 200_000;

/** Progress of a grant. Promised money is set aside; paid money has left the bank. */
export const GRANT_STAGES = ['applied', 'promised', 'paid', 'done', 'inspected'] as const;
export type GrantStage = (typeof GRANT_STAGES)[number];

export type GrantDays = {
  readonly appliedOn: Day;
  readonly promisedOn: Day | null;
  readonly paidOn: Day | null;
  readonly doneOn: Day | null;
  readonly inspectedOn: Day | null;
};

export function getGrantStage({ promisedOn, paidOn, doneOn, inspectedOn }: GrantDays): GrantStage {
  if (paidOn === null) return promisedOn === null ? 'applied' : 'promised';
  if (inspectedOn !== null) return 'inspected';
  return doneOn === null ? 'paid' : 'done';
}

/** Checks that the expected savings have been entered, which promises and payments require. */
export function hasSavings({ yearlyPounds }: { readonly yearlyPounds: number }): boolean {
  return yearlyPounds > 0;
}

/**
 * Validates the day of a grant's step.
 * @param previousDay day of the previous step @param today in the organization's time zone
 * @returns Failure day-invalid, day-in-future, days-out-of-order
 */
export function grantDayFailure(day: Day, previousDay: Day | null, today: Day): Failure | undefined {
  if (!isDay(day)) return formFailure('day-invalid');
  if (day > today) return formFailure('day-in-future');
  return previousDay !== null && day < previousDay ? formFailure('days-out-of-order') : undefined;
}
