import type { Grant } from '#contract/schemas/grants.ts';
import type { BodyInput } from '#contract/schemas.ts';
import type { Day } from '#domain/days.ts';
import {
  type GrantField,
  grantDayFailure,
  MAX_LIFETIME_YEARS,
  MAX_YEARLY_POUNDS,
  type Measure,
  type Method,
} from '#domain/grant.ts';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { parseNumber } from '#web/ui/parse-number.ts';
import { formatList } from '#web/ui/text.ts';
import { describeAmountProblem, parseAmount } from '../checks/check-form.ts';
import { FIELD_LABELS, MEASURE_LABELS, METHOD_LABELS } from './grant-labels.ts';

export type GrantDraft = {
  readonly awardeeid: string;
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
  readonly publicFields: readonly GrantField[];
};

/** Fields of each form that can be invalid, by their API names and in display order. */
export const APPLICATION_FIELDS = ['awardeeid', 'appliedOn', 'amount', 'measures', 'installer'] as const;
export const SAVINGS_FIELDS = [
  'yearlyPounds',
  'years',
  'methodSource',
  'otherFunding',
  'otherFundingSource',
  'fullSavingsReason',
] as const;
export type GrantFormField = (typeof APPLICATION_FIELDS)[number] | (typeof SAVINGS_FIELDS)[number];

/** Fields that each form of a grant edits. */
const PART_FIELDS = {
  application: APPLICATION_FIELDS,
  savings: [...SAVINGS_FIELDS, 'method'],
  publicFields: ['publicFields'],
} as const satisfies Record<string, readonly (keyof GrantDraft)[]>;
export type GrantPart = keyof typeof PART_FIELDS;

/** @param home the household of a new grant, if known */
export function toGrantDraft(grant: Grant | undefined, today: Day, home = ''): GrantDraft {
  if (!grant) {
    return {
      awardeeid: home,
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
      publicFields: [],
    };
  }
  const { amount, yearlyPounds, years, otherFunding } = grant;
  // Contains only the form's fields, so that a stored draft doesn't depend on the grant's stage or payment.
  return {
    awardeeid: grant.awardeeid,
    appliedOn: grant.appliedOn,
    amount: amount.toFixed(2),
    measures: grant.measures,
    installer: grant.installer,
    yearlyPounds: yearlyPounds === 0 ? '' : String(yearlyPounds),
    years: years === 0 ? '' : String(years),
    method: grant.method,
    methodSource: grant.methodSource,
    otherFunding: otherFunding === 0 ? '' : otherFunding.toFixed(2),
    otherFundingSource: grant.otherFundingSource,
    fullSavingsReason: grant.fullSavingsReason,
    publicFields: grant.publicFields,
  };
}

/** Problems of the given fields. */
export function findDraftProblems(
  draft: GrantDraft,
  today: Day,
  fields: readonly GrantFormField[],
): Partial<Record<GrantFormField, string>> {
  const problems = problemsByField<GrantFormField>({
    awardeeid: draft.awardeeid === '' ? 'Please choose the household.' : undefined,
    appliedOn: grantDayFailure(draft.appliedOn, null, today),
    amount: parseAmount(draft.amount) === undefined ? describeAmountProblem(draft.amount) : undefined,
    measures: draft.measures.length === 0 ? 'Please choose what the grant pays for.' : undefined,
    yearlyPounds:
      parseUpTo(draft.yearlyPounds, MAX_YEARLY_POUNDS) === undefined
        ? 'Please enter pounds per year, such as 1,404.'
        : undefined,
    years: Number.isInteger(parseUpTo(draft.years, MAX_LIFETIME_YEARS))
      ? undefined
      : `Please enter whole years, up to ${MAX_LIFETIME_YEARS}.`,
    methodSource: draft.methodSource.trim() === '' ? 'Please say where the number comes from.' : undefined,
    otherFunding:
      draft.otherFunding.trim() !== '' && parseAmount(draft.otherFunding) === undefined
        ? describeAmountProblem(draft.otherFunding)
        : undefined,
    otherFundingSource:
      draft.otherFunding.trim() !== '' && draft.otherFundingSource.trim() === ''
        ? 'Please name the source of this funding.'
        : undefined,
  });
  return Object.fromEntries(
    fields.flatMap((field) => (problems[field] === undefined ? [] : [[field, problems[field]]])),
  );
}

