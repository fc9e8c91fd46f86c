import type { Failure } from '#domain/failures.ts';
import {
  type ChosenPhoto,
  emailFailure,
  nameFailure,
  photoFailure,
  type ShownAs,
  STORY_MINIMUM,
  storyFailure,
} from '#domain/profile.ts';
import { listed } from '#web/ui/listed.ts';

/** What a donor has typed and chosen so far, as it stands in the fields. */
export type ProfileDraft = {
  readonly email: string;
  readonly name: string;
  readonly story: string;
  readonly shownAs: ShownAs;
};

export const EMPTY_DRAFT: ProfileDraft = { email: '', name: '', story: '', shownAs: 'full' };

/** The fields that can be wrong, by the names they are sent under (§7), in the order of the form (§2). */
export type ProfileField = 'email' | 'name' | 'story' | 'file';
export const PROFILE_FIELDS: readonly ProfileField[] = ['email', 'name', 'story', 'file'];

export type ProfileProblems = Readonly<Partial<Record<ProfileField, string>>>;

/** The fields that are asked for: whoever is not to be shown owes an address alone (decisions §5). */
export function fieldsAsked(shownAs: ShownAs): readonly ProfileField[] {
  return shownAs === 'none' ? ['email'] : PROFILE_FIELDS;
}

/** What keeps a profile from being submitted, by field, in words for its author (§5). */
export function profileProblems(draft: ProfileDraft, photo: ChosenPhoto | undefined): ProfileProblems {
  const failures: Readonly<Record<ProfileField, Failure | undefined>> = {
    email: emailFailure(draft.email),
    name: nameFailure(draft.name),
    story: storyFailure(draft.story),
    file: photoFailure(photo),
  };
  const found = fieldsAsked(draft.shownAs).flatMap((field) => {
    const failure = failures[field];
    return failure ? [[field, failure.message]] : [];
  });
  return Object.fromEntries(found);
}

const NEEDED: Readonly<Record<ProfileField, string>> = {
  email: 'your email address',
  name: 'your name',
  story: `a story of at least ${STORY_MINIMUM} characters`,
  file: 'a photo',
};

/** What is still to be filled in, as a list for people: "your name and a photo". Empty when nothing is. */
export function stillNeeded(problems: ProfileProblems): string {
  const fields = PROFILE_FIELDS.filter((field) => problems[field] !== undefined);
  return listed(fields.map((field) => NEEDED[field]));
}
