import { type Day, isDay } from './days.ts';
import type { Failure } from './failures.ts';
import { formFailure } from './form-failures.ts';

/** What a grant pays for in a home. */
export const MEASURES = ['attic-insulation', 'air-sealing', 'heat-pump', 'heat-pump-water-heater', 'other'] as const;
export type Measure = (typeof MEASURES)[number];

/** How the expected saving was found: measured in this home, computed for it, or set for all homes alike. */
export const METHODS = ['audit', 'model', 'deemed'] as const;
export type Method = (typeof METHODS)[number];

/** What of a grant the household lets the public see, each by itself. */
export const GRANT_FIELDS = ['amount', 'measures', 'installer', 'savings', 'dates'] as const;
export type GrantField = (typeof GRANT_FIELDS)[number];

/** Of what is known of a grant: the fields that its household lets the public see, and nothing else. */
export function shownFields<Parts extends Readonly<Record<GrantField, unknown>>>(
  parts: Parts,
  shown: readonly GrantField[],
): Partial<Parts> {
  const all: Partial<Parts> = parts;
  const fields = GRANT_FIELDS.filter((field) => shown.includes(field) && parts[field] !== undefined);
  return Object.fromEntries(fields.map((field) => [field, all[field]])) as Partial<Parts>;
}

/** In characters: who does the work, and where a number comes from. */
export const GRANT_TEXT_MAXIMUM = 300;
export const LIFETIME_MAXIMUM = 60;

/** Nothing that homes do saves as much in a year: a typing error. */
export const YEARLY_POUNDS_MAXIMUM = 200_000;

/** How far a grant has come. Promised money is set aside; paid money has left the bank. */
export const GRANT_STANDINGS = ['applied', 'promised', 'paid', 'done', 'inspected'] as const;
export type GrantStanding = (typeof GRANT_STANDINGS)[number];

export type GrantDays = {
  readonly appliedOn: Day;
  readonly promisedOn: Day | null;
  readonly paidOn: Day | null;
  readonly doneOn: Day | null;
  readonly inspectedOn: Day | null;
};

export function standingOfGrant({ promisedOn, paidOn, doneOn, inspectedOn }: GrantDays): GrantStanding {
  if (paidOn === null) return promisedOn === null ? 'applied' : 'promised';
  if (inspectedOn !== null) return 'inspected';
  return doneOn === null ? 'paid' : 'done';
}

/**
 * Why something about a grant cannot have happened on a day.
 * @param after the day of what comes before it @param today where the organization is
 * @returns Failure day-invalid, day-to-come, days-backwards
 */
export function grantDayFailure(day: Day, after: Day | null, today: Day): Failure | undefined {
  if (!isDay(day)) return formFailure('day-invalid');
  if (day > today) return formFailure('day-to-come');
  return after !== null && day < after ? formFailure('days-backwards') : undefined;
}
