import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ProfileTexts } from '#contract/schemas/stories.ts';
import type { Failure } from '#domain/failures.ts';
import { chosenNameFailure, displaySafeName } from '#domain/names.ts';
import { photoSizeFailure, type ShownAs, type StoryStatus, storyFailure } from '#domain/profile.ts';
import type { StoredPhoto } from '#server/db/column-types.ts';
import type { PhotoForm } from '#server/http/photo-form.ts';
import { withField } from '#server/http/problems.ts';

/** The columns of a story. */
export type StoryRow = {
  readonly id: string;
  readonly name: string;
  readonly story: string;
  readonly photo: StoredPhoto | null;
  readonly shown_as: ShownAs;
  /** True if an offsetter's story says how much was offset. */
  readonly shows_pounds?: boolean;
  /** True if it lists the homes that its gifts helped. */
  readonly shows_homes?: boolean;
  readonly created_at: Date;
  /** Selected only for readers who may see hidden stories. */
  readonly status?: StoryStatus;
  readonly photo_token?: string;
};

/** Public columns of an offsetter. */
export const OFFSETTER_COLUMNS = [
  'id',
  'name',
  'story',
  'photo',
  'shown_as',
  'shows_pounds',
  'shows_homes',
  'created_at',
] as const;

/** Condition for public stories of this table. */
export function isPublicIn(table: 'offsetters' | 'awardees' | 'installers'): RawBuilder<SqlBool> {
  return table === 'offsetters' ? sql`status = 'published' and shown_as <> 'none'` : sql`status = 'published'`;
}

/** A form's texts as columns. */
export function textColumns({ name, story }: ProfileTexts) {
  return { name: name.trim(), story: story.trim() };
}

/** Stored texts with the API's field names. */
export function presentTexts({ name, story }: Pick<StoryRow, 'name' | 'story'>) {
  return { name: displaySafeName(name), story };
}

/**
 * The first invalid field of a profile form (§5). A donor who isn't shown needs no name, story, or photo (decisions §5),
 * but submitted values must be valid.
 */
export function profileFailure(
  { fields, photo }: PhotoForm<ProfileTexts>,
  { shownAs, hasPhoto }: { readonly shownAs: ShownAs; readonly hasPhoto: boolean },
): Failure | undefined {
  const { name, story } = fields;
  const isShown = shownAs !== 'none';
  const needsPhoto = isShown && !hasPhoto;
  return (
    withField('name', isShown || name !== '' ? chosenNameFailure(name) : undefined) ??
    withField('story', isShown || story !== '' ? storyFailure(story) : undefined) ??
    withField('file', needsPhoto || photo ? photoSizeFailure(photo?.length ?? 0) : undefined)
  );
}
