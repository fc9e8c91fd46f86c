import { RESERVED_SLUGS } from '#contract/reserved-slugs.ts';
import type { OrgSettings } from '#contract/schemas/orgs.ts';
import type { BodyInput } from '#contract/schemas.ts';
import type { TimeZone } from '#domain/days.ts';
import { decimal, toNumber, toUnits } from '#domain/decimal.ts';
import { formatDollars, formatPounds, formatWhole, formatWholeDollars, STORED_DECIMALS } from '#domain/money.ts';
import { NO_STATS, normalizeTag, type PartialStats, STAT_NAMES, type Stats } from '#domain/org.ts';
import { nameFailure } from '#domain/profile.ts';
import { placeFailure, slugFailure, tagFailure } from '#domain/site-failures.ts';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { pickEdited } from '#web/session/drafts.ts';
import { parseNumber } from '#web/ui/parse-number.ts';

export type SettingsDraft = {
  readonly name: string;
  readonly tag: string;
  readonly slug: string;
  readonly place: string;
  /** Dollars; empty if unknown. */
  readonly typicalGrant: string;
  readonly delta: StatTexts;
  readonly showAwardees: boolean;
  readonly takesApplications: boolean;
  readonly reviewStories: boolean;
  readonly editorsNeedSecondFactor: boolean;
  readonly timeZone: TimeZone;
};

/** Fields that can be invalid, by their names in §7 and in display order. */
export const SETTINGS_FIELDS = ['slug', 'name', 'tag', 'place', 'timeZone', 'typicalGrant', 'statsDelta'] as const;
export type SettingsField = (typeof SETTINGS_FIELDS)[number];

export function toSettingsDraft(settings: OrgSettings): SettingsDraft {
  const { name, tag, slug, place, statsDelta, noAwardees, reviewStories, editorsNeedSecondFactor, timeZone } = settings;
  const policySettings = { reviewStories, editorsNeedSecondFactor };
  const typicalGrant = settings.typicalGrant === null ? '' : `${settings.typicalGrant}`;
  return {
    name,
    tag,
    slug,
    place,
    typicalGrant,
    delta: toStatTexts(statsDelta),
    showAwardees: !noAwardees,
    takesApplications: settings.takesApplications,
    ...policySettings,
    timeZone,
  };
}

export function findSettingsProblems(
  { name, tag, slug, place, typicalGrant, delta }: SettingsDraft,
  saved: OrgSettings,
): Readonly<Partial<Record<SettingsField, string>>> {
  return problemsByField({
    slug: slug === saved.slug ? undefined : slugFailure(slug, RESERVED_SLUGS),
    name: name.trim() === saved.name ? undefined : nameFailure(name),
    tag: tagFailure(tag),
    place: placeFailure(place),
    typicalGrant: parseTypicalGrant(typicalGrant) === undefined ? TYPICAL_GRANT_PROBLEM : undefined,
    statsDelta: STAT_NAMES.map((name) => findStatProblem(name, delta[name])).find((problem) => problem !== undefined),
  });
}

const TYPICAL_GRANT_PROBLEM = 'Please enter an amount in dollars, such as 4,500, or leave it blank.';

/** @returns null for an empty field, undefined if the text isn't a dollar amount */
function parseTypicalGrant(text: string): number | null | undefined {
  const dollars = parseNumber(text);
  if (dollars === 'blank') return null;
  return typeof dollars === 'number' && dollars >= 1 && dollars <= MAX_AMOUNT
    ? Math.round(dollars * 100) / 100
    : undefined;
}

type Edit = BodyInput<'editOrg'>;
type SettingName = keyof NonNullable<Edit['baseSettings']>;
type Settings = Pick<OrgSettings, SettingName>;

/** Returns only changed settings, so two editors can't overwrite each other. */
export function createEdit(draft: SettingsDraft, saved: OrgSettings): Edit {
  return findChangedSettings(toSettings(draft), saved);
}

/** Returns the values that the edited settings had before the edit. */
export function getBaseSettings(edit: Edit, base: SettingsDraft): NonNullable<Edit['baseSettings']> {
  const settings = toSettings(base);
  const names = Object.keys(edit) as SettingName[];
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}

function findChangedSettings(settings: Settings, saved: Settings): Edit {
  const { statsDelta, ...rest } = settings;
  const names = (Object.keys(rest) as (keyof typeof rest)[]).filter((name) => rest[name] !== saved[name]);
  const stats = STAT_NAMES.filter((name) => statsDelta[name] !== saved.statsDelta[name]);
  return {
    ...Object.fromEntries(names.map((name) => [name, rest[name]])),
    ...(stats.length === 0 ? {} : { statsDelta: Object.fromEntries(stats.map((name) => [name, statsDelta[name]])) }),
  };
}

function toSettings(draft: SettingsDraft): Settings {
  return {
    slug: draft.slug,
    name: draft.name.trim(),
    tag: normalizeTag(draft.tag),
    place: draft.place.trim(),
    typicalGrant: parseTypicalGrant(draft.typicalGrant) ?? null,
    statsDelta: parseStats(draft.delta),
    noAwardees: !draft.showAwardees,
    takesApplications: draft.takesApplications,
    reviewStories: draft.reviewStories,
    editorsNeedSecondFactor: draft.editorsNeedSecondFactor,
    timeZone: draft.timeZone,
  };
}

