import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { PasskeyOptions } from '#contract/schemas/session.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { m } from '#messages';
import { ApiProblem } from '#web/api/api-error.ts';

export type PasskeyRegistration = BodyInput<'addPasskey'>['passkey'];
export type PasskeyAssertion = BodyInput<'signInWithPasskey'>['passkey'];

/** Loads the library on demand. */
const loadLibrary = () => import('@simplewebauthn/browser');

/** Prompts the user to create a passkey. @throws ApiProblem if they cancel or the device can't create one */
export async function createPasskey(options: PasskeyOptions): Promise<PasskeyRegistration> {
  const { startRegistration } = await loadLibrary();
  // The server built these options for the browser; the type checker can't verify them.
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const { response, ...passkey } = await startRegistration({ optionsJSON }).catch(throwProblem);
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { ...toCredential(passkey), response: { clientDataJSON, attestationObject, transports } };
}

/** Prompts the user for a passkey. @throws ApiProblem if they cancel or the device can't provide one */
export async function askForPasskey(options: PasskeyOptions): Promise<PasskeyAssertion> {
  const { startAuthentication } = await loadLibrary();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const { response, ...passkey } = await startAuthentication({ optionsJSON }).catch(throwProblem);
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const assertion = {
    clientDataJSON,
    authenticatorData,
    signature,
    ...(userHandle === undefined ? {} : { userHandle }),
  };
  return { ...toCredential(passkey), response: assertion };
}

function toCredential({ id, rawId }: { readonly id: string; readonly rawId: string }) {
  return { id, rawId, type: 'public-key', clientExtensionResults: {} } as const;
}

/** Replaces the browser's error message, which is meant for developers. */
function throwProblem(error: unknown): never {
  const isRegistered = error instanceof Error && error.name === 'InvalidStateError';
  const detail = isRegistered ? m.passkeyKnown() : m.passkeyFailed();
  throw new ApiProblem({ status: 400, code: 'passkey-rejected', detail, requestId: '' });
}
