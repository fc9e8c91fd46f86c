import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import type { Passkeys } from './identity.ts';

/** Ed25519, ES256 and RS256, which every device knows one of. */
const ALGORITHMS = [-8, -7, -257] as const;

const ANSWERED = z.object({ response: z.object({ clientDataJSON: z.string() }) });
const CLIENT_DATA = z.object({ challenge: z.string() });

/** Loaded when the first passkey is used. */
const library = () => import('@simplewebauthn/server');

/**
 * Passkeys (WebAuthn) of this site's host. The browser's answers are passed as they came: everything in them is checked
 * here, and what can't be read is refused.
 */
export function passkeys(publicUrl: () => string): Passkeys {
  const site = () => ({ expectedOrigin: new URL(publicUrl()).origin, expectedRPID: new URL(publicUrl()).hostname });
  return {
    creationOptions: async ({ userId, email, existing }) => {
      const { generateRegistrationOptions } = await library();
      const options = await generateRegistrationOptions({
        rpName: PROGRAM_NAME,
        rpID: site().expectedRPID,
        userID: new TextEncoder().encode(userId),
        userName: email,
        userDisplayName: email,
        excludeCredentials: existing.map(({ id, transports }) => ({ id, transports: [...transports] })),
        supportedAlgorithmIDs: [...ALGORITHMS],
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      });
      return { ...options };
    },
    created: async (response, expectedChallenge) => {
      const { verifyRegistrationResponse } = await library();
      const checked = await verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        expectedChallenge,
        ...site(),
        supportedAlgorithmIDs: [...ALGORITHMS],
        requireUserVerification: false,
      }).catch(() => undefined);
      if (!checked?.verified) return undefined;
      const { id, publicKey, counter, transports = [] } = checked.registrationInfo.credential;
      return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports };
    },
    requestOptions: async ({ allowed, userVerification }) => {
      const { generateAuthenticationOptions } = await library();
      const options = await generateAuthenticationOptions({
        rpID: site().expectedRPID,
        userVerification,
        ...(allowed && {
          allowCredentials: allowed.map(({ id, transports }) => ({ id, transports: [...transports] })),
        }),
      });
      return { ...options };
    },
    challengeIn: (response) => {
      const { clientDataJSON } = ANSWERED.parse(response).response;
      try {
        return CLIENT_DATA.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).challenge;
      } catch {
        return undefined;
      }
    },
    counterAfter: async (response, { challenge, passkey, userVerification }) => {
      const { verifyAuthenticationResponse } = await library();
      const { id, publicKey, counter, transports } = passkey;
      const checked = await verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        ...site(),
        credential: {
          id,
          counter,
          transports: [...transports],
          publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
        },
        requireUserVerification: userVerification === 'required',
      }).catch(() => undefined);
      return checked?.verified ? checked.authenticationInfo.newCounter : undefined;
    },
  };
}
