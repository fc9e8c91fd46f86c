import { type ReactNode, useState } from 'react';
import type { IdentityToken } from '#contract/schemas/session.ts';
import type { BodyInput, ResponseBody } from '#contract/schemas.ts';
import type { FailureCode } from '#domain/failures.ts';
import { parseAuthenticatorCode, parseRecoveryCode, RECOVERY_CODE_LENGTH } from '#domain/second-factor.ts';
import { m } from '#messages';
import type { ApiClient } from '#web/api/client.ts';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { askForPasskey } from './passkeys.ts';

/** Props of the component for a method. */
export type MethodProps = {
  api: ApiClient;
  email: string;
  /** The second factors to choose from; null if the account has none. */
  secondFactor: ResponseBody<'startConfirmation'>['secondFactor'];
  /** Buttons for other methods. */
  alternatives: ReactNode;
  onConfirmed: (token: IdentityToken) => void;
  onClose: () => void;
};

/** Second factors, in the order in which they are offered. */
const SECOND_FACTORS = ['authenticator', 'passkey', 'recoveryCodes'] as const;
type SecondFactor = (typeof SECOND_FACTORS)[number];

/** Texts of the fields: a password or an emailed code, and the code of a second factor. */
type Inputs = { readonly firstStep: string; readonly secondStep: string };
type InputName = keyof Inputs;
const NO_INPUTS: Inputs = { firstStep: '', secondStep: '' };

/** Failures caused by an input, which must change before it is sent again. A passkey or Google can be tried again. */
const REJECTED_INPUTS: Readonly<Partial<Record<FailureCode, InputName>>> = {
  'wrong-password': 'firstStep',
  'code-invalid': 'firstStep',
  'wrong-code': 'secondStep',
  'wrong-recovery-code': 'secondStep',
};

/** An attempt to confirm with a method's first step and, if the account has one, a second factor. */
export function useConfirmation({ api, secondFactor, alternatives, onConfirmed, onClose }: MethodProps) {
  const form = useForm({ initial: NO_INPUTS, fields: [] });
  const { values: inputs, problem, rejectionCode } = form;
  const factors = SECOND_FACTORS.filter((candidate) => secondFactor?.[candidate]);
  const [factor, setFactor] = useState(factors[0]);
  const rejectedInput = rejectionCode && REJECTED_INPUTS[rejectionCode];
  return {
    inputs,
    inputProps: (name: InputName) => ({
      ...form.fieldProps(name),
      error: rejectedInput === name ? problem : undefined,
    }),
    isReady: rejectedInput === undefined && isSecondStepComplete(factor, inputs.secondStep),
    form: { ...form, problem: rejectedInput === undefined ? problem : undefined, isUnsaved: false },
    factor,
    otherFactors: factors.filter((candidate) => candidate !== factor),
    changeFactor: (newFactor: SecondFactor) => {
      setFactor(newFactor);
      form.change({ secondStep: '' });
    },
    confirm: async (firstStep: BodyInput<'confirmIdentity'>) => {
      const secondStep = factor && { secondFactor: await buildSecondStep(api, factor, inputs.secondStep) };
      onConfirmed(await api.call('confirmIdentity', { body: { ...firstStep, ...secondStep } }));
    },
    alternatives,
    onClose,
  };
}

type MethodDialogProps = ReturnType<typeof useConfirmation> & {
  instructions: string;
  confirmLabel?: string;
  /** False while the first step's input is incomplete. */
  isComplete?: boolean;
  onSubmit: () => Promise<void>;
  /** The first step's field. */
  children?: ReactNode;
};

export function MethodDialog(props: MethodDialogProps) {
  const { instructions, confirmLabel = m.confirm(), isComplete = true, onSubmit, children } = props;
  const { form, isReady, inputProps, factor, otherFactors, changeFactor, alternatives, onClose } = props;
  return (
    <FormDialog
      // Opens a new dialog for another factor, so that the focus moves to its first field.
      key={factor}
      title={m.confirmationTitle()}
      confirmLabel={confirmLabel}
      ready={isComplete && isReady}
      form={form}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <p>{instructions}</p>
      {factor === 'passkey' && <p>{m.confirmationThenPasskey()}</p>}
      {children}
      {(factor === 'authenticator' || factor === 'recoveryCodes') && (
        <TextField
          label={factor === 'authenticator' ? m.authenticatorCode() : m.recoveryCode()}
          hint={factor === 'recoveryCodes' ? m.recoveryCodeHint({ length: String(RECOVERY_CODE_LENGTH) }) : undefined}
          inputMode={factor === 'authenticator' ? 'numeric' : 'text'}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...inputProps('secondStep')}
        />
      )}
      <Cluster gap={1}>
        {otherFactors.map((otherFactor) => (
          <Button key={otherFactor} kind="quiet" onClick={() => changeFactor(otherFactor)}>
            {OTHER_FACTOR_LABELS[otherFactor]}
          </Button>
        ))}
        {alternatives}
      </Cluster>
    </FormDialog>
  );
}

const OTHER_FACTOR_LABELS: Readonly<Record<SecondFactor, string>> = {
  authenticator: m.confirmationAuthenticator(),
  passkey: m.confirmationPasskeyToo(),
  recoveryCodes: m.recoveryCodeUse(),
};

async function buildSecondStep(
  api: ApiClient,
  factor: SecondFactor,
  code: string,
): Promise<BodyInput<'finishSecondStep'>> {
  if (factor === 'passkey') return { passkey: await requestPasskey(api, 'preferred') };
  return factor === 'authenticator' ? { code } : { recoveryCode: code };
}

/** Requests a new challenge, because each works only once. */
export async function requestPasskey(api: ApiClient, userVerification: 'preferred' | 'required') {
  const { passkey } = await api.call('startConfirmation', {});
  return askForPasskey({ ...(passkey ?? { challenge: '' }), userVerification });
}

function isSecondStepComplete(factor: SecondFactor | undefined, code: string): boolean {
  if (factor === 'authenticator') return parseAuthenticatorCode(code) !== undefined;
  return factor !== 'recoveryCodes' || parseRecoveryCode(code) !== undefined;
}
