// @spec 2.org-settings 5.org
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OrgSettings } from '#contract/schemas/orgs.ts';
import { NO_STATS } from '#domain/org.ts';
import {
  applyTheirs,
  createEdit,
  createStatsCorrection,
  describeCorrection,
  findSettingConflicts,
  findSettingsProblems,
  findStatProblem,
  formatAdjustment,
  formatPublicStat,
  formatStat,
  getBaseSettings,
  haveSettingsChanged,
  parseStat,
  parseStats,
  rebaseDraft,
  toSettingsDraft,
} from '#web/routes/editor/org/settings-draft.ts';

const SAVED_SETTINGS: OrgSettings = {
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
  canChangeTimeZone: true,
  adjustments: [],
};
const draft = toSettingsDraft(SAVED_SETTINGS);

test('unchanged fields aren’t sent, regardless of formatting', () => {
  expect(createEdit(draft, SAVED_SETTINGS)).toEqual({});
  const sameDraft = {
    ...draft,
    name: ' Hill Fund ',
    tag: 'Warm  homes',
    delta: { ...draft.delta, co2: '', funds: '-0.10' },
  };
  expect(haveSettingsChanged(sameDraft, SAVED_SETTINGS)).toBe(false);
});

test('only changed fields are sent', () => {
  const changedDraft = {
    ...draft,
    tag: 'Cool\nplanet',
    delta: { ...draft.delta, gas: '1,000.5' },
    showAwardees: false,
  };
  expect(createEdit(changedDraft, SAVED_SETTINGS)).toEqual({
    tag: 'Cool planet',
    statsDelta: { gas: 1000.5 },
    noAwardees: true,
  });
  expect(createEdit({ ...draft, takesApplications: false }, SAVED_SETTINGS)).toEqual({ takesApplications: false });
  expect(createEdit({ ...draft, typicalGrant: '4,500.50' }, SAVED_SETTINGS)).toEqual({ typicalGrant: 4500.5 });
  expect(createEdit({ ...draft, typicalGrant: '' }, { ...SAVED_SETTINGS, typicalGrant: 4500 })).toEqual({
    typicalGrant: null,
  });
  expect(createEdit({ ...draft, slug: 'valley', reviewStories: true, name: 'Valley' }, SAVED_SETTINGS)).toEqual({
    slug: 'valley',
    name: 'Valley',
    reviewStories: true,
  });
});

test('an edit includes the settings it was based on', () => {
  const edit = createEdit({ ...draft, tag: 'Mine', delta: { ...draft.delta, gas: '5' } }, SAVED_SETTINGS);
  expect(getBaseSettings(edit, draft)).toEqual({ tag: 'Warm homes', statsDelta: SAVED_SETTINGS.statsDelta });
});

test('a draft keeps its edits and takes the other fields from newer settings', () => {
  const newerSettings = {
    ...SAVED_SETTINGS,
    name: 'Valley Fund',
    tag: 'Theirs',
    statsDelta: { ...NO_STATS, co2: 7, gas: 8 },
  };
  const editedDraft = { ...draft, tag: 'Mine', delta: { ...draft.delta, gas: '5' } };
  const rebasedDraft = rebaseDraft(editedDraft, draft, toSettingsDraft(newerSettings));
  expect(createEdit(rebasedDraft, newerSettings)).toEqual({ tag: 'Mine', statsDelta: { gas: 5 } });
  const conflicts = findSettingConflicts(editedDraft, draft, newerSettings);
  expect(conflicts.map(({ label, theirText, ownText }) => [label, theirText, ownText])).toEqual([
    ['Tag', 'Theirs', 'Mine'],
    ['Stats delta of Gallons of gas saved', '8', '5'],
  ]);
  expect(createEdit(applyTheirs(rebasedDraft, newerSettings, conflicts), newerSettings)).toEqual({});
});

