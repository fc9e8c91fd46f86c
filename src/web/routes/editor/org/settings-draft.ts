import { RESERVED_SLUGS } from '#contract/pages.ts';
import type { OrgSettings } from '#contract/schemas/orgs.ts';
import type { SentBody } from '#contract/schemas.ts';
import { STAT_NAMES, slugFailure, tagFailure, tidyTag } from '#domain/org.ts';
import { nameFailure } from '#domain/profile.ts';
import { amountOf, type StatTexts, textsOf } from './stat-words.ts';

/** What stands in the fields of the settings. */
export type SettingsDraft = {
  readonly name: string;
  readonly tag: string;
  readonly slug: string;
  readonly delta: StatTexts;
  readonly showAwardees: boolean;
  readonly reviewStories: boolean;
};

/** The fields that can be wrong, by the names they are sent under (§7), in the order of the form. */
export const SETTINGS_FIELDS = ['slug', 'name', 'tag'] as const;
export type SettingsField = (typeof SETTINGS_FIELDS)[number];

export function draftOf(settings: OrgSettings): SettingsDraft {
  const { name, tag, slug, statsDelta, noAwardees, reviewStories } = settings;
  return { name, tag, slug, delta: textsOf(statsDelta), showAwardees: !noAwardees, reviewStories };
}

/** What keeps the settings from being saved, by field, in words for their writer. */
export function settingsProblems(
  { name, tag, slug }: SettingsDraft,
  saved: OrgSettings,
): Readonly<Partial<Record<SettingsField, string>>> {
  const failures = {
    slug: slug === saved.slug ? undefined : slugFailure(slug, RESERVED_SLUGS),
    name: nameFailure(name),
    tag: tagFailure(tag),
  };
  const found = SETTINGS_FIELDS.flatMap((field) => {
    const failure = failures[field];
    return failure ? [[field, failure.message]] : [];
  });
  return Object.fromEntries(found);
}

/** What of the settings is to be changed, and nothing else: two editors who change different things do not meet. */
export function editOf(draft: SettingsDraft, saved: OrgSettings): SentBody<'editOrg'> {
  const names = STAT_NAMES.filter((name) => amountOf(name, draft.delta[name]) !== saved.statsDelta[name]);
  const delta = Object.fromEntries(names.map((name) => [name, amountOf(name, draft.delta[name])]));
  const tag = tidyTag(draft.tag);
  return {
    ...(draft.slug === saved.slug ? {} : { slug: draft.slug }),
    ...(draft.name.trim() === saved.name ? {} : { name: draft.name.trim() }),
    ...(tag === saved.tag ? {} : { tag }),
    ...(names.length === 0 ? {} : { statsDelta: delta }),
    ...(draft.showAwardees === !saved.noAwardees ? {} : { noAwardees: !draft.showAwardees }),
    ...(draft.reviewStories === saved.reviewStories ? {} : { reviewStories: draft.reviewStories }),
  };
}

/** Whether there is something to save. */
export function isChanged(draft: SettingsDraft, saved: OrgSettings): boolean {
  return Object.keys(editOf(draft, saved)).length > 0;
}
