import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import type { IdentityToken } from '#contract/schemas/session.ts';
import type { ResponseBody } from '#contract/schemas.ts';
import { CONFIRMATION_CODE_DIGITS } from '#domain/email-links.ts';
import { m } from '#messages';
import { ApiProblem } from '#web/api/api-error.ts';
import type { ApiClient } from '#web/api/client.ts';
import { ActionButton } from '#web/forms/action-button.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { PasswordField } from '#web/ui/sign-in-fields.tsx';
import { MethodDialog, type MethodProps, requestPasskey, useConfirmation } from './confirmation-method.tsx';
import { listenForConfirmation } from './google-confirmation.ts';
import type { Session } from './session.ts';
import { showDialog } from './show-dialog.tsx';

export type ConfirmationRequest = {
  readonly api: ApiClient;
  readonly person: Session;
  /** True if an emailed code is the only accepted confirmation, as for a first password. */
  readonly requiresEmail: boolean;
};

type ConfirmationOptions = ResponseBody<'startConfirmation'>;
type ConfirmationMethod = ConfirmationOptions['methods'][number];

/**
 * Asks the logged-in user to confirm their identity, on top of the current page or dialog.
 * @returns a new token; undefined if they cancel
 * @throws ApiProblem if the confirmation can't be started
 */
export async function requestConfirmation(request: ConfirmationRequest): Promise<IdentityToken | undefined> {
  const options = await request.api.call('startConfirmation', {});
  return showDialog<IdentityToken | undefined>((end) => (
    <ConfirmationDialog {...request} options={options} onConfirmed={end} onClose={() => end(undefined)} />
  ));
}

type ConfirmationDialogProps = Pick<MethodProps, 'onConfirmed' | 'onClose'> &
  ConfirmationRequest & { options: ConfirmationOptions };

/** Shows one of the account's methods, with buttons for the others. */
function ConfirmationDialog({ person, requiresEmail, options, ...props }: ConfirmationDialogProps) {
  const methods: readonly ConfirmationMethod[] = requiresEmail ? ['mail'] : options.methods;
  const [method, setMethod] = useState<ConfirmationMethod>(methods[0] ?? 'mail');
  const Method = METHODS[method];
  const otherMethods = methods.filter((candidate) => candidate !== method);
  return (
    <Method
      {...props}
      email={person.email}
      secondFactor={options.secondFactor}
      alternatives={otherMethods.map((otherMethod) => (
        <Button key={otherMethod} kind="quiet" onClick={() => setMethod(otherMethod)}>
          {OTHER_METHOD_LABELS[otherMethod]}
        </Button>
      ))}
    />
  );
}

/** Needs no second factor, because the passkey's device verifies its owner. */
function PasskeyMethod(props: MethodProps) {
  const confirmation = useConfirmation({ ...props, secondFactor: null });
  return (
    <MethodDialog
      {...confirmation}
      instructions={m.confirmationPasskeyText()}
      confirmLabel={m.passkeyUse()}
      onSubmit={async () => confirmation.confirm({ passkey: await requestPasskey(props.api, 'required') })}
    />
  );
}

function PasswordMethod(props: MethodProps) {
  const confirmation = useConfirmation(props);
  const password = confirmation.inputs.firstStep;
  return (
    <MethodDialog
      {...confirmation}
      instructions={m.confirmationPasswordText()}
      isComplete={password !== ''}
      onSubmit={() => confirmation.confirm({ password })}
    >
      <input type="hidden" autoComplete="username" value={props.email} />
      <PasswordField label={m.password()} autoComplete="current-password" {...confirmation.inputProps('firstStep')} />
    </MethodDialog>
  );
}

/** Opens Google in another window, and confirms once that window reports back. */
function GoogleMethod(props: MethodProps) {
  const confirmation = useConfirmation(props);
  const onReturn = useEffectEvent(() => void confirmation.form.submit(() => confirmation.confirm({ google: true })));
  useEffect(() => listenForConfirmation(() => onReturn()), []);
  return (
    <MethodDialog
      {...confirmation}
      instructions={m.confirmationGoogleText()}
      confirmLabel={m.signInGoogle()}
      // Opened in the click handler, because browsers block windows that open later.
      onSubmit={() => goToGoogle(props.api, window.open('', '_blank'))}
    />
  );
}

function EmailMethod(props: MethodProps) {
  const [isCodeSent, setIsCodeSent] = useState(false);
  const confirmation = useConfirmation({ ...props, secondFactor: null });
  const sendCode = async () => {
    await props.api.call('sendConfirmationCode', {});
    setIsCodeSent(true);
  };
  if (isCodeSent) return <EmailedCode {...props} onSendAgain={sendCode} />;
  return (
    <MethodDialog
      {...confirmation}
      instructions={m.confirmationEmailText({ email: props.email })}
      confirmLabel={m.confirmationSendCode()}
      onSubmit={sendCode}
    />
  );
}

function EmailedCode({ onSendAgain, ...props }: MethodProps & { onSendAgain: () => Promise<void> }) {
  const confirmation = useConfirmation(props);
  const code = confirmation.inputs.firstStep;
  return (
    <MethodDialog
      {...confirmation}
      instructions={m.confirmationEmailSent({ email: props.email })}
      isComplete={isConfirmationCode(code)}
      onSubmit={() => confirmation.confirm({ code })}
    >
      <TextField
        label={m.code()}
        hint={props.secondFactor ? m.confirmationFromEmail() : undefined}
        inputMode="numeric"
        autoComplete="one-time-code"
        {...confirmation.inputProps('firstStep')}
      />
      <Cluster>
        <ActionButton kind="quiet" action={onSendAgain}>
          {m.confirmationSendAgain()}
        </ActionButton>
      </Cluster>
    </MethodDialog>
  );
}

function isConfirmationCode(code: string): boolean {
  const digits = code.replaceAll(/\s/g, '');
  return digits.length === CONFIRMATION_CODE_DIGITS && /^\d*$/.test(digits);
}

const METHODS: Readonly<Record<ConfirmationMethod, ComponentType<MethodProps>>> = {
  passkey: PasskeyMethod,
  password: PasswordMethod,
  google: GoogleMethod,
  mail: EmailMethod,
};

const OTHER_METHOD_LABELS: Readonly<Record<ConfirmationMethod, string>> = {
  passkey: m.confirmationByPasskey(),
  password: m.confirmationByPassword(),
  google: m.confirmationByGoogle(),
  mail: m.confirmationByEmail(),
};

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
