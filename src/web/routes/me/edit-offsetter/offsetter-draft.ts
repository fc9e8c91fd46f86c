import type { EditableOffsetter } from '#contract/schemas/offsetters.ts';
import {
  type ChosenPhoto,
  nameFailure,
  photoFailure,
  type ShownAs,
  STORY_MINIMUM,
  storyFailure,
} from '#domain/profile.ts';
import { listed } from '#web/ui/listed.ts';

/** What stands in the fields of the edit form. */
export type OffsetterDraft = { readonly name: string; readonly story: string; readonly shownAs: ShownAs };

/** The fields that can be wrong, by the names they are sent under (§7), in the order of the form (§2). */
export type OffsetterField = 'name' | 'story' | 'file';
export const OFFSETTER_FIELDS: readonly OffsetterField[] = ['name', 'story', 'file'];

export type OffsetterProblems = Readonly<Partial<Record<OffsetterField, string>>>;

export function draftOf({ name, story, shownAs }: EditableOffsetter): OffsetterDraft {
  return { name, story, shownAs };
}

/**
 * What keeps an edit from being saved, by field, in words for its writer (§5): a photo may be the one that is there.
 * Whoever is not to be shown owes none of it (decisions §5), but what is written must still fit.
 */
export function offsetterProblems(
  { name, story, shownAs }: OffsetterDraft,
  photo: ChosenPhoto | undefined,
  hasPhoto: boolean,
): OffsetterProblems {
  const isShown = shownAs !== 'none';
  const failures = {
    name: isShown || name.trim() !== '' ? nameFailure(name) : undefined,
    story: isShown || story.trim() !== '' ? storyFailure(story) : undefined,
    file: photo || (isShown && !hasPhoto) ? photoFailure(photo) : undefined,
  };
  const found = OFFSETTER_FIELDS.flatMap((field) => {
    const failure = failures[field];
    return failure ? [[field, failure.message]] : [];
  });
  return Object.fromEntries(found);
}

const NEEDED: Readonly<Record<OffsetterField, string>> = {
  name: 'a name',
  story: `a story of at least ${STORY_MINIMUM} characters`,
  file: 'a photo',
};

/** What is still to be filled in, as a list for people: "a name and a photo". Empty when nothing is. */
export function stillNeeded(problems: OffsetterProblems): string {
  const fields = OFFSETTER_FIELDS.filter((field) => problems[field] !== undefined);
  return listed(fields.map((field) => NEEDED[field]));
}

/** Whether there is something to save. */
export function isChanged(draft: OffsetterDraft, saved: OffsetterDraft, photo: ChosenPhoto | undefined): boolean {
  return (
    photo !== undefined || draft.name !== saved.name || draft.story !== saved.story || draft.shownAs !== saved.shownAs
  );
}

/** The multipart form of §7. */
export function formOf(orgid: string, { name, story, shownAs }: OffsetterDraft, photo: File | undefined): FormData {
  const form = new FormData();
  form.set('orgid', orgid);
  form.set('name', name);
  form.set('story', story);
  form.set('shownAs', shownAs);
  // Last, so that whoever reads the form knows all the rest before the bytes come.
  if (photo) form.set('file', photo);
  return form;
}

/** What a page that is not among the offsetters just now says of that; nothing where it is. */
export function standingOf({ status, shownAs }: Pick<EditableOffsetter, 'status' | 'shownAs'>): string | undefined {
  if (status === 'hidden') return 'This story was taken down and is not shown. What you change here is kept.';
  if (shownAs === 'none') return 'This story is not shown to anybody.';
  return status === 'draft' ? 'This story waits for an editor and is not shown yet.' : undefined;
}
