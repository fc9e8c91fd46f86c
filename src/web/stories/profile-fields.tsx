import type { ChangeEvent } from 'react';
import type { EditableOffsetter } from '#contract/schemas/offsetters.ts';
import { formatWhole } from '#domain/money.ts';
import {
  MAX_STORY_LENGTH,
  MIN_STORY_LENGTH,
  nameFailure,
  photoFailure,
  type SelectedPhoto,
  type ShownAs,
  storyFailure,
} from '#domain/profile.ts';
import { m } from '#messages';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { PhotoField } from '#web/ui/photo-field.tsx';
import { ShownAsChoice, storyHint } from '#web/ui/story-fields.tsx';

type ProfileTexts = { readonly name: string; readonly story: string };
export type ProfileValues = ProfileTexts & {
  readonly shownAs: ShownAs;
  readonly showsPounds: boolean;
  readonly showsHomes: boolean;
};
type ProfileTextField = keyof ProfileTexts;
const PROFILE_TEXT_FIELDS: readonly ProfileTextField[] = ['name', 'story'];

/** The fields that can be invalid, by API name (§7), in form order (§2). */
type ProfileField = ProfileTextField | 'file';
export const PROFILE_FIELDS: readonly ProfileField[] = [...PROFILE_TEXT_FIELDS, 'file'];

export function readProfileTexts(read: (field: ProfileTextField) => string): ProfileTexts {
  return { name: read('name'), story: read('story') };
}

export type SavedProfile = Pick<EditableOffsetter, ProfileTextField | 'shownAs' | 'showsPounds' | 'showsHomes'>;

export function toProfileValues({ name, story, shownAs, showsPounds, showsHomes }: SavedProfile): ProfileValues {
  return { name, story, shownAs, showsPounds, showsHomes };
}

const CHOICE_FIELDS = ['shownAs', 'showsPounds', 'showsHomes'] as const;

export function isSameProfile(a: ProfileValues, b: ProfileValues): boolean {
  const isSameChoice = CHOICE_FIELDS.every((choice) => a[choice] === b[choice]);
  return isSameChoice && PROFILE_TEXT_FIELDS.every((field) => a[field] === b[field]);
}

/** Adds the texts and the consent choices to a multipart form (§7). */
export function appendProfileFields(form: FormData, values: Omit<ProfileValues, 'shownAs'>): void {
  for (const field of PROFILE_TEXT_FIELDS) form.set(field, values[field]);
  form.set('showsPounds', String(values.showsPounds));
  form.set('showsHomes', String(values.showsHomes));
}

export type ProfileProblems = Readonly<Partial<Record<ProfileField, string>>>;

/**
 * Problems with a profile, by field (§5). A profile that isn't shown has no required fields (decisions §5), but fields that
 * are filled in must be valid.
 * @param hasPhoto whether the story already has a photo
 */
export function validateProfile(
  { name, story, shownAs }: ProfileValues,
  photo: SelectedPhoto | undefined,
  hasPhoto = false,
): ProfileProblems {
  const isShown = shownAs !== 'none';
  return problemsByField({
    name: isShown || name.trim() !== '' ? nameFailure(name) : undefined,
    story: isShown || story.trim() !== '' ? storyFailure(story) : undefined,
    file: photo || (isShown && !hasPhoto) ? photoFailure(photo) : undefined,
  });
}

/** Lists the missing fields, in form order. @param name "your name" or "a name" */
export function listMissingFields(problems: ProfileProblems, name: string): string[] {
  const labels: Readonly<Record<ProfileField, string>> = {
    name,
    story: m.profileNeedsStory({ min: String(MIN_STORY_LENGTH), max: formatWhole(MAX_STORY_LENGTH) }),
    file: m.profileNeedsPhoto(),
  };
  return PROFILE_FIELDS.filter((field) => problems[field] !== undefined).map((field) => labels[field]);
}

type ProfileFieldsProps = {
  values: ProfileValues;
  photo: File | undefined;
  problems: ProfileProblems;
  /** The address of the saved photo. */
  savedPhoto?: string | undefined;
  errorOf: (field: ProfileField, isEmpty: boolean) => string | undefined;
  onChange: (changes: Partial<ProfileValues>) => void;
  onPhoto: (photo: File | undefined) => void;
  onBlur: (field: ProfileField) => void;
  /** Note for donors who choose not to be shown; undefined if they can't choose that. */
  hiddenProfileNote?: string;
  story: { rows: number; placeholder?: string; hint?: string };
  /** True if the gift has pounds to show. */
  hasPounds?: boolean;
};

/** The fields that the checkout's profile form and the edit form share (§2, §5). */
export function ProfileFields({
  values,
  photo,
  hiddenProfileNote,
  story,
  hasPounds = true,
  ...props
}: ProfileFieldsProps) {
  const isShown = values.shownAs !== 'none';
  const textFieldProps = (field: ProfileTextField) => ({
    name: field,
    value: values[field],
    required: isShown,
    error: props.errorOf(field, values[field].trim() === ''),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      props.onChange({ [field]: currentTarget.value }),
    onBlur: () => props.onBlur(field),
  });
  return (
    <>
      <TextField label={m.name()} autoComplete="name" {...textFieldProps('name')} />
      <TextArea
        dir="auto"
        label={m.profileStory()}
        hint={storyHint(values.story)}
        {...story}
        {...textFieldProps('story')}
      />
      <PhotoField
        photo={photo}
        currentUrl={props.savedPhoto}
        problem={props.errorOf('file', !photo) ?? (photo && props.problems.file)}
        onPhoto={props.onPhoto}
      />
      <ShownAsChoice
        name={values.name}
        value={values.shownAs}
        onChange={(shownAs) => props.onChange({ shownAs })}
        hiddenNote={hiddenProfileNote}
      />
      {hasPounds && (
        <Checkbox
          checked={values.showsPounds}
          onChange={({ currentTarget }) => props.onChange({ showsPounds: currentTarget.checked })}
        >
          {m.profileShowPounds()}
        </Checkbox>
      )}
      <Checkbox
        checked={values.showsHomes}
        onChange={({ currentTarget }) => props.onChange({ showsHomes: currentTarget.checked })}
      >
        {m.profileShowHomes()}
      </Checkbox>
    </>
  );
}
