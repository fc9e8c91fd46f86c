import { RESERVED_SLUGS } from '#contract/pages.ts';
import type { OrgSettings } from '#contract/schemas/orgs.ts';
import type { BodyInput } from '#contract/schemas.ts';
import type { TimeZone } from '#domain/days.ts';
import { decimal, toNumber, toUnits } from '#domain/decimal.ts';
import { formatDollars, formatPounds, formatWhole, formatWholeDollars, STORED_DECIMALS } from '#domain/money.ts';
import { NO_STATS, normalizeTag, type PartialStats, STAT_NAMES, type Stats } from '#domain/org.ts';
import { nameFailure } from '#domain/profile.ts';
import { placeFailure, slugFailure, tagFailure } from '#domain/site-failures.ts';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { parseNumber } from '#web/ui/parse-number.ts';

type SettingsDraft = {
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

/** The fields that can be invalid, by their names in §7, in the order of the form. */
export const SETTINGS_FIELDS = ['slug', 'name', 'tag', 'place', 'typicalGrant'] as const;
export type SettingsField = (typeof SETTINGS_FIELDS)[number];

export function settingsDraftOf(settings: OrgSettings): SettingsDraft {
  const { name, tag, slug, place, statsDelta, noAwardees, reviewStories, editorsNeedSecondFactor, timeZone } = settings;
  const people = { reviewStories, editorsNeedSecondFactor };
  const typicalGrant = settings.typicalGrant === null ? '' : `${settings.typicalGrant}`;
  return {
    name,
    tag,
    slug,
    place,
    typicalGrant,
    delta: textsOf(statsDelta),
    showAwardees: !noAwardees,
    takesApplications: settings.takesApplications,
    ...people,
    timeZone,
  };
}

export function settingsProblems(
  { name, tag, slug, place, typicalGrant }: SettingsDraft,
  saved: OrgSettings,
): Readonly<Partial<Record<SettingsField, string>>> {
  return problemsByField({
    slug: slug === saved.slug ? undefined : slugFailure(slug, RESERVED_SLUGS),
    name: name.trim() === saved.name ? undefined : nameFailure(name),
    tag: tagFailure(tag),
    place: placeFailure(place),
    typicalGrant: typicalGrantOf(typicalGrant) === undefined ? TYPICAL_GRANT_PROBLEM : undefined,
  });
}

const TYPICAL_GRANT_PROBLEM = 'Please enter dollars, such as 4,500, or nothing.';

/** @returns null for an empty field, undefined if the text is no dollar amount */
function typicalGrantOf(text: string): number | null | undefined {
  const dollars = parseNumber(text);
  if (dollars === 'blank') return null;
  return typeof dollars === 'number' && dollars >= 1 && dollars <= MAXIMUM
    ? Math.round(dollars * 100) / 100
    : undefined;
}

/** Returns only changed settings, so two editors can't overwrite each other. */
export function editOf(draft: SettingsDraft, saved: OrgSettings): BodyInput<'editOrg'> {
  const names = STAT_NAMES.filter((name) => amountOf(name, draft.delta[name]) !== saved.statsDelta[name]);
  const delta = Object.fromEntries(names.map((name) => [name, amountOf(name, draft.delta[name])]));
  const tag = normalizeTag(draft.tag);
  return {
    ...(draft.slug === saved.slug ? {} : { slug: draft.slug }),
    ...(draft.name.trim() === saved.name ? {} : { name: draft.name.trim() }),
    ...(tag === saved.tag ? {} : { tag }),
    ...(draft.place.trim() === saved.place ? {} : { place: draft.place.trim() }),
    ...(typicalGrantOf(draft.typicalGrant) === saved.typicalGrant
      ? {}
      : { typicalGrant: typicalGrantOf(draft.typicalGrant) ?? null }),
    ...(names.length === 0 ? {} : { statsDelta: delta }),
    ...(draft.showAwardees === !saved.noAwardees ? {} : { noAwardees: !draft.showAwardees }),
    ...(draft.takesApplications === saved.takesApplications ? {} : { takesApplications: draft.takesApplications }),
    ...(draft.reviewStories === saved.reviewStories ? {} : { reviewStories: draft.reviewStories }),
    ...(draft.editorsNeedSecondFactor === saved.editorsNeedSecondFactor
      ? {}
      : { editorsNeedSecondFactor: draft.editorsNeedSecondFactor }),
    ...(draft.timeZone === saved.timeZone ? {} : { timeZone: draft.timeZone }),
  };
}

export function hasSettingsChanged(draft: SettingsDraft, saved: OrgSettings): boolean {
  return Object.keys(editOf(draft, saved)).length > 0;
}

/** Edited stats only; another stat may change concurrently. */
export type StatInputs = { readonly [Name in StatName]?: string };

export type StatsCorrection = Required<Pick<BodyInput<'editOrg'>, 'stats' | 'statsSeen' | 'reason'>>;

/** The corrected totals, and the ones they replace; undefined without a difference or a reason. */
export function statsCorrectionOf(stats: Stats, inputs: StatInputs, reason: string): StatsCorrection | undefined {
  const correctedAmount = (name: StatName) => amountOf(name, inputs[name] ?? '');
  const changedNames = changedStats(stats, inputs);
  const isValid =
    changedNames.length > 0 && reason.trim() !== '' && changedNames.every((name) => correctedAmount(name) >= 0);
  if (!isValid) return undefined;
  const amountsBy = (amount: (name: StatName) => number): PartialStats =>
    Object.fromEntries(changedNames.map((name) => [name, amount(name)]));
  return { stats: amountsBy(correctedAmount), statsSeen: amountsBy((name) => stats[name]), reason: reason.trim() };
}

/** A preview of the ledger entry: "+$95.50 raised". Empty if nothing changes. */
export function correctionText(stats: Stats, inputs: StatInputs): string {
  const changes = changedStats(stats, inputs).map((name) => [name, amountOf(name, inputs[name] ?? '') - stats[name]]);
  return formatAdjustment({ ...NO_STATS, ...Object.fromEntries(changes) });
}

function changedStats(stats: Stats, inputs: StatInputs): StatName[] {
  return STAT_NAMES.filter((name) => inputs[name] !== undefined && amountOf(name, inputs[name]) !== stats[name]);
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

/** The most the server accepts. */
const MAXIMUM = 1_000_000_000;

/** The amount in a field, rounded to the decimals that are stored. Blank or non-numeric counts as 0 (§5). */
export function amountOf(name: StatName, text: string): number {
  const value = parseNumber(text);
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > MAXIMUM) return 0;
  const scale = DECIMALS[name];
  return toNumber({ units: BigInt(toUnits(decimal(value), scale)), scale });
}

/** A warning about text that counts as 0. */
export function amountNote(text: string, minimum = -MAXIMUM): string | undefined {
  const value = parseNumber(text);
  if (value === 'blank') return undefined;
  if (value === 'unclear') return 'This is not a number: it counts as 0.';
  if (value < minimum)
    return minimum === 0 ? 'A stat cannot be below 0.' : 'This number is too small, so it counts as 0.';
  return value > MAXIMUM ? 'This number is too large, so it counts as 0.' : undefined;
}

function textsOf(stats: Stats): StatTexts {
  return { co2: `${stats.co2}`, gas: `${stats.gas}`, funds: `${stats.funds}`, grants: `${stats.grants}` };
}

export function amountsOf(texts: StatTexts): Stats {
  const amount = (name: StatName) => amountOf(name, texts[name]);
  return { co2: amount('co2'), gas: amount('gas'), funds: amount('funds'), grants: amount('grants') };
}

/** Formats with all decimals. */
export function statText(name: StatName, amount: number): string {
  if (name === 'funds') return formatDollars(amount);
  const exact = formatPounds(amount, DECIMALS[name]);
  return exact.includes('.') ? exact.replace(/\.?0+$/, '') : exact;
}

/** As the public sees it: "2,001", "$25", "4". */
export function publicStatText(name: StatName, amount: number): string {
  return name === 'funds' ? formatWholeDollars(amount) : formatWhole(amount);
}

/** "+2,000 lbs CO₂, −$4.99 raised". */
export function formatAdjustment(change: Stats): string {
  const parts = STAT_NAMES.filter((name) => change[name] !== 0).map((name) => {
    const sign = change[name] < 0 ? '−' : '+';
    return `${sign}${statText(name, Math.abs(change[name]))} ${UNITS[name][Math.abs(change[name]) === 1 ? 0 : 1]}`;
  });
  return parts.join(', ');
}

const UNITS: Readonly<Record<StatName, readonly [singular: string, plural: string]>> = {
  co2: ['lb CO₂', 'lbs CO₂'],
  gas: ['gallon of gas', 'gallons of gas'],
  funds: ['raised', 'raised'],
  grants: ['grant', 'grants'],
};
