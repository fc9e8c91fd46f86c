import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { IdentityToken } from '#contract/schemas/session.ts';
import type { BodyInput, ResponseBody } from '#contract/schemas.ts';
import { CONFIRMATION_CODE_DIGITS } from '#domain/email-links.ts';
import { parseAuthenticatorCode, parseRecoveryCode, RECOVERY_CODE_LENGTH } from '#domain/second-factor.ts';
import { m } from '#messages';
import { ApiProblem } from '#web/api/api-error.ts';
import type { ApiClient } from '#web/api/client.ts';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { PasswordField } from '#web/ui/sign-in-fields.tsx';
import { listenForConfirmation } from './google-confirmation.ts';
import { openDialog } from './open-dialog.ts';
import { askForPasskey } from './passkeys.ts';
import type { Session } from './session.ts';

export type ConfirmationRequest = {
  readonly api: ApiClient;
  readonly person: Session;
  /** True if an emailed code is the only accepted confirmation, as for a first password. */
  readonly requiresEmail: boolean;
};

type ConfirmationOptions = ResponseBody<'startConfirmation'>;
type ConfirmationMethod = ConfirmationOptions['methods'][number];
/** Second factor, for accounts that have one. */
type SecondFactor = 'authenticator' | 'passkey' | 'recoveryCode';

/**
 * Asks the logged-in user to confirm their identity, on top of the current page or dialog.
 * @returns a new token; undefined if they cancel
 * @throws ApiProblem if the confirmation can't be started
 */
export async function requestConfirmation(request: ConfirmationRequest): Promise<IdentityToken | undefined> {
  const options = await request.api.call('startConfirmation', {});
  return openDialog<IdentityToken | undefined>((end) => (
    <ConfirmationDialog {...request} options={options} onConfirmed={end} onClose={() => end(undefined)} />
  ));
}

type ConfirmationDialogProps = ConfirmationRequest & {
  options: ConfirmationOptions;
  onConfirmed: (token: IdentityToken) => void;
  onClose: () => void;
};

function ConfirmationDialog({ api, person, requiresEmail, options, onConfirmed, onClose }: ConfirmationDialogProps) {
  const methods: readonly ConfirmationMethod[] = requiresEmail ? ['mail'] : options.methods;
  const [method, setMethod] = useState<ConfirmationMethod>(methods[0] ?? 'mail');
  const secondFactors = method === 'passkey' ? [] : listSecondFactors(options);
  const [chosenFactor, setChosenFactor] = useState<SecondFactor>();
  const secondFactor = secondFactors.find((candidate) => candidate === chosenFactor) ?? secondFactors[0];
  const [text, setText] = useState('');
  const [code, setCode] = useState('');
  const [isCodeSent, setIsCodeSent] = useState(false);
  const { busy, problem, rejectionCode, run, clear } = useAttempt();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!busy) field.current?.focus();
  }, [busy]);
  const needsCode = method === 'mail' && !isCodeSent;
  const sendCode = async () => {
    await api.call('sendConfirmationCode', {});
    setIsCodeSent(true);
  };
  const confirm = async () => {
    const secondFactorBody =
      secondFactor === undefined ? {} : { secondFactor: await buildSecondFactorBody(api, secondFactor, code) };
    const body =
      method === 'passkey' ? await buildPasskeyBody(api) : { ...buildFirstStepBody(method, text), ...secondFactorBody };
    onConfirmed(await api.call('confirmIdentity', { body }));
  };
  const onGoogleConfirmed = useEffectEvent(() => void run(confirm));
  useEffect(() => (method === 'google' ? listenForConfirmation(() => onGoogleConfirmed()) : undefined), [method]);
  const submit = () => {
    if (needsCode) return sendCode();
    if (method !== 'google') return confirm();
    // Opened in the click handler, because browsers block windows that open later.
    return goToGoogle(api, window.open('', '_blank'));
  };
  const switchMethod = (change: () => void) => {
    flushSync(() => {
      change();
      setText('');
      setCode('');
      clear();
    });
    // The button that was pressed has disappeared.
    field.current?.focus();
  };
  const otherSecondFactors = needsCode ? [] : secondFactors.filter((candidate) => candidate !== secondFactor);
  const otherOptions = [
    ...otherSecondFactors.map(
      (candidate) => [OTHER_FACTOR_LABELS[candidate], () => setChosenFactor(candidate)] as const,
    ),
    ...methods
      .filter((candidate) => candidate !== method)
      .map((candidate) => [OTHER_METHOD_LABELS[candidate], () => setMethod(candidate)] as const),
  ];
  const hasFirstField = method === 'password' || (method === 'mail' && isCodeSent);
  const hasSecondField = secondFactor === 'authenticator' || secondFactor === 'recoveryCode';
  // A rejected code or password must be changed; a passkey or Google can be tried again.
  const needsNewInput =
    rejectionCode !== undefined &&
    rejectionCode !== 'google-unconfirmed' &&
    (hasFirstField || hasSecondField) &&
    secondFactor !== 'passkey';
  return (
    <FormDialog
      title={m.confirmationTitle()}
      confirmLabel={needsCode ? m.confirmationSendCode() : (CONFIRM_LABELS[method] ?? m.confirm())}
      ready={needsCode || (!needsNewInput && isComplete(method, text) && isSecondFactorComplete(secondFactor, code))}
      form={{ busy, problem: hasFirstField && !hasSecondField ? undefined : problem, submit: run }}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{getInstructions(method, isCodeSent, person.email)}</p>
      {!needsCode && secondFactor === 'passkey' && <p>{m.confirmationThenPasskey()}</p>}
      {method === 'password' && (
        <>
          <input type="hidden" autoComplete="username" value={person.email} />
          <PasswordField
            ref={field}
            label={m.password()}
            autoComplete="current-password"
            value={text}
            error={hasSecondField ? undefined : problem}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value);
              clear();
            }}
          />
        </>
      )}
      {method === 'mail' && isCodeSent && (
        <TextField
          ref={field}
          label={m.code()}
          hint={hasSecondField ? m.confirmationFromEmail() : undefined}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={text}
          error={hasSecondField ? undefined : problem}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            clear();
          }}
        />
      )}
      {!needsCode && hasSecondField && (
        <TextField
          ref={hasFirstField ? undefined : field}
          label={secondFactor === 'authenticator' ? m.authenticatorCode() : m.recoveryCode()}
          hint={
            secondFactor === 'recoveryCode' ? m.recoveryCodeHint({ length: String(RECOVERY_CODE_LENGTH) }) : undefined
          }
          inputMode={secondFactor === 'authenticator' ? 'numeric' : 'text'}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={code}
          onChange={({ currentTarget }) => {
            setCode(currentTarget.value);
            clear();
          }}
        />
      )}
      <Cluster gap={1}>
        {method === 'mail' && isCodeSent && (
          <Button kind="quiet" onClick={() => void run(sendCode)}>
            {m.confirmationSendAgain()}
          </Button>
        )}
        {otherOptions.map(([label, change]) => (
          <Button key={label} kind="quiet" onClick={() => switchMethod(change)}>
            {label}
          </Button>
        ))}
      </Cluster>
    </FormDialog>
  );
}

