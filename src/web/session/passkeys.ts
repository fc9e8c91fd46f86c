import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { PasskeyOptions } from '#contract/schemas/session.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { m } from '#messages';
import { ApiProblem } from '#web/api/api-error.ts';

export type CreatedPasskey = BodyInput<'addPasskey'>['passkey'];
export type UsedPasskey = BodyInput<'signInByPasskey'>['passkey'];

/** Loaded when the first passkey is used. */
const library = () => import('@simplewebauthn/browser');

/** The browser asks the person to make a passkey. @throws ApiProblem if they don't, or can't */
export async function createPasskey(options: PasskeyOptions): Promise<CreatedPasskey> {
  const { startRegistration } = await library();
  // The server built these options for the browser; the type checker can't verify them.
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const { response, ...passkey } = await startRegistration({ optionsJSON }).catch(explained);
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { ...credentialOf(passkey), response: { clientDataJSON, attestationObject, transports } };
}

/** The browser asks the person for a passkey. @throws ApiProblem if they don't, or can't */
export async function askForPasskey(options: PasskeyOptions): Promise<UsedPasskey> {
  const { startAuthentication } = await library();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const { response, ...passkey } = await startAuthentication({ optionsJSON }).catch(explained);
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const answered = {
    clientDataJSON,
    authenticatorData,
    signature,
    ...(userHandle === undefined ? {} : { userHandle }),
  };
  return { ...credentialOf(passkey), response: answered };
}

function credentialOf({ id, rawId }: { readonly id: string; readonly rawId: string }) {
  return { id, rawId, type: 'public-key', clientExtensionResults: {} } as const;
}

/** Browsers' own error messages are meant for programmers. */
function explained(error: unknown): never {
  const isKnown = error instanceof Error && error.name === 'InvalidStateError';
  const detail = isKnown ? m.passkeyKnown() : m.passkeyFailed();
  throw new ApiProblem({ status: 400, code: 'passkey-refused', detail, requestId: '' });
}
