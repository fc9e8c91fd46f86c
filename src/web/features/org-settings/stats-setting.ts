import type { SentBody } from '#contract/schemas.ts';
import { type SomeStats, STAT_NAMES, type Stats } from '#domain/org.ts';
import { amountOf, type StatName } from './stat-words.ts';

/** What was typed; a stat that nobody touched stays as it is, whatever that is by then. */
export type TypedStats = { readonly [Name in StatName]?: string };

export type StatsSetting = Required<Pick<SentBody<'editOrg'>, 'stats' | 'statsSeen' | 'reason'>>;

/** What is to be set, and what was seen of it; nothing where there is no difference, or no reason for it. */
export function statsSettingOf(stats: Stats, typed: TypedStats, reason: string): StatsSetting | undefined {
  const wanted = (name: StatName) => amountOf(name, typed[name] ?? '');
  const changed = STAT_NAMES.filter((name) => typed[name] !== undefined && wanted(name) !== stats[name]);
  const isFine = changed.length > 0 && reason.trim() !== '' && changed.every((name) => wanted(name) >= 0);
  if (!isFine) return undefined;
  const each = (amount: (name: StatName) => number): SomeStats =>
    Object.fromEntries(changed.map((name) => [name, amount(name)]));
  return { stats: each(wanted), statsSeen: each((name) => stats[name]), reason: reason.trim() };
}
