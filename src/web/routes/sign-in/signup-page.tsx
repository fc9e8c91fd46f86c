import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import { formatLinkLifetime } from '#domain/email-links.ts';
import { passwordFailure } from '#domain/password.ts';
import { isEmail, MAX_NAME_LENGTH } from '#domain/profile.ts';
import { m } from '#messages';
import { useForm } from '#web/forms/use-form.ts';
import { withReturnTo } from '#web/navigation/address.ts';
import { Link } from '#web/navigation/link.tsx';
import { useApi } from '#web/session/app-context.ts';
import { TextField } from '#web/ui/field.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { EmailField, NewPasswordField } from '#web/ui/sign-in-fields.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

type SignUpDraft = { readonly email: string; readonly name: string; readonly password: string };

/** Creates an account with a password (§2). The result is emailed, so that the page doesn't reveal who has an account. */
export function SignupPage({ returnTo }: { returnTo: string | undefined }) {
  const api = useApi();
  const [sentEmail, setSentEmail] = useState<string>();
  const signUp = async (draft: SignUpDraft) => {
    await api.call('signUp', { body: { ...draft, ...(returnTo === undefined ? {} : { returnTo }) } });
    setSentEmail(draft.email);
  };
  const loginLink = (
    <p>
      <RichText
        text={m.signUpHasAccount()}
        tags={{ link: (words) => <Link to={withReturnTo(pagePath('login-page', {}), returnTo)}>{words}</Link> }}
      />
    </p>
  );
  if (sentEmail !== undefined) {
    return (
      <SignInFrame
        title={m.checkMailTitle()}
        lead={
          <RichText
            text={m.signUpSent({ email: sentEmail, life: formatLinkLifetime('verify') })}
            tags={{ strong: (words) => <strong>{words}</strong> }}
          />
        }
        footer={loginLink}
      >
        <p>{m.signUpNotSeen()}</p>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title={m.signUp()} footer={loginLink}>
      <SignUpForm onSignUp={signUp} />
    </SignInFrame>
  );
}

const EMPTY_SIGN_UP: SignUpDraft = { email: '', name: '', password: '' };

function SignUpForm({ onSignUp }: { onSignUp: (draft: SignUpDraft) => Promise<void> }) {
  const form = useForm({ initial: EMPTY_SIGN_UP, fields: [] });
  const { email, name, password } = form.values;
  const draft = { email: email.trim(), name: name.trim(), password };
  return (
    <SignInForm
      submitLabel={m.signUp()}
      form={form}
      isReady={isEmail(draft.email) && passwordFailure(password) === undefined}
      onSubmit={() => onSignUp(draft)}
    >
      <EmailField autoComplete="username" {...form.fieldProps('email')} />
      <TextField
        label={m.name()}
        hint={m.signUpNameHint()}
        autoComplete="name"
        maxLength={MAX_NAME_LENGTH}
        {...form.fieldProps('name')}
      />
      <NewPasswordField aria-invalid={form.isRejected} {...form.fieldProps('password')} />
    </SignInForm>
  );
}
