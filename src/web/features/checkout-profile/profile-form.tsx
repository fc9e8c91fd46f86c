import { type ChangeEvent, type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { lengthOf, STORY_MAXIMUM, STORY_MINIMUM, shownName } from '#domain/profile.ts';
import { Button } from '../../ui/button.tsx';
import { type Choice, ChoiceGroup } from '../../ui/choice.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { PhotoField } from './photo-field.tsx';
import { type ProfileDraft, type ProfileField, profileProblems, stillNeeded } from './profile-draft.ts';
import styles from './profile-form.module.css';
import type { Refusal } from './submission.ts';
import { UploadProgress } from './upload-progress.tsx';
import type { ProfileDraftState } from './use-profile-draft.ts';
import type { SubmissionState } from './use-submission.ts';

type ProfileFormProps = {
  profile: ProfileDraftState;
  submission: SubmissionState & {
    readonly submit: () => Promise<void>;
    /** Called when a field is changed, whose refusal then no longer stands. */
    readonly mend: (field: ProfileField) => void;
  };
};

/** The profile of somebody who has paid (§2, §5): it becomes a page among the offsetters. */
export function ProfileForm({ profile, submission }: ProfileFormProps) {
  const { draft, photo, change, choosePhoto } = profile;
  const { sent, refusal, submit, mend } = submission;
  const problems = profileProblems(draft, photo);
  const [left, setLeft] = useState<ReadonlySet<ProfileField>>(new Set());
  const form = useFocusOnRefusal(refusal);
  const sending = sent !== undefined;
  const needed = stillNeeded(problems);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (needed === '') void submit();
  };
  const isShown = draft.shownAs !== 'none';
  const problemOf = (field: ProfileField, isEmpty: boolean): string | undefined => {
    if (refusal?.field === field) return refusal.message;
    // What is still empty is no mistake yet; it is told beside the button.
    return left.has(field) && !isEmpty ? problems[field] : undefined;
  };
  const typing = (field: Exclude<ProfileField, 'file'>) => ({
    name: field,
    value: draft[field],
    required: true,
    error: problemOf(field, draft[field].trim() === ''),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      change({ [field]: currentTarget.value });
      mend(field);
    },
    onBlur: () => setLeft((before) => new Set(before).add(field)),
  });
  return (
    <form ref={form} onSubmit={onSubmit} noValidate className={styles.form} aria-labelledby="profile-form">
      <h2 id="profile-form" className={styles.title}>
        Tell your neighbors why
      </h2>
      <fieldset disabled={sending} className={styles.fields}>
        <TextField label="Email" type="email" autoComplete="email" hint="It is never shown." {...typing('email')} />
        {isShown && <TextField label="Name" autoComplete="name" {...typing('name')} />}
        <ChoiceGroup
          legend="How should we show you?"
          options={choicesFor(draft.name)}
          value={draft.shownAs}
          onChange={(shownAs) => change({ shownAs })}
        />
        {isShown && (
          <>
            <TextArea label="Story" rows={8} hint={storyHint(draft.story)} {...typing('story')} />
            <PhotoField
              photo={photo}
              problem={problemOf('file', !photo) ?? (photo && problems.file)}
              onPhoto={(chosen) => {
                choosePhoto(chosen);
                mend('file');
              }}
            />
          </>
        )}
      </fieldset>
      <FormProblem refusal={refusal} />
      {sending && <UploadProgress sent={sent} />}
      <div className={styles.foot}>
        <Button type="submit" kind="action" busy={sending} disabled={needed !== ''}>
          {sending ? 'Submitting…' : 'Submit'}
        </Button>
        <p className={styles.needed}>{needed !== '' && `Still needed: ${needed}.`}</p>
      </div>
    </form>
  );
}

function choicesFor(name: string): readonly Choice<ProfileDraft['shownAs']>[] {
  const as = (shownAs: 'full' | 'first'): ReactNode =>
    name.trim() === '' ? undefined : `“${shownName(name.trim(), shownAs)}”`;
  return [
    { value: 'full', label: 'Show my full name', hint: as('full') },
    { value: 'first', label: 'Show my first name only', hint: as('first') },
    { value: 'none', label: 'Don’t show me', hint: 'No page is made of your gift.' },
  ];
}

/** A quiet counter: how far it is to the least (§5), then how long the story is. */
function storyHint(story: string): string {
  const length = lengthOf(story);
  if (length < STORY_MINIMUM) return `Why did you give? ${length} of at least ${STORY_MINIMUM} characters.`;
  return `${length.toLocaleString('en')} of at most ${STORY_MAXIMUM.toLocaleString('en')} characters.`;
}

/** Why the form was refused, where that is no field's fault. */
function FormProblem({ refusal }: { refusal: Refusal | undefined }) {
  return (
    <p role="alert" tabIndex={-1} data-problem className={styles.problem}>
      {refusal && refusal.field === undefined ? refusal.message : ''}
    </p>
  );
}

/** Takes the reader to the field that was refused, or to the message that is about none. */
function useFocusOnRefusal(refusal: Refusal | undefined) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!refusal) return;
    const at = refusal.field === undefined ? '[data-problem]' : `[name="${refusal.field}"]`;
    form.current?.querySelector<HTMLElement>(at)?.focus();
  }, [refusal]);
  return form;
}