/** Rebases a draft onto newer settings. Fields that the editor didn't edit get the newer values. */
export function rebaseDraft(draft: SettingsDraft, base: SettingsDraft, newer: SettingsDraft): SettingsDraft {
  return {
    ...newer,
    ...pickEdited(draft, base),
    delta: { ...newer.delta, ...pickEdited(draft.delta, base.delta) },
  };
}

/** A setting that two people changed, with both formatted values. */
export type SettingConflict = {
  readonly field: keyof SettingsDraft | StatName;
  readonly label: string;
  readonly theirText: string;
  readonly ownText: string;
};

/** Finds settings that another editor saved and the draft changes to a different value. */
export function findSettingConflicts(draft: SettingsDraft, base: SettingsDraft, newer: OrgSettings): SettingConflict[] {
  const ownTexts = toSettingTexts(draft);
  const baseTexts = toSettingTexts(base);
  const theirTexts = toSettingTexts(toSettingsDraft(newer));
  return SETTING_NAMES.filter(
    (field) =>
      ownTexts[field] !== baseTexts[field] &&
      theirTexts[field] !== baseTexts[field] &&
      ownTexts[field] !== theirTexts[field],
  ).map((field) => ({ field, label: SETTING_LABELS[field], theirText: theirTexts[field], ownText: ownTexts[field] }));
}

/** The draft with the other editor's values for these settings. */
export function applyTheirs(
  draft: SettingsDraft,
  newer: OrgSettings,
  conflicts: readonly Pick<SettingConflict, 'field'>[],
): SettingsDraft {
  const theirDraft = toSettingsDraft(newer);
  const fields: ReadonlySet<string> = new Set(conflicts.map(({ field }) => field));
  const isConflict = ([name]: readonly [string, unknown]) => fields.has(name);
  return {
    ...draft,
    ...Object.fromEntries(Object.entries(theirDraft).filter(isConflict)),
    delta: { ...draft.delta, ...Object.fromEntries(Object.entries(theirDraft.delta).filter(isConflict)) },
  };
}

type SettingField = SettingConflict['field'];

function toSettingTexts(draft: SettingsDraft): Readonly<Record<Exclude<SettingField, 'delta'>, string>> {
  const { statsDelta, typicalGrant, noAwardees, name, tag, slug, place, timeZone, ...choices } = toSettings(draft);
  const formatChoice = (isOn: boolean) => (isOn ? 'On' : 'Off');
  return {
    name,
    tag,
    slug,
    timeZone,
    place: place || 'None',
    showAwardees: formatChoice(!noAwardees),
    typicalGrant: typicalGrant === null ? 'None' : formatDollars(typicalGrant),
    takesApplications: formatChoice(choices.takesApplications),
    reviewStories: formatChoice(choices.reviewStories),
    editorsNeedSecondFactor: formatChoice(choices.editorsNeedSecondFactor),
    co2: formatStat('co2', statsDelta.co2),
    gas: formatStat('gas', statsDelta.gas),
    funds: formatStat('funds', statsDelta.funds),
    grants: formatStat('grants', statsDelta.grants),
  };
}

export function haveSettingsChanged(draft: SettingsDraft, saved: OrgSettings): boolean {
  const isInvalid = Object.keys(findSettingsProblems(draft, saved)).length > 0;
  return isInvalid || Object.keys(createEdit(draft, saved)).length > 0;
}

/** Contains only edited stats, because other stats may change concurrently. */
export type StatInputs = { readonly [Name in StatName]?: string };

export type StatsCorrection = Required<Pick<BodyInput<'editOrg'>, 'stats' | 'previousStats' | 'reason'>>;

/** The corrected totals and the totals they replace; undefined without a change or a reason. */
export function createStatsCorrection(stats: Stats, inputs: StatInputs, reason: string): StatsCorrection | undefined {
  const parseCorrection = (name: StatName) => parseStat(name, inputs[name] ?? '');
  const changedNames = findChangedStats(stats, inputs);
  const isValid =
    changedNames.length > 0 &&
    reason.trim() !== '' &&
    STAT_NAMES.every((name) => findStatProblem(name, inputs[name] ?? '', 0) === undefined);
  if (!isValid) return undefined;
  const mapAmounts = (getAmount: (name: StatName) => number): PartialStats =>
    Object.fromEntries(changedNames.map((name) => [name, getAmount(name)]));
  return {
    stats: mapAmounts(parseCorrection),
    previousStats: mapAmounts((name) => stats[name]),
    reason: reason.trim(),
  };
}

/** Preview of the ledger entry, ignoring invalid numbers: "+$95.50 raised". Empty if nothing changes. */
export function describeCorrection(stats: Stats, inputs: StatInputs): string {
  const changes = findChangedStats(stats, inputs).map((name) => [
    name,
    parseStat(name, inputs[name] ?? '') - stats[name],
  ]);
  return formatAdjustment({ ...NO_STATS, ...Object.fromEntries(changes) });
}