test('invalid fields have errors, except an unchanged slug', () => {
  expect(findSettingsProblems(draft, SAVED_SETTINGS)).toEqual({});
  expect(findSettingsProblems({ ...draft, slug: 'x' }, { ...SAVED_SETTINGS, slug: 'x' })).toEqual({});
  expect(findSettingsProblems({ ...draft, typicalGrant: '0.5' }, SAVED_SETTINGS)).toEqual({
    typicalGrant: 'Please enter an amount in dollars, such as 4,500, or leave it blank.',
  });
  expect(findSettingsProblems({ ...draft, name: '', tag: ' ', slug: 'admin' }, SAVED_SETTINGS)).toEqual({
    name: 'Please enter a name.',
    tag: 'Please enter a tag.',
    slug: '“admin” is reserved by this site. Please choose another slug.',
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
  expect(parseStat(name, text)).toBe(amount);
});

test('every amount that can be entered is accepted by the server', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('co2', 'gas', 'funds', 'grants'), (text, name) => {
      const amount = parseStat(name, text);
      expect(Math.abs(amount)).toBeLessThanOrEqual(1_000_000_000);
      expect(parseStat(name, String(amount))).toBe(amount);
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
] as const)('in %s, the problem with %j is %s', (name, text, problem) => {
  expect(findStatProblem(name, text)).toBe(problem);
  const changedDraft = { ...draft, delta: { ...draft.delta, [name]: text } };
  expect(findSettingsProblems(changedDraft, SAVED_SETTINGS).statsDelta).toBe(problem);
});

test('an invalid number isn’t saved', () => {
  expect(haveSettingsChanged({ ...draft, delta: { ...draft.delta, grants: 'abc' } }, SAVED_SETTINGS)).toBe(true);
  expect(findStatProblem('funds', '-1', 0)).toBe('A stat can’t be negative.');
  expect(createStatsCorrection(SAVED_SETTINGS.stats, { funds: '30', grants: 'abc' }, 'At the fair')).toBeUndefined();
});

test('amounts show all decimals, and changes show their sign', () => {
  expect(formatPublicStat('co2', 773_197.9758)).toBe('773,198');
  expect(formatPublicStat('funds', 25.4)).toBe('$25');
  expect(formatStat('co2', 2000.5)).toBe('2,000.5');
  expect(formatStat('co2', 1000)).toBe('1,000');
  expect(formatStat('grants', 10)).toBe('10');
  expect(formatStat('funds', 25)).toBe('$25.00');
  expect(formatAdjustment({ co2: -20.25, gas: 0, funds: 150.5, grants: 1 })).toBe(
    '−20.25 lbs CO₂, +$150.50 raised, +1 grant',
  );
  expect(parseStats(draft.delta)).toEqual(SAVED_SETTINGS.statsDelta);
});

test('only edited stats are sent, with their previous values, and only with a reason', () => {
  const { stats } = SAVED_SETTINGS;
  expect(createStatsCorrection(stats, { funds: '150.50' }, ' At the fair ')).toEqual({
    stats: { funds: 150.5 },
    previousStats: { funds: 25 },
    reason: 'At the fair',
  });
  expect(createStatsCorrection(stats, { funds: '150.50' }, ' ')).toBeUndefined();
  expect(createStatsCorrection(stats, { funds: '25.00' }, 'The same')).toBeUndefined();
  expect(createStatsCorrection(stats, { funds: '-1' }, 'Below 0')).toBeUndefined();
  expect(createStatsCorrection(stats, {}, 'Nothing')).toBeUndefined();
});

test('the preview shows what will be posted', () => {
  const { stats } = SAVED_SETTINGS;
  expect(describeCorrection(stats, { funds: '150.50' })).toBe('+$125.50 raised');
  expect(describeCorrection(stats, { funds: '12,5' })).toBe('');
  expect(describeCorrection(stats, { funds: '25.00' })).toBe('');
  expect(describeCorrection(stats, {})).toBe('');
});
