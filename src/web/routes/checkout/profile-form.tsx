import type { ChangeEvent } from 'react';
import { lengthOf, STORY_MINIMUM } from '#domain/profile.ts';
import { useFieldErrors } from '#web/api/use-form.ts';
import { loginAddress } from '#web/navigation/address.ts';
import { Link } from '#web/navigation/link.tsx';
import { useAddress } from '#web/navigation/use-navigator.ts';
import { Button } from '#web/ui/button.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { FormCard, StillNeeded, UploadProgress } from '#web/ui/form-card.tsx';
import { PhotoField } from '#web/ui/photo-field.tsx';
import { ShownAsChoice, storyHint } from '#web/ui/story-fields.tsx';
import { type ProfileField, profileProblems, stillNeeded } from './profile-draft.ts';
import type { useCheckoutPage } from './use-checkout-page.ts';

type ProfileFormProps = Pick<ReturnType<typeof useCheckoutPage>, 'profile' | 'submission' | 'ownEmail'>;

/** The form for a donor who has paid (§2, §5). It becomes an offsetter page. */
export function ProfileForm({ profile, submission, ownEmail }: ProfileFormProps) {
  const { draft, photo, change, choosePhoto } = profile;
  const { progress, busy, refusal, submit, clear } = submission;
  const problems = profileProblems(draft, photo);
  const { errorOf, leave } = useFieldErrors<ProfileField>(problems, refusal);
  const needed = stillNeeded(problems);
  const isShown = draft.shownAs !== 'none';
  const isLoggedIn = ownEmail !== undefined;
  const typing = (field: Exclude<ProfileField, 'file'>) => ({
    name: field,
    value: draft[field],
    required: true,
    error: errorOf(field, draft[field].trim() === ''),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      change({ [field]: currentTarget.value });
      clear([field]);
    },
    onBlur: () => leave(field),
  });
  return (
    <FormCard
      title="Tell your neighbors why"
      sending={busy}
      refusal={refusal}
      onSubmit={() => needed === '' && void submit()}
      progress={progress !== undefined && <UploadProgress sent={progress} />}
      foot={
        <>
          <Button type="submit" kind="action" busy={busy} disabled={needed !== ''}>
            {busy ? 'Submitting…' : 'Submit'}
          </Button>
          <StillNeeded fields={needed} />
        </>
      }
    >
      {!isLoggedIn && <LogInHint />}
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        hint={isLoggedIn ? 'You are logged in with this email. We never show it.' : 'We never show it.'}
        {...typing('email')}
        disabled={isLoggedIn}
      />
      {isShown && <TextField label="Name" autoComplete="name" {...typing('name')} />}
      <ShownAsChoice
        name={draft.name}
        value={draft.shownAs}
        onChange={(shownAs) => change({ shownAs })}
        withoutPage="We won’t publish anything."
      />
      {isShown && (
        <>
          <TextArea label="Story" rows={8} hint={hintFor(draft.story)} {...typing('story')} />
          <PhotoField
            photo={photo}
            problem={errorOf('file', !photo) ?? (photo && problems.file)}
            onPhoto={(chosen) => {
              choosePhoto(chosen);
              clear(['file']);
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

/** Shown until it is known who is logged in: if it appeared later, the form would jump while someone types (§2). */
function LogInHint() {
  return (
    <p>
      Already have an account? <Link to={loginAddress(useAddress())}>Log in.</Link>
    </p>
  );
}
