import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ProfileTexts } from '#contract/schemas/stories.ts';
import type { Failure } from '#domain/failures.ts';
import { chosenNameFailure, harmlessName } from '#domain/names.ts';
import { photoSizeFailure, type ShownAs, type StoryStatus, storyFailure } from '#domain/profile.ts';
import type { StoredPhoto } from '#server/db/tables.ts';
import type { PhotoForm } from '#server/http/photo-form.ts';
import { aboutField } from '#server/http/problems.ts';

/** A row with a story. */
export type StoryRow = {
  readonly id: string;
  readonly name: string;
  readonly story: string;
  readonly photo: StoredPhoto | null;
  readonly shown_as: ShownAs;
  /** Of an offsetter: whether the story says how much was offset. */
  readonly shows_pounds?: boolean;
  /** … and which homes the gifts helped. */
  readonly shows_homes?: boolean;
  readonly created_at: Date;
  /** Both are read only for those who may see the story before it is shown, and after. */
  readonly status?: StoryStatus;
  readonly photo_pass?: string;
};

/** What the public sees of an offsetter. */
export const OFFSETTER_COLUMNS = [
  ...(['id', 'name', 'story', 'photo', 'shown_as', 'shows_pounds', 'shows_homes', 'created_at'] as const),
] as const;

/** Whether the public sees a story of this table. */
export function isShownIn(table: 'offsetters' | 'awardees' | 'installers'): RawBuilder<SqlBool> {
  return table === 'offsetters' ? sql`status = 'published' and shown_as <> 'none'` : sql`status = 'published'`;
}

/** The texts of a form, as they are stored. */
export function textColumns({ name, story }: ProfileTexts) {
  return { name: name.trim(), story: story.trim() };
}

/** The stored texts, as the API names and shows them. */
export function storedTexts({ name, story }: Pick<StoryRow, 'name' | 'story'>) {
  return { name: harmlessName(name), story };
}

/**
 * The first invalid field of a profile form (§5). A donor who is not shown needs no name, story or photo (decisions §5),
 * but what is sent must be valid.
 */
export function profileFailure(
  { fields, photo }: PhotoForm<ProfileTexts>,
  { shownAs, hasPhoto }: { readonly shownAs: ShownAs; readonly hasPhoto: boolean },
): Failure | undefined {
  const { name, story } = fields;
  const isShown = shownAs !== 'none';
  const needsPhoto = isShown && !hasPhoto;
  return (
    aboutField('name', isShown || name !== '' ? chosenNameFailure(name) : undefined) ??
    aboutField('story', isShown || story !== '' ? storyFailure(story) : undefined) ??
    aboutField('file', needsPhoto || photo ? photoSizeFailure(photo?.length ?? 0) : undefined)
  );
}
