import { lengthOf, STORY_MINIMUM } from '#domain/profile.ts';
import { useFieldErrors } from '#web/api/use-form.ts';
import { loginAddress } from '#web/navigation/address.ts';
import { Link } from '#web/navigation/link.tsx';
import { useAddress } from '#web/navigation/use-navigator.ts';
import { ProfileFields } from '#web/stories/profile-fields.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormCard, StillNeeded, UploadProgress } from '#web/ui/form-card.tsx';
import { storyHint } from '#web/ui/story-fields.tsx';
import { draftProblems, type ProfileDraft, stillNeeded } from './profile-draft.ts';
import type { useCheckoutPage } from './use-checkout-page.ts';

type ProfileFormProps = Pick<ReturnType<typeof useCheckoutPage>, 'profile' | 'submission' | 'ownEmail'>;

/** The form for a donor who has paid (§2, §5). It becomes an offsetter page. */
export function ProfileForm({ profile, submission, ownEmail }: ProfileFormProps) {
  const { draft, photo, change, choosePhoto } = profile;
  const { progress, busy, refusal, submit, clear } = submission;
  const problems = draftProblems(draft, photo);
  const { errorOf, leave } = useFieldErrors(problems, refusal);
  const needed = stillNeeded(problems);
  const isLoggedIn = ownEmail !== undefined;
  const edit = (part: Partial<ProfileDraft>) => {
    change(part);
    clear(Object.keys(part));
  };
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
        name="email"
        value={draft.email}
        required
        error={errorOf('email', draft.email.trim() === '')}
        onChange={({ currentTarget }) => edit({ email: currentTarget.value })}
        onBlur={() => leave('email')}
        disabled={isLoggedIn}
      />
      <ProfileFields
        values={draft}
        photo={photo}
        problems={problems}
        errorOf={errorOf}
        onChange={edit}
        onPhoto={(chosen) => {
          choosePhoto(chosen);
          clear(['file']);
        }}
        onLeave={leave}
        choice="after-name"
        withoutPage="We won’t publish anything."
        story={{ rows: 8, hint: hintFor(draft.story) }}
      />
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
