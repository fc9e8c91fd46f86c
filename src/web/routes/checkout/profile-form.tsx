import { useId } from 'react';
import { cartCarbon } from '#domain/cart.ts';
import { MIN_STORY_LENGTH, visibleLength } from '#domain/profile.ts';
import { m } from '#messages';
import { FormCard, MissingFields, UploadProgress } from '#web/forms/form-card.tsx';
import { useFieldErrors } from '#web/forms/use-form.ts';
import { loginUrl } from '#web/navigation/address.ts';
import { Link } from '#web/navigation/link.tsx';
import { useAddress } from '#web/navigation/use-navigator.ts';
import { ProfileFields } from '#web/stories/profile-fields.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { storyHint } from '#web/ui/story-fields.tsx';
import { formatMissingFields, type ProfileDraft, validateDraft } from './profile-draft.ts';
import type { useCheckoutPage } from './use-checkout-page.ts';

type ProfileFormProps = Pick<
  ReturnType<typeof useCheckoutPage>,
  'checkout' | 'profile' | 'submission' | 'accountEmail' | 'decline'
> & {
  /** The page that "Not now" opens. */
  home: string;
};

/** The form for a donor who has paid (§2, §5). The submitted profile becomes an offsetter page. */
export function ProfileForm({ checkout, profile, submission, accountEmail, decline, home }: ProfileFormProps) {
  const { draft, photo, change, setPhoto } = profile;
  const { progress, busy, error, submit, clear } = submission;
  const paymentEmail = checkout.donor?.maskedEmail ?? undefined;
  const problems = validateDraft(draft, photo, paymentEmail !== undefined);
  const { errorOf, markTouched } = useFieldErrors(problems, error);
  const missingFields = formatMissingFields(problems);
  const missingFieldsId = useId();
  const isLoggedIn = accountEmail !== undefined;
  const edit = (changes: Partial<ProfileDraft>) => {
    change(changes);
    clear(Object.keys(changes));
  };
  return (
    <FormCard
      title={m.profileTitle()}
      titleAside={!isLoggedIn && <LogInHint />}
      sending={busy}
      error={error}
      onSubmit={() => missingFields === '' && void submit()}
      progress={progress !== undefined && <UploadProgress fraction={progress} />}
      footer={
        <>
          {/* Stays focusable, so that screen readers describe the missing fields. */}
          <Button
            type="submit"
            kind="action"
            busy={busy}
            unavailable={missingFields !== ''}
            aria-describedby={missingFieldsId}
          >
            {busy ? m.submitting() : m.submit()}
          </Button>
          <ButtonLink kind="quiet" to={home} onClick={decline}>
            {m.notNow()}
          </ButtonLink>
          <MissingFields id={missingFieldsId} fields={missingFields} />
        </>
      }
    >
      <TextField
        label={m.email()}
        type="email"
        autoComplete="email"
        hint={isLoggedIn ? m.profileOwnEmail() : emailHint(paymentEmail)}
        placeholder={paymentEmail}
        name="email"
        value={draft.email}
        required={paymentEmail === undefined}
        error={errorOf('email', draft.email.trim() === '')}
        onChange={({ currentTarget }) => edit({ email: currentTarget.value })}
        onBlur={() => markTouched('email')}
        disabled={isLoggedIn}
      />
      <ProfileFields
        values={draft}
        photo={photo}
        problems={problems}
        errorOf={errorOf}
        onChange={edit}
        onPhoto={(file) => {
          setPhoto(file);
          clear(['file']);
        }}
        onBlur={markTouched}
        story={{ rows: 4, hint: getStoryHint(draft.story) }}
        hasPounds={cartCarbon(checkout.cart) > 0}
      />
    </FormCard>
  );
}

/** @param paymentEmail the masked email of the payment, which is used if the field stays empty */
function emailHint(paymentEmail: string | undefined): string {
  return paymentEmail === undefined ? m.profileEmailHint() : m.profilePaymentEmail({ email: paymentEmail });
}

function getStoryHint(story: string): string {
  return visibleLength(story) < MIN_STORY_LENGTH ? `${m.profileWhy()} ${storyHint(story)}` : storyHint(story);
}

/** Shown until the session loads, to avoid a layout shift while someone types (§2). */
function LogInHint() {
  const login = loginUrl(useAddress());
  return (
    <p>
      <RichText text={m.profileLogIn()} tags={{ login: (words) => <Link to={login}>{words}</Link> }} />
    </p>
  );
}
