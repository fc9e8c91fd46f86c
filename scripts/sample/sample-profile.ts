import type { StoredPhoto } from '#server/db/tables.ts';

/** A person, household or crew of the sample organisation. All of them are invented. */
export type SampleProfile = {
  readonly key: string;
  readonly name: string;
  /** Paragraphs are separated by an empty line. */
  readonly story: string;
  /** ISO 8601, UTC. */
  readonly createdTimestamp: string;
};

/** A profile whose picture is kept like anybody's photo. */
export type PicturedProfile = SampleProfile & { readonly photo: StoredPhoto };

/** A profile as it is written down: how long ago instead of when, and its story as paragraphs. */
export type SampleDraft = Omit<SampleProfile, 'createdTimestamp' | 'story'> & {
  readonly daysAgo: number;
  readonly story: readonly string[];
};

const DAY = 24 * 60 * 60 * 1000;

/** The profiles as they stand at `now`, newest first. */
export function profilesAt(now: Date, drafts: readonly SampleDraft[]): SampleProfile[] {
  return drafts
    .toSorted((a, b) => a.daysAgo - b.daysAgo)
    .map(({ daysAgo, story, ...rest }) => ({
      ...rest,
      story: story.join('\n\n'),
      createdTimestamp: new Date(now.getTime() - daysAgo * DAY).toISOString(),
    }));
}
