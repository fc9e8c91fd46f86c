// @spec 2.editor
import { expect, test } from 'vitest';
import type { Grant } from '#contract/schemas/grants.ts';
import {
  APPLICATION_FIELDS,
  describePart,
  findDraftProblems,
  hasConflict,
  mergePart,
  SAVINGS_FIELDS,
  toGrantDraft,
  toGrantFacts,
} from '#web/routes/editor/grants/grant-draft.ts';
import { findNextStep } from '#web/routes/editor/grants/grant-labels.ts';
import { grantsUrl } from '#web/routes/editor/grants/route.ts';

test.each([
  ['applied', 0, 'Enter savings', 'savings'],
  ['applied', 1404, 'Promise', 'promise'],
  ['promised', 1404, 'Mark paid', 'pay'],
  ['paid', 1404, 'Mark work done', 'done'],
  ['done', 1404, 'Mark inspected', 'inspected'],
  ['inspected', 1404, undefined, undefined],
] as const)('a grant that is %s, with %i pounds a year, has the next step %s', (stage, yearlyPounds, label, kind) => {
  const step = findNextStep({ stage, yearlyPounds });
  expect([step?.label, step?.kind]).toEqual([label, kind]);
});

test('the address contains the stage and the open grant', () => {
  expect(grantsUrl('valley', {})).toBe('/orgs/valley/editor/grants');
  expect(grantsUrl('valley', { homeId: 'h1', stage: 'paid', openGrantId: 'g1' })).toBe(
    '/orgs/valley/editor/grants?home=h1&stage=paid&grant=g1',
  );
});

test('an application requires the household, the amount, and the measures; the savings are entered later', () => {
  const draft = toGrantDraft(undefined, '2026-03-14');
  expect(Object.keys(findDraftProblems(draft, '2026-03-14', APPLICATION_FIELDS))).toEqual([
    'awardeeid',
    'amount',
    'measures',
  ]);
  const application = { ...draft, awardeeid: 'h1', amount: '1,500', measures: ['attic-insulation'] as const };
  expect(findDraftProblems(application, '2026-03-14', APPLICATION_FIELDS)).toEqual({});
  expect(toGrantFacts(application)).toMatchObject({ awardeeid: 'h1', amount: 1500, yearlyPounds: 0, years: 0 });
  expect(Object.keys(findDraftProblems(application, '2026-03-14', SAVINGS_FIELDS))).toEqual([
    'yearlyPounds',
    'years',
    'methodSource',
  ]);
});

const GRANT = {
  awardeeid: 'h1',
  appliedOn: '2026-02-01',
  amount: 1500,
  measures: ['heat-pump'],
  installer: 'Anna Insulates',
  yearlyPounds: 1404,
  years: 20,
  method: 'model',
  methodSource: 'A model',
  otherFunding: 500,
  otherFundingSource: 'NYSERDA',
  fullSavingsReason: '',
  publicFields: ['measures'],
} as unknown as Grant;

test('a form for part of a grant keeps the current values of its other fields', () => {
  const initialDraft = toGrantDraft(GRANT, '2026-03-14');
  expect(toGrantFacts(initialDraft)).toEqual(GRANT);
  const currentDraft = { ...initialDraft, publicFields: [], amount: '1600.00' };
  const changedDraft = { ...initialDraft, years: '25', method: 'audit' } as const;
  const savedFacts = toGrantFacts(mergePart('savings', currentDraft, changedDraft));
  expect(savedFacts).toEqual({ ...GRANT, years: 25, method: 'audit', publicFields: [], amount: 1600 });
});

test('a form conflicts with a colleague’s change to its fields, unless both made the same change', () => {
  const base = toGrantDraft(GRANT, '2026-03-14');
  const current = { ...base, years: '25' };
  expect(hasConflict('savings', current, { base, edited: { ...base, years: '30' } })).toBe(true);
  expect(hasConflict('savings', current, { base, edited: { ...base, methodSource: 'An audit' } })).toBe(true);
  expect(hasConflict('savings', current, { base, edited: current })).toBe(false);
  expect(hasConflict('application', current, { base, edited: { ...base, amount: '9' } })).toBe(false);
  expect(describePart('application', base, () => 'The Okafor family')).toBe(
    'Awardee: The Okafor family\nApplied on: 2026-02-01\nAmount: 1500.00\nWhat it pays for: Heat pump\nInstaller: Anna Insulates',
  );
});
