// @spec 2.org-settings 5.org
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OrgSettings } from '#contract/schemas/orgs.ts';
import { NO_STATS } from '#domain/org.ts';
import {
  amountOf,
  amountsOf,
  correctionText,
  editOf,
  formatAdjustment,
  hasSettingsChanged,
  publicStatText,
  rebaseDraft,
  seenOf,
  settingConflicts,
  settingsDraftOf,
  settingsProblems,
  statProblem,
  statsCorrectionOf,
  statText,
  withTheirs,
} from '#web/routes/editor/org/settings-draft.ts';

const SAVED: OrgSettings = {
  id: 'hill',
  slug: 'hill-fund',
  name: 'Hill Fund',
  tag: 'Warm homes',
  place: '',
  homeCity: null,
  typicalGrant: null,
  savingYears: 20,
  photoURL: null,
  photo: null,
  stats: { co2: 2000.5, gas: 102, funds: 25, grants: 3 },
  statsDelta: { ...NO_STATS, funds: -0.1 },
  statsUpdatedTimestamp: '2026-03-14T09:30:00.000Z',
  noAwardees: false,
  takesApplications: true,
  isSample: false,
  timeZone: 'America/New_York',
  createdTimestamp: '2026-03-14T09:30:00.000Z',
  version: 1,
  editorsNeedSecondFactor: false,
  reviewStories: false,
  adjustments: [],
};
const draft = settingsDraftOf(SAVED);

test('unchanged fields aren’t sent, regardless of formatting', () => {
  expect(editOf(draft, SAVED)).toEqual({});
  const sameDraft = {
    ...draft,
    name: ' Hill Fund ',
    tag: 'Warm  homes',
    delta: { ...draft.delta, co2: '', funds: '-0.10' },
  };
  expect(hasSettingsChanged(sameDraft, SAVED)).toBe(false);
});

test('only changed fields are sent', () => {
  const changedDraft = {
    ...draft,
    tag: 'Cool\nplanet',
    delta: { ...draft.delta, gas: '1,000.5' },
    showAwardees: false,
  };
  expect(editOf(changedDraft, SAVED)).toEqual({ tag: 'Cool planet', statsDelta: { gas: 1000.5 }, noAwardees: true });
  expect(editOf({ ...draft, takesApplications: false }, SAVED)).toEqual({ takesApplications: false });
  expect(editOf({ ...draft, typicalGrant: '4,500.50' }, SAVED)).toEqual({ typicalGrant: 4500.5 });
  expect(editOf({ ...draft, typicalGrant: '' }, { ...SAVED, typicalGrant: 4500 })).toEqual({ typicalGrant: null });
  expect(editOf({ ...draft, slug: 'valley', reviewStories: true, name: 'Valley' }, SAVED)).toEqual({
    slug: 'valley',
    name: 'Valley',
    reviewStories: true,
  });
});

test('an edit includes the settings it was based on', () => {
  const edit = editOf({ ...draft, tag: 'Mine', delta: { ...draft.delta, gas: '5' } }, SAVED);
  expect(seenOf(edit, draft)).toEqual({ tag: 'Warm homes', statsDelta: SAVED.statsDelta });
});

test('a draft keeps its edits and takes the other fields from newer settings', () => {
  const newer = { ...SAVED, name: 'Valley Fund', tag: 'Theirs', statsDelta: { ...NO_STATS, co2: 7, gas: 8 } };
  const edited = { ...draft, tag: 'Mine', delta: { ...draft.delta, gas: '5' } };
  const rebasedDraft = rebaseDraft(edited, draft, settingsDraftOf(newer));
  expect(editOf(rebasedDraft, newer)).toEqual({ tag: 'Mine', statsDelta: { gas: 5 } });
  const conflicts = settingConflicts(edited, draft, newer);
  expect(conflicts.map(({ label, theirs, mine }) => [label, theirs, mine])).toEqual([
    ['Tag', 'Theirs', 'Mine'],
    ['Stats delta of Gallons of gas saved', '8', '5'],
  ]);
  expect(editOf(withTheirs(rebasedDraft, newer, conflicts), newer)).toEqual({});
});

