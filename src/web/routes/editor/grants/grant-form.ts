import type { Grant } from '#contract/schemas/grants.ts';
import type { BodyInput } from '#contract/schemas.ts';
import type { Day } from '#domain/days.ts';
import {
  type GrantField,
  type GrantStage,
  grantDayFailure,
  LIFETIME_MAXIMUM,
  type Measure,
  type Method,
  YEARLY_POUNDS_MAXIMUM,
} from '#domain/grant.ts';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import type { Tone } from '#web/ui/list-parts.tsx';
import { parseNumber } from '#web/ui/parse-number.ts';
import { amountProblem, parseAmount } from '../checks/check-form.ts';

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
  installer: 'Who did it',
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

export type GrantDraft = {
  readonly appliedOn: Day;
  readonly amount: string;
  readonly measures: readonly Measure[];
  readonly installer: string;
  readonly yearlyPounds: string;
  readonly years: string;
  readonly method: Method;
  readonly methodSource: string;
  readonly otherFunding: string;
  readonly otherFundingSource: string;
  readonly fullSavingsReason: string;
  readonly shown: readonly GrantField[];
};

/** Fields that can be invalid, by the API's names, in the order of the form. */
export const GRANT_FORM = [
  'appliedOn',
  'amount',
  'measures',
  'installer',
  'yearlyPounds',
  'years',
  'methodSource',
  'otherFunding',
  'otherFundingSource',
  'fullSavingsReason',
] as const;
export type GrantFormField = (typeof GRANT_FORM)[number];

export function grantDraftOf(grant: Grant | undefined, today: Day): GrantDraft {
  if (!grant) {
    return {
      appliedOn: today,
      amount: '',
      measures: [],
      installer: '',
      yearlyPounds: '',
      years: '',
      method: 'audit',
      methodSource: '',
      otherFunding: '',
      otherFundingSource: '',
      fullSavingsReason: '',
      shown: [],
    };
  }
  const { amount, yearlyPounds, years, otherFunding } = grant;
  return {
    ...grant,
    amount: amount.toFixed(2),
    yearlyPounds: String(yearlyPounds),
    years: String(years),
    otherFunding: otherFunding === 0 ? '' : otherFunding.toFixed(2),
  };
}

export function draftProblems(draft: GrantDraft, today: Day): Partial<Record<GrantFormField, string>> {
  return problemsByField<GrantFormField>({
    appliedOn: grantDayFailure(draft.appliedOn, null, today),
    amount: parseAmount(draft.amount) === undefined ? amountProblem(draft.amount) : undefined,
    measures: draft.measures.length === 0 ? 'Please choose what the grant pays for.' : undefined,
    yearlyPounds:
      parseUpTo(draft.yearlyPounds, YEARLY_POUNDS_MAXIMUM) === undefined
        ? 'Please enter pounds per year, such as 1,404.'
        : undefined,
    years: Number.isInteger(parseUpTo(draft.years, LIFETIME_MAXIMUM))
      ? undefined
      : `Please enter whole years, up to ${LIFETIME_MAXIMUM}.`,
    methodSource: draft.methodSource.trim() === '' ? 'Please say where the number comes from.' : undefined,
    otherFunding:
      draft.otherFunding.trim() !== '' && parseAmount(draft.otherFunding) === undefined
        ? amountProblem(draft.otherFunding)
        : undefined,
    otherFundingSource:
      draft.otherFunding.trim() !== '' && draft.otherFundingSource.trim() === ''
        ? 'Please say whose money it is.'
        : undefined,
  });
}

/** @param draft a draft without problems */
export function factsOf(draft: GrantDraft, awardeeId: string): BodyInput<'saveGrant'> {
  const { appliedOn, installer, method, methodSource, otherFundingSource, fullSavingsReason } = draft;
  return {
    awardeeid: awardeeId,
    appliedOn,
    installer,
    method,
    methodSource,
    otherFundingSource,
    fullSavingsReason,
    amount: parseAmount(draft.amount) ?? 0,
    otherFunding: parseAmount(draft.otherFunding) ?? 0,
    yearlyPounds: parseUpTo(draft.yearlyPounds, YEARLY_POUNDS_MAXIMUM) ?? 0,
    years: parseUpTo(draft.years, LIFETIME_MAXIMUM) ?? 0,
    measures: [...draft.measures],
    shown: [...draft.shown],
  };
}

function parseUpTo(text: string, maximum: number): number | undefined {
  const value = parseNumber(text);
  return typeof value === 'number' && value > 0 && value <= maximum ? value : undefined;
}
