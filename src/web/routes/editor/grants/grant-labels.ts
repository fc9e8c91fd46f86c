import type { Grant } from '#contract/schemas/grants.ts';
import type { Day } from '#domain/days.ts';
import { type GrantField, type GrantStage, hasSavings, type Measure, type Method } from '#domain/grant.ts';
import type { Tone } from '#web/ui/list-parts.tsx';

export const MEASURE_LABELS: Readonly<Record<Measure, string>> = {
  'attic-insulation': 'Attic insulation',
  'air-sealing': 'Air sealing',
  'heat-pump': 'Heat pump',
  'heat-pump-water-heater': 'Heat-pump water heater',
  other: 'Other',
};

export const METHOD_LABELS: Readonly<Record<Method, string>> = {
  audit: 'Audit of this home',
  model: 'Model of this home',
  deemed: 'A standard value for every home',
};

export const FIELD_LABELS: Readonly<Record<GrantField, string>> = {
  amount: 'The amount',
  measures: 'What was done',
  installer: 'Who did the work',
  savings: 'The pounds saved, and their source',
  dates: 'The dates',
};

export const STAGE_LABELS: Readonly<Record<GrantStage, { readonly label: string; readonly tone: Tone }>> = {
  applied: { label: 'Applied', tone: 'waiting' },
  promised: { label: 'Promised', tone: 'waiting' },
  paid: { label: 'Paid', tone: 'plain' },
  done: { label: 'Work done', tone: 'done' },
  inspected: { label: 'Inspected', tone: 'done' },
};

export const WORK_STEP_LABELS = { done: 'Mark work done', inspected: 'Mark inspected' } as const;

/** The next step of a grant, and the permission it requires. */
type NextStep = {
  readonly kind: 'savings' | 'promise' | 'pay' | 'done' | 'inspected';
  readonly label: string;
  readonly action: 'grants.edit' | 'grants.pay';
};

/** @returns undefined for an inspected grant */
export function findNextStep(grant: Pick<Grant, 'stage' | 'yearlyPounds'>): NextStep | undefined {
  switch (grant.stage) {
    case 'applied':
      return hasSavings(grant)
        ? { kind: 'promise', label: 'Promise', action: 'grants.pay' }
        : { kind: 'savings', label: 'Enter savings', action: 'grants.edit' };
    case 'promised':
      return { kind: 'pay', label: 'Mark paid', action: 'grants.pay' };
    case 'paid':
      return { kind: 'done', label: WORK_STEP_LABELS.done, action: 'grants.edit' };
    case 'done':
      return { kind: 'inspected', label: WORK_STEP_LABELS.inspected, action: 'grants.edit' };
    case 'inspected':
      return undefined;
  }
}

/** Day on which the grant entered its stage. */
export function getStageDay({ appliedOn, promisedOn, paidOn, doneOn, inspectedOn, stage }: Grant): Day {
  const days: Readonly<Record<GrantStage, Day | null>> = {
    applied: appliedOn,
    promised: promisedOn,
    paid: paidOn,
    done: doneOn,
    inspected: inspectedOn,
  };
  return days[stage] ?? appliedOn;
}