/** Replaces only the fields of one form, so that saving it doesn't undo a colleague's changes to other fields. */
export function mergePart(part: GrantPart, current: GrantDraft, editedDraft: GrantDraft): GrantDraft {
  const changes = PART_FIELDS[part].map((field) => [field, editedDraft[field]] as const);
  return { ...current, ...Object.fromEntries(changes) };
}

/** Clears the fields about other funding if there is none, since the public page would show them. */
export function dropUnusedFunding(draft: GrantDraft): GrantDraft {
  return draft.otherFunding.trim() === '' ? { ...draft, otherFundingSource: '', fullSavingsReason: '' } : draft;
}

/** @returns whether a colleague has changed a field of the form to a value that differs from both drafts */
export function hasConflict(
  part: GrantPart,
  current: GrantDraft,
  { base, edited }: { readonly base: GrantDraft; readonly edited: GrantDraft },
): boolean {
  const differs = (other: GrantDraft, field: keyof GrantDraft) =>
    JSON.stringify(current[field]) !== JSON.stringify(other[field]);
  return PART_FIELDS[part].some((field) => differs(base, field) && differs(edited, field));
}

const DRAFT_LABELS: Readonly<Record<keyof GrantDraft, string>> = {
  awardeeid: 'Awardee',
  appliedOn: 'Applied on',
  amount: 'Amount',
  measures: 'What it pays for',
  installer: 'Installer',
  yearlyPounds: 'Pounds per year',
  years: 'Years',
  method: 'How it was estimated',
  methodSource: 'Source',
  otherFunding: 'Other public funding',
  otherFundingSource: 'Funding source',
  fullSavingsReason: 'Reason to count all of the savings',
  publicFields: 'Shown publicly',
};

/**
 * A line for each field of a form, to compare two drafts. @param getAwardeeName returns the name for an awardee's id
 */
export function describePart(part: GrantPart, draft: GrantDraft, getAwardeeName: (id: string) => string): string {
  const texts: Readonly<Record<keyof GrantDraft, string>> = {
    ...draft,
    awardeeid: getAwardeeName(draft.awardeeid),
    method: METHOD_LABELS[draft.method],
    measures: formatList(draft.measures.map((measure) => MEASURE_LABELS[measure])),
    publicFields: formatList(draft.publicFields.map((name) => FIELD_LABELS[name])),
  };
  return PART_FIELDS[part].map((field) => `${DRAFT_LABELS[field]}: ${texts[field]}`).join('\n');
}

/** @param draft a draft without problems */
export function toGrantFacts(draft: GrantDraft): BodyInput<'saveGrant'> {
  const { awardeeid, appliedOn, installer, method, methodSource, otherFundingSource, fullSavingsReason } = draft;
  return {
    awardeeid,
    appliedOn,
    installer,
    method,
    methodSource,
    otherFundingSource,
    fullSavingsReason,
    amount: parseAmount(draft.amount) ?? 0,
    otherFunding: parseAmount(draft.otherFunding) ?? 0,
    yearlyPounds: parseUpTo(draft.yearlyPounds, MAX_YEARLY_POUNDS) ?? 0,
    years: parseUpTo(draft.years, MAX_LIFETIME_YEARS) ?? 0,
    measures: [...draft.measures],
    publicFields: [...draft.publicFields],
  };
}

function parseUpTo(text: string, maximum: number): number | undefined {
  const value = parseNumber(text);
  return typeof value === 'number' && value > 0 && value <= maximum ? value : undefined;
}
