import type { EditorialStory } from '#contract/schemas/editorial-stories.ts';
import {
  type ChosenPhoto,
  nameFailure,
  photoFailure,
  STORY_MINIMUM,
  type StoryStatus,
  storyFailure,
} from '#domain/profile.ts';
import { type EditorialKind, missingForPublication, publicationFailure } from '#domain/story-publication.ts';
import { listed } from '#web/ui/text.ts';

/** What stands in the fields of the form. */
export type ToldDraft = { readonly name: string; readonly story: string; readonly consent: boolean };

/** The fields that can be wrong, by the names they are sent under, in the order of the form. */
export type ToldField = 'name' | 'story' | 'file' | 'consent';
export const TOLD_FIELDS: readonly ToldField[] = ['name', 'story', 'file', 'consent'];

export type ToldProblems = Readonly<Partial<Record<ToldField, string>>>;

export const EMPTY_DRAFT: ToldDraft = { name: '', story: '', consent: false };

export function draftOf(saved: EditorialStory | undefined): ToldDraft {
  return saved ? { name: saved.name, story: saved.story, consent: saved.consent?.given ?? false } : EMPTY_DRAFT;
}

type Photos = { readonly chosen: ChosenPhoto | undefined; readonly hasPhoto: boolean };

/** What keeps a story from being saved as a draft, by field, in words for its writer (§5): the photo may come later. */
export function draftProblems({ name, story }: ToldDraft, { chosen }: Photos): ToldProblems {
  return sentences({
    name: nameFailure(name),
    story: storyFailure(story),
    file: chosen && photoFailure(chosen),
  });
}

/** What keeps it from being published: all of that, no photo, and for an awardee no consent (decisions §5). */
export function publishProblems(kind: EditorialKind, draft: ToldDraft, photos: Photos): ToldProblems {
  const hasPhoto = photos.chosen !== undefined || photos.hasPhoto;
  const missing = missingForPublication(kind, { hasPhoto, hasConsent: draft.consent });
  const lacking = Object.fromEntries(missing.map((need) => [need, publicationFailure(need)]));
  return { ...sentences(lacking), ...draftProblems(draft, photos) };
}

function sentences(failures: Readonly<Partial<Record<ToldField, Error | undefined>>>): ToldProblems {
  const found = TOLD_FIELDS.flatMap((field) => {
    const failure = failures[field];
    return failure ? [[field, failure.message]] : [];
  });
  return Object.fromEntries(found);
}

const NEEDED: Readonly<Record<ToldField, string>> = {
  name: 'a name',
  story: `a story of at least ${STORY_MINIMUM} characters`,
  file: 'a photo',
  consent: 'the consent',
};

/** What is still to be filled in, as a list for people: "a name and a photo". Empty when nothing is. */
export function stillNeeded(problems: ToldProblems): string {
  const fields = TOLD_FIELDS.filter((field) => problems[field] !== undefined);
  return listed(fields.map((field) => NEEDED[field]));
}

/** Whether there is something to save. */
export function isChanged(draft: ToldDraft, saved: ToldDraft, photo: ChosenPhoto | undefined): boolean {
  return (
    photo !== undefined || draft.name !== saved.name || draft.story !== saved.story || draft.consent !== saved.consent
  );
}

export type Sending = {
  readonly kind: EditorialKind;
  /** What one began from, or has seen since: that alone may give way. Nothing where the story is still to be made. */
  readonly basedOn: ToldDraft | undefined;
  readonly draft: ToldDraft;
  readonly photo: File | undefined;
  /** What becomes of the story; nothing where it stays as it is. */
  readonly status: StoryStatus | undefined;
};

/** The multipart form (decisions §6). */
export function formOf({ kind, basedOn, draft, photo, status }: Sending): FormData {
  const form = new FormData();
  form.set('name', draft.name);
  form.set('story', draft.story);
  if (basedOn) {
    form.set('basedOnName', basedOn.name);
    form.set('basedOnStory', basedOn.story);
  }
  // Only where it was changed here: somebody else may have revoked it since.
  if (kind === 'awardee' && draft.consent !== basedOn?.consent) form.set('consent', String(draft.consent));
  if (status !== undefined) form.set('status', status);
  // Last, so that whoever reads the form knows all the rest before the bytes come.
  if (photo) form.set('file', photo);
  return form;
}