const CONFIRM_LABELS: Readonly<Partial<Record<ConfirmationMethod, string>>> = {
  google: m.signInGoogle(),
  passkey: m.passkeyUse(),
};

const OTHER_METHOD_LABELS: Readonly<Record<ConfirmationMethod, string>> = {
  passkey: m.confirmationByPasskey(),
  password: m.confirmationByPassword(),
  google: m.confirmationByGoogle(),
  mail: m.confirmationByEmail(),
};

const OTHER_FACTOR_LABELS: Readonly<Record<SecondFactor, string>> = {
  authenticator: m.confirmationAuthenticator(),
  passkey: m.confirmationPasskeyToo(),
  recoveryCode: m.recoveryCodeUse(),
};

/** The account's second factors, in the order in which they are offered. */
function listSecondFactors({ secondFactor }: ConfirmationOptions): SecondFactor[] {
  if (secondFactor === null) return [];
  return [
    ...(secondFactor.authenticator ? (['authenticator'] as const) : []),
    ...(secondFactor.passkey ? (['passkey'] as const) : []),
    ...(secondFactor.recoveryCodes ? (['recoveryCode'] as const) : []),
  ];
}

function buildFirstStepBody(
  method: Exclude<ConfirmationMethod, 'passkey'>,
  text: string,
): BodyInput<'confirmIdentity'> {
  if (method === 'google') return { google: true };
  return method === 'password' ? { password: text } : { code: text };
}

async function buildSecondFactorBody(
  api: ApiClient,
  secondFactor: SecondFactor,
  code: string,
): Promise<BodyInput<'finishSecondStep'>> {
  if (secondFactor === 'passkey') return { passkey: await requestPasskey(api, 'preferred') };
  return secondFactor === 'authenticator' ? { code } : { recoveryCode: code };
}

async function buildPasskeyBody(api: ApiClient): Promise<BodyInput<'confirmIdentity'>> {
  return { passkey: await requestPasskey(api, 'required') };
}

/** Requests a new challenge, because each works only once. */
async function requestPasskey(api: ApiClient, userVerification: 'preferred' | 'required') {
  const { passkey } = await api.call('startConfirmation', {});
  return askForPasskey({ ...(passkey ?? { challenge: '' }), userVerification });
}

async function goToGoogle(api: ApiClient, googleWindow: Window | null): Promise<void> {
  if (!googleWindow) {
    const detail = m.windowBlocked();
    throw new ApiProblem({ status: 400, code: 'google-unconfirmed', detail, requestId: '' });
  }
  try {
    const { url } = await api.call('startGoogleConfirmation', {});
    googleWindow.location.replace(url);
  } catch (error) {
    googleWindow.close();
    throw error;
  }
}

function isComplete(method: ConfirmationMethod, text: string): boolean {
  if (method === 'password') return text !== '';
  if (method !== 'mail') return true;
  const digits = text.replaceAll(/\s/g, '');
  return digits.length === CONFIRMATION_CODE_DIGITS && /^\d*$/.test(digits);
}

function isSecondFactorComplete(secondFactor: SecondFactor | undefined, code: string): boolean {
  if (secondFactor === 'authenticator') return parseAuthenticatorCode(code) !== undefined;
  return secondFactor !== 'recoveryCode' || parseRecoveryCode(code) !== undefined;
}

function getInstructions(method: ConfirmationMethod, isSent: boolean, email: string): string {
  switch (method) {
    case 'passkey':
      return m.confirmationPasskeyText();
    case 'password':
      return m.confirmationPasswordText();
    case 'google':
      return m.confirmationGoogleText();
    case 'mail':
      return isSent ? m.confirmationEmailSent({ email }) : m.confirmationEmailText({ email });
  }
}