test('invalid fields have errors, except an unchanged slug', () => {
  expect(settingsProblems(draft, SAVED)).toEqual({});
  expect(settingsProblems({ ...draft, slug: 'x' }, { ...SAVED, slug: 'x' })).toEqual({});
  expect(settingsProblems({ ...draft, typicalGrant: '0.5' }, SAVED)).toEqual({
    typicalGrant: 'Please enter dollars, such as 4,500, or nothing.',
  });
  expect(settingsProblems({ ...draft, name: '', tag: ' ', slug: 'admin' }, SAVED)).toEqual({
    name: 'Please enter a name.',
    tag: 'Please enter a tag.',
    slug: '“admin” is reserved by this site. Please choose another short name.',
  });
});

test.each([
  ['co2', '', 0],
  ['co2', 'many', 0],
  ['co2', '1e5', 0],
  ['co2', '9'.repeat(400), 0],
  ['co2', ' 1,234.56789 ', 1234.5679],
  ['funds', '-12.345', -12.35],
  ['grants', '2.5', 3],
  ['grants', '−2', -2],
] as const)('in %s, %j counts as %d', (name, text, amount) => {
  expect(amountOf(name, text)).toBe(amount);
});

test('every amount that can be entered is accepted by the server', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('co2', 'gas', 'funds', 'grants'), (text, name) => {
      const amount = amountOf(name, text);
      expect(Math.abs(amount)).toBeLessThanOrEqual(1_000_000_000);
      expect(amountOf(name, String(amount))).toBe(amount);
    }),
  );
});

test.each([
  ['grants', '', undefined],
  ['grants', '1,234', undefined],
  ['grants', '-5', undefined],
  ['grants', 'abc', 'Use a whole number, such as 31 or -5.'],
  ['grants', '1.5', 'Use a whole number, such as 31 or -5.'],
  ['funds', '12.50', undefined],
  ['funds', '12.345', 'Use dollars and cents, such as 31.50 or -5.'],
  ['co2', '0.12345', 'Use a number with at most 4 decimals, such as 31.5 or -5.'],
  ['co2', '-2000000000', 'Use a number between -1,000,000,000 and 1,000,000,000.'],
] as const)('in %s, the problem of %j is %s', (name, text, problem) => {
  expect(statProblem(name, text)).toBe(problem);
  const changedDraft = { ...draft, delta: { ...draft.delta, [name]: text } };
  expect(settingsProblems(changedDraft, SAVED).statsDelta).toBe(problem);
});

test('an invalid number isn’t saved', () => {
  expect(hasSettingsChanged({ ...draft, delta: { ...draft.delta, grants: 'abc' } }, SAVED)).toBe(true);
  expect(statProblem('funds', '-1', 0)).toBe('A stat cannot be below 0.');
  expect(statsCorrectionOf(SAVED.stats, { funds: '30', grants: 'abc' }, 'At the fair')).toBeUndefined();
});

test('amounts show all decimals, and changes show their sign', () => {
  expect(publicStatText('co2', 773_197.9758)).toBe('773,198');
  expect(publicStatText('funds', 25.4)).toBe('$25');
  expect(statText('co2', 2000.5)).toBe('2,000.5');
  expect(statText('co2', 1000)).toBe('1,000');
  expect(statText('grants', 10)).toBe('10');
  expect(statText('funds', 25)).toBe('$25.00');
  expect(formatAdjustment({ co2: -20.25, gas: 0, funds: 150.5, grants: 1 })).toBe(
    '−20.25 lbs CO₂, +$150.50 raised, +1 grant',
  );
  expect(amountsOf(draft.delta)).toEqual(SAVED.statsDelta);
});

test('only edited stats are sent, with their previous values, and only with a reason', () => {
  const { stats } = SAVED;
  expect(statsCorrectionOf(stats, { funds: '150.50' }, ' At the fair ')).toEqual({
    stats: { funds: 150.5 },
    previousStats: { funds: 25 },
    reason: 'At the fair',
  });
  expect(statsCorrectionOf(stats, { funds: '150.50' }, ' ')).toBeUndefined();
  expect(statsCorrectionOf(stats, { funds: '25.00' }, 'The same')).toBeUndefined();
  expect(statsCorrectionOf(stats, { funds: '-1' }, 'Below 0')).toBeUndefined();
  expect(statsCorrectionOf(stats, {}, 'Nothing')).toBeUndefined();
});

test('the preview shows what will be posted', () => {
  const { stats } = SAVED;
  expect(correctionText(stats, { funds: '150.50' })).toBe('+$125.50 raised');
  expect(correctionText(stats, { funds: '12,5' })).toBe('');
  expect(correctionText(stats, { funds: '25.00' })).toBe('');
  expect(correctionText(stats, {})).toBe('');
});
