import type { StoredPhoto } from '#server/db/column-types.ts';

/** A fictional person, household or crew. */
export type SampleProfile = {
  readonly key: string;
  readonly name: string;
  /** Paragraphs separated by an empty line. */
  readonly story: string;
  /** ISO 8601, UTC. */
  readonly createdTimestamp: string;
};

export type PicturedProfile = SampleProfile & { readonly photo: StoredPhoto };

/** A profile with its age instead of a date, and its story as paragraphs. */
export type SampleDraft = Omit<SampleProfile, 'createdTimestamp' | 'story'> & {
  readonly daysAgo: number;
  readonly story: readonly string[];
};

const DAY = 24 * 60 * 60 * 1000;

/** The profiles with dates relative to `now`, newest first. */
export function profilesAt(now: Date, drafts: readonly SampleDraft[]): SampleProfile[] {
  return drafts
    .toSorted((a, b) => a.daysAgo - b.daysAgo)
    .map(({ daysAgo, story, ...rest }) => ({
      ...rest,
      story: story.join('\n\n'),
      createdTimestamp: new Date(now.getTime() - daysAgo * DAY).toISOString(),
    }));
}
