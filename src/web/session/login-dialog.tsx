import { useEffect, useState } from 'react';
import { localizeAddress } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import type { IdentityToken } from '#contract/schemas/session.ts';
import { LANGUAGE, m } from '#messages';
import type { ApiClient } from '#web/api/client.ts';
import { ActionButton } from '#web/forms/action-button.tsx';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { Cluster } from '#web/ui/layout.tsx';
import { PasswordField } from '#web/ui/sign-in-fields.tsx';
import type { Session } from './session.ts';
import { showDialog } from './show-dialog.tsx';
import { getSignInEmailStorage } from './sign-in-email-storage.ts';

type LoginRequest = {
  readonly api: ApiClient;
  /** The person whose session has ended. */
  readonly person: Session;
  /** Aborted when the person logs in from another tab. */
  readonly signal: AbortSignal;
};

/**
 * Asks a person whose session has ended to log in again, on top of the current page, so that nothing typed is lost.
 * @returns a token; undefined if they cancel or log in from another tab
 */
export function requestLogin(request: LoginRequest): Promise<IdentityToken | undefined> {
  return showDialog((end) => <LoginDialog {...request} onEnd={end} />);
}

type LoginDialogProps = LoginRequest & { onEnd: (token: IdentityToken | undefined) => void };

function LoginDialog({ api, person: { email }, signal, onEnd }: LoginDialogProps) {
  const form = useForm({ initial: { password: '' }, fields: [] });
  const { password } = form.values;
  const [step, setStep] = useState<'password' | 'link-sent' | 'second-step'>('password');
  useEffect(() => {
    const close = () => onEnd(undefined);
    // Another tab may have logged in while this dialog loaded.
    if (signal.aborted) return close();
    signal.addEventListener('abort', close);
    return () => signal.removeEventListener('abort', close);
  }, [signal, onEnd]);
  const logIn = async () => {
    const response = await api.call('signInWithPassword', { body: { email, password } });
    if ('token' in response) onEnd(response);
    else setStep('second-step');
  };
  const sendLink = async () => {
    await api.call('sendSignInLink', { body: { email } });
    getSignInEmailStorage().write(email);
    setStep('link-sent');
  };
  const loginPage = pagePath(step === 'second-step' ? 'second-step-page' : 'login-page', {});
  return (
    <FormDialog
      title={m.logInAgain()}
      confirmLabel={m.logIn()}
      ready={password !== '' && !form.isRejected}
      // The password field shows the problem.
      form={{ ...form, problem: undefined, isUnsaved: false }}
      onSubmit={logIn}
      onClose={() => onEnd(undefined)}
    >
      <p>{m.loginDialogText({ email })}</p>
      {step === 'link-sent' && <p role="status">{m.loginDialogSent({ email })}</p>}
      {step === 'second-step' && <p role="status">{m.loginDialogSecondStep()}</p>}
      <input type="hidden" autoComplete="username" value={email} />
      <PasswordField
        label={m.password()}
        autoComplete="current-password"
        {...form.fieldProps('password')}
        error={form.problem}
      />
      <Cluster gap={1}>
        <ActionButton kind="quiet" action={sendLink}>
          {m.signInLinkAction()}
        </ActionButton>
        <a href={localizeAddress(loginPage, LANGUAGE)} target="_blank" rel="noreferrer">
          {m.loginDialogOther()}
        </a>
      </Cluster>
    </FormDialog>
  );
}
