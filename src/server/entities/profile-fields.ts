import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ProfileTexts } from '#contract/schemas/stories.ts';
import type { Failure } from '#domain/failures.ts';
import { chosenNameFailure, makeDisplaySafe } from '#domain/names.ts';
import { photoSizeFailure, type ShownAs, type StoryStatus, storyFailure } from '#domain/profile.ts';
import type { StoredPhoto } from '#server/db/column-types.ts';
import type { PhotoForm } from '#server/http/photo-form.ts';
import { addField } from '#server/http/problems.ts';

/** The columns of a story. */
export type StoryRow = {
  readonly id: string;
  readonly name: string;
  readonly story: string;
  /** Language of the page where an offsetter's story was written; null if unknown. */
  readonly language?: string | null;
  readonly photo: StoredPhoto | null;
  readonly shown_as: ShownAs;
  /** True if an offsetter's story shows how much was offset. */
  readonly shows_pounds?: boolean;
  /** True if an offsetter's story lists the homes that the gifts helped. */
  readonly shows_homes?: boolean;
  readonly created_at: Date;
  /** Selected only for users who can see hidden stories. */
  readonly status?: StoryStatus;
  readonly photo_token?: string;
};

/** Public columns of an offsetter. */
export const OFFSETTER_COLUMNS = [
  'id',
  'name',
  'story',
  'language',
  'photo',
  'shown_as',
  'shows_pounds',
  'shows_homes',
  'created_at',
] as const;

/** Condition for a table's public stories. */
export function isPublicStory(table: 'offsetters' | 'awardees' | 'installers'): RawBuilder<SqlBool> {
  return table === 'offsetters' ? sql`status = 'published' and shown_as <> 'none'` : sql`status = 'published'`;
}

/** Converts a form's texts to columns. */
export function toTextColumns({ name, story }: ProfileTexts) {
  return { name: name.trim(), story: story.trim() };
}

/** Converts stored texts to the API's fields. */
export function presentTexts({ name, story }: Pick<StoryRow, 'name' | 'story'>) {
  return { name: makeDisplaySafe(name), story };
}

/**
 * Finds the first invalid field of a profile form (§5). A hidden donor doesn't need a name, story, or photo
 * (decisions §5), but submitted values must be valid.
 */
export function findProfileFailure(
  { fields, photo }: PhotoForm<ProfileTexts>,
  { shownAs, hasPhoto }: { readonly shownAs: ShownAs; readonly hasPhoto: boolean },
): Failure | undefined {
  const { name, story } = fields;
  const isShown = shownAs !== 'none';
  const needsPhoto = isShown && !hasPhoto;
  return (
    addField('name', isShown || name !== '' ? chosenNameFailure(name) : undefined) ??
    addField('story', isShown || story !== '' ? storyFailure(story) : undefined) ??
    addField('file', needsPhoto || photo ? photoSizeFailure(photo?.length ?? 0) : undefined)
  );
}
