import type { ChangeEvent, ReactNode } from 'react';
import { lengthOf, STORY_MINIMUM } from '#domain/profile.ts';
import { loginAddress } from '#web/navigation/address.ts';
import { Link } from '#web/navigation/link.tsx';
import { useAddress } from '#web/navigation/use-navigator.ts';
import { useSession } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { FormCard, StillNeeded, UploadProgress } from '#web/ui/form-card.tsx';
import { PhotoField } from '#web/ui/photo-field.tsx';
import { ShownAsChoice, storyHint } from '#web/ui/story-fields.tsx';
import { useFieldErrors } from '#web/ui/use-field-errors.ts';
import { type ProfileDraftState, type ProfileField, profileProblems, stillNeeded } from './profile-draft.ts';
import type { SubmissionState } from './use-checkout-page.ts';

type ProfileFormProps = {
  profile: ProfileDraftState;
  submission: SubmissionState & {
    readonly submit: () => Promise<void>;
    /** Called when a field is changed, whose refusal then no longer stands. */
    readonly mend: (field: ProfileField) => void;
  };
  /** Whether the address is that of whoever is signed in, which is not to be changed (§2). */
  signedIn: boolean;
  /** The way to sign in, for whoever is not (§2). */
  logIn: ReactNode;
};

/** The profile of somebody who has paid (§2, §5): it becomes a page among the offsetters. */
export function ProfileForm({ profile, submission, signedIn, logIn }: ProfileFormProps) {
  const { draft, photo, change, choosePhoto } = profile;
  const { sent, refusal, submit, mend } = submission;
  const problems = profileProblems(draft, photo);
  const { errorOf, leave } = useFieldErrors(problems, refusal);
  const sending = sent !== undefined;
  const needed = stillNeeded(problems);
  const isShown = draft.shownAs !== 'none';
  const typing = (field: Exclude<ProfileField, 'file'>) => ({
    name: field,
    value: draft[field],
    required: true,
    error: errorOf(field, draft[field].trim() === ''),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      change({ [field]: currentTarget.value });
      mend(field);
    },
    onBlur: () => leave(field),
  });
  return (
    <FormCard
      title="Tell your neighbors why"
      sending={sending}
      refusal={refusal}
      onSubmit={() => needed === '' && void submit()}
      progress={sending && <UploadProgress sent={sent} />}
      foot={
        <>
          <Button type="submit" kind="action" busy={sending} disabled={needed !== ''}>
            {sending ? 'Submitting…' : 'Submit'}
          </Button>
          <StillNeeded fields={needed} />
        </>
      }
    >
      {logIn}
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        hint={signedIn ? 'You are signed in with this address. It is never shown.' : 'It is never shown.'}
        {...typing('email')}
        disabled={signedIn}
      />
      {isShown && <TextField label="Name" autoComplete="name" {...typing('name')} />}
      <ShownAsChoice
        name={draft.name}
        value={draft.shownAs}
        onChange={(shownAs) => change({ shownAs })}
        withoutPage="No page is made of your gift."
      />
      {isShown && (
        <>
          <TextArea label="Story" rows={8} hint={hintFor(draft.story)} {...typing('story')} />
          <PhotoField
            photo={photo}
            problem={errorOf('file', !photo) ?? (photo && problems.file)}
            onPhoto={(chosen) => {
              choosePhoto(chosen);
              mend('file');
            }}
          />
        </>
      )}
    </FormCard>
  );
}

function hintFor(story: string): string {
  return lengthOf(story) < STORY_MINIMUM ? `Why did you give? ${storyHint(story)}` : storyHint(story);
}

/**
 * The way to sign in and back, for whoever is signed out (§2). Until it is known who is there it stands as for a
 * visitor: what came later would move the form under the hand that fills it in.
 */
export function LogInHint() {
  const address = useAddress();
  const { authenticated } = useSession();
  if (authenticated) return null;
  return (
    <p>
      Already have an account? <Link to={loginAddress(address)}>Log in.</Link>
    </p>
  );
}
