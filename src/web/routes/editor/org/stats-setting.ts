import type { SentBody } from '#contract/schemas.ts';
import { NO_STATS, type SomeStats, STAT_NAMES, type Stats } from '#domain/org.ts';
import { amountOf, changeText, type StatName } from './stat-words.ts';

/** What was typed; a stat that nobody touched stays as it is, whatever that is by then. */
export type TypedStats = { readonly [Name in StatName]?: string };

export type StatsSetting = Required<Pick<SentBody<'editOrg'>, 'stats' | 'statsSeen' | 'reason'>>;

/** What is to be set, and what was seen of it; nothing where there is no difference, or no reason for it. */
export function statsSettingOf(stats: Stats, typed: TypedStats, reason: string): StatsSetting | undefined {
  const wanted = (name: StatName) => amountOf(name, typed[name] ?? '');
  const changed = changedOf(stats, typed);
  const isFine = changed.length > 0 && reason.trim() !== '' && changed.every((name) => wanted(name) >= 0);
  if (!isFine) return undefined;
  const each = (amount: (name: StatName) => number): SomeStats =>
    Object.fromEntries(changed.map((name) => [name, amount(name)]));
  return { stats: each(wanted), statsSeen: each((name) => stats[name]), reason: reason.trim() };
}

/** What would be posted, before it is: "+$95.50 raised". Empty where nothing would be. */
export function postingText(stats: Stats, typed: TypedStats): string {
  const changes = changedOf(stats, typed).map((name) => [name, amountOf(name, typed[name] ?? '') - stats[name]]);
  return changeText({ ...NO_STATS, ...Object.fromEntries(changes) });
}

function changedOf(stats: Stats, typed: TypedStats): StatName[] {
  return STAT_NAMES.filter((name) => typed[name] !== undefined && amountOf(name, typed[name]) !== stats[name]);
}