function findChangedStats(stats: Stats, inputs: StatInputs): StatName[] {
  return STAT_NAMES.filter((name) => {
    const text = inputs[name];
    return text !== undefined && findStatProblem(name, text, 0) === undefined && parseStat(name, text) !== stats[name];
  });
}

export type StatName = keyof Stats;
export type StatTexts = Readonly<Record<StatName, string>>;

/** Labels of the stats; three match the home page (§2). */
export const STAT_LABELS: Readonly<Record<StatName, string>> = {
  co2: 'Lbs CO₂ Offset',
  gas: 'Gallons of gas saved',
  funds: '$ in offsets raised',
  grants: 'Grants awarded',
};

const DECIMALS: Readonly<Record<StatName, number>> = {
  co2: STORED_DECIMALS,
  gas: STORED_DECIMALS,
  funds: 2,
  grants: 0,
};

const SETTING_LABELS: Readonly<Record<Exclude<SettingField, 'delta'>, string>> = {
  name: 'Name',
  tag: 'Tag',
  slug: 'Slug',
  showAwardees: 'Show awardees',
  co2: `Stats delta of ${STAT_LABELS.co2}`,
  gas: `Stats delta of ${STAT_LABELS.gas}`,
  funds: `Stats delta of ${STAT_LABELS.funds}`,
  grants: `Stats delta of ${STAT_LABELS.grants}`,
  place: 'Place',
  timeZone: 'Time zone',
  typicalGrant: 'Typical grant amount',
  takesApplications: 'Accept applications',
  reviewStories: 'Review stories before publishing',
  editorsNeedSecondFactor: 'Editors need a second step to log in',
};
const SETTING_NAMES = Object.keys(SETTING_LABELS) as readonly (keyof typeof SETTING_LABELS)[];

/** Maximum that the server accepts. */
const MAX_AMOUNT = 1_000_000_000;

/** Parses a field's amount and rounds it to the stored decimals. Blank or non-numeric text counts as 0 (§5). */
export function parseStat(name: StatName, text: string): number {
  const value = parseNumber(text);
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > MAX_AMOUNT) return 0;
  const scale = DECIMALS[name];
  return toNumber({ units: BigInt(toUnits(decimal(value), scale)), scale });
}

/** Problem with a stat's text; undefined if it is a valid number or blank, which counts as 0. */
export function findStatProblem(name: StatName, text: string, minimum = -MAX_AMOUNT): string | undefined {
  const value = parseNumber(text);
  if (value === 'blank') return undefined;
  if (value === 'unclear' || parseStat(name, text) !== value)
    return Math.abs(Number(value)) > MAX_AMOUNT ? RANGE_PROBLEM : EXPECTED_NUMBERS[name];
  if (value < minimum) return minimum === 0 ? 'A stat can’t be negative.' : RANGE_PROBLEM;
  return undefined;
}

const RANGE_PROBLEM = 'Use a number between -1,000,000,000 and 1,000,000,000.';

const EXPECTED_NUMBERS: Readonly<Record<StatName, string>> = {
  co2: 'Use a number with at most 4 decimals, such as 31.5 or -5.',
  gas: 'Use a number with at most 4 decimals, such as 31.5 or -5.',
  funds: 'Use dollars and cents, such as 31.50 or -5.',
  grants: 'Use a whole number, such as 31 or -5.',
};

function toStatTexts(stats: Stats): StatTexts {
  return { co2: `${stats.co2}`, gas: `${stats.gas}`, funds: `${stats.funds}`, grants: `${stats.grants}` };
}

export function parseStats(texts: StatTexts): Stats {
  const parse = (name: StatName) => parseStat(name, texts[name]);
  return { co2: parse('co2'), gas: parse('gas'), funds: parse('funds'), grants: parse('grants') };
}

/** Formats a stat with all its decimals. */
export function formatStat(name: StatName, amount: number): string {
  if (name === 'funds') return formatDollars(amount);
  const exactText = formatPounds(amount, DECIMALS[name]);
  return exactText.includes('.') ? exactText.replace(/\.?0+$/, '') : exactText;
}

/** Formats a stat as the public sees it: "2,001", "$25", "4". */
export function formatPublicStat(name: StatName, amount: number): string {
  return name === 'funds' ? formatWholeDollars(amount) : formatWhole(amount);
}

/** "+2,000 lbs CO₂, −$4.99 raised". */
export function formatAdjustment(change: Stats): string {
  const parts = STAT_NAMES.filter((name) => change[name] !== 0).map((name) => {
    const sign = change[name] < 0 ? '−' : '+';
    return `${sign}${formatStat(name, Math.abs(change[name]))} ${UNITS[name][Math.abs(change[name]) === 1 ? 0 : 1]}`;
  });
  return parts.join(', ');
}

const UNITS: Readonly<Record<StatName, readonly [singular: string, plural: string]>> = {
  co2: ['lb CO₂', 'lbs CO₂'],
  gas: ['gallon of gas', 'gallons of gas'],
  funds: ['raised', 'raised'],
  grants: ['grant', 'grants'],
};
