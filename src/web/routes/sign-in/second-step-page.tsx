import { useEffect, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { PasskeyOptions } from '#contract/schemas/session.ts';
import type { BodyInput, ResponseBody } from '#contract/schemas.ts';
import { parseAuthenticatorCode, parseRecoveryCode, RECOVERY_CODE_LENGTH } from '#domain/second-factor.ts';
import { m } from '#messages';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useForm } from '#web/forms/use-form.ts';
import { withReturnTo } from '#web/navigation/address.ts';
import { Link } from '#web/navigation/link.tsx';
import { useApi, useSessionStore } from '#web/session/app-context.ts';
import { announceConfirmation } from '#web/session/google-confirmation.ts';
import { askForPasskey, type PasskeyAssertion } from '#web/session/passkeys.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { TextField, type TextFieldProps } from '#web/ui/field.tsx';
import { KeyIcon } from '#web/ui/key-icon.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import styles from './sign-in.module.css';
import { SignInForm } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

type Step = NonNullable<ResponseBody<'startSecondStep'>>;
type SecondStepPageProps = {
  /** Null if the login is no longer pending. */
  step: Step | null;
  returnTo: string | undefined;
};

/** The second step of a login (decisions §4): a passkey, a code from the authenticator app, or a recovery code. */
export function SecondStepPage({ step, returnTo }: SecondStepPageProps) {
  const [usesRecoveryCode, setUsesRecoveryCode] = useState(step !== null && !hasOtherFactor(step));
  const loginPath = withReturnTo(pagePath('login-page', {}), returnTo);
  if (step === null) {
    return (
      <SignInFrame title={m.secondStep()} lead={m.secondStepOver()}>
        <ButtonLink wide to={loginPath}>
          {m.logInAgain()}
        </ButtonLink>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame
      title={m.secondStep()}
      lead={usesRecoveryCode ? m.recoveryCodeLead() : getLead(step)}
      footer={
        <>
          <p>{m.secondStepLost()}</p>
          <p>
            <RichText text={m.secondStepNotYou()} tags={{ link: (words) => <Link to={loginPath}>{words}</Link> }} />
          </p>
        </>
      }
    >
      <FactorForms step={step} usesRecoveryCode={usesRecoveryCode} onToggleRecoveryCode={setUsesRecoveryCode} />
    </SignInFrame>
  );
}

/** Shown in the window that returns from Google after a person confirmed their identity. The page that opened it continues. */
export function ConfirmedPage() {
  useEffect(() => {
    announceConfirmation();
    // Google's page may sever the connection to the opener; the person then has to close the window.
    if (window.opener !== null) window.close();
  }, []);
  return <SignInFrame title={m.confirmedTitle()} lead={m.confirmedLead()} />;
}

function getLead({ passkey, authenticator }: Step): string {
  if (passkey && authenticator) return m.secondStepEither();
  return passkey ? m.secondStepPasskey() : m.secondStepCode();
}

/** @returns whether the account has a factor other than recovery codes */
function hasOtherFactor({ passkey, authenticator }: Step): boolean {
  return passkey !== null || authenticator;
}

type FactorFormsProps = {
  step: Step;
  usesRecoveryCode: boolean;
  onToggleRecoveryCode: (usesRecoveryCode: boolean) => void;
};

function FactorForms({ step, usesRecoveryCode, onToggleRecoveryCode }: FactorFormsProps) {
  const api = useApi();
  const session = useSessionStore();
  const finish = async (body: BodyInput<'finishSecondStep'>) => {
    // The session changes, which reloads the page, and its guard then opens `returnTo`.
    await session.open(await api.call('finishSecondStep', { body }));
  };
  if (usesRecoveryCode) {
    return (
      <>
        <CodeForm
          key="recovery"
          label={m.recoveryCode()}
          hint={m.recoveryCodeHint({ length: String(RECOVERY_CODE_LENGTH) })}
          autoComplete="off"
          isReady={(code) => parseRecoveryCode(code) !== undefined}
          onSend={(recoveryCode) => finish({ recoveryCode })}
        />
        {hasOtherFactor(step) && (
          <Button kind="quiet" onClick={() => onToggleRecoveryCode(false)}>
            {m.secondStepOtherWay()}
          </Button>
        )}
      </>
    );
  }
  return (
    <>
      {step.passkey && <PasskeyButton options={step.passkey} onUse={(passkey) => finish({ passkey })} />}
      {step.passkey && step.authenticator && <p className={styles.divider}>{m.signInOr()}</p>}
      {step.authenticator && (
        <CodeForm
          key="code"
          label={m.code()}
          hint={m.secondStepCodeHint()}
          autoComplete="one-time-code"
          inputMode="numeric"
          isReady={(code) => parseAuthenticatorCode(code) !== undefined}
          onSend={(code) => finish({ code })}
        />
      )}
      {step.recoveryCodes && (
        <Button kind="quiet" onClick={() => onToggleRecoveryCode(true)}>
          {m.recoveryCodeUse()}
        </Button>
      )}
    </>
  );
}

type PasskeyButtonProps = {
  options: PasskeyOptions;
  onUse: (passkey: PasskeyAssertion) => Promise<void>;
};

function PasskeyButton({ options, onUse }: PasskeyButtonProps) {
  const { busy, problem, run } = useAttempt();
  return (
    <div className={styles.google}>
      <Problem tone="box">{problem}</Problem>
      <Button wide busy={busy} onClick={() => void run(async () => onUse(await askForPasskey(options)))}>
        <KeyIcon /> {m.passkeyUse()}
      </Button>
    </div>
  );
}

type CodeFormProps = Pick<TextFieldProps, 'label' | 'hint' | 'autoComplete' | 'inputMode'> & {
  isReady: (code: string) => boolean;
  onSend: (code: string) => Promise<void>;
};

function CodeForm({ isReady, onSend, ...field }: CodeFormProps) {
  const form = useForm({ initial: { code: '' }, fields: [] });
  const { code } = form.values;
  return (
    <SignInForm submitLabel={m.secondStepContinue()} form={form} isReady={isReady(code)} onSubmit={() => onSend(code)}>
      <TextField
        {...field}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        aria-invalid={form.isRejected}
        // Selects the text, so that typing replaces a rejected code.
        onFocus={({ currentTarget }) => currentTarget.select()}
        {...form.fieldProps('code')}
      />
    </SignInForm>
  );
}
