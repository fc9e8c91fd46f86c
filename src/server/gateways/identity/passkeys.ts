import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { SITE_NAME } from '#domain/site-name.ts';
import type { Passkeys } from './identity.ts';

/** Ed25519, ES256, and RS256. Every device supports at least one of them. */
const ALGORITHMS = [-8, -7, -257] as const;

const RESPONSE = z.object({ response: z.object({ clientDataJSON: z.string() }) });
const CLIENT_DATA = z.object({ challenge: z.string() });

/** Loaded on first use. */
const loadLibrary = () => import('@simplewebauthn/server');

/**
 * Creates and verifies passkeys (WebAuthn) for this site's host. Callers pass the browser's responses unchecked: this module
 * validates their content and rejects unreadable responses.
 */
export function createPasskeys(publicUrl: () => string): Passkeys {
  const getExpectedSite = () => ({
    expectedOrigin: new URL(publicUrl()).origin,
    expectedRPID: new URL(publicUrl()).hostname,
  });
  return {
    creationOptions: async ({ userId, email, existingPasskeys }) => {
      const { generateRegistrationOptions } = await loadLibrary();
      const options = await generateRegistrationOptions({
        rpName: SITE_NAME,
        rpID: getExpectedSite().expectedRPID,
        userID: new TextEncoder().encode(userId),
        userName: email,
        userDisplayName: email,
        excludeCredentials: existingPasskeys.map(({ id, transports }) => ({ id, transports: [...transports] })),
        supportedAlgorithmIDs: [...ALGORITHMS],
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      });
      return { ...options };
    },
    verifyCreation: async (response, expectedChallenge) => {
      const { verifyRegistrationResponse } = await loadLibrary();
      const result = await verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        expectedChallenge,
        ...getExpectedSite(),
        supportedAlgorithmIDs: [...ALGORITHMS],
        requireUserVerification: false,
      }).catch(() => undefined);
      if (!result?.verified) return undefined;
      const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential;
      return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports };
    },
    requestOptions: async ({ allowedPasskeys, userVerification }) => {
      const { generateAuthenticationOptions } = await loadLibrary();
      const options = await generateAuthenticationOptions({
        rpID: getExpectedSite().expectedRPID,
        userVerification,
        ...(allowedPasskeys && {
          allowCredentials: allowedPasskeys.map(({ id, transports }) => ({ id, transports: [...transports] })),
        }),
      });
      return { ...options };
    },
    readChallenge: (response) => {
      const { clientDataJSON } = RESPONSE.parse(response).response;
      try {
        return CLIENT_DATA.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).challenge;
      } catch {
        return undefined;
      }
    },
    verifyAuthentication: async (response, { challenge, passkey, userVerification }) => {
      const { verifyAuthenticationResponse } = await loadLibrary();
      const { id, publicKey, counter, transports } = passkey;
      const result = await verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        ...getExpectedSite(),
        credential: {
          id,
          counter,
          transports: [...transports],
          publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
        },
        requireUserVerification: userVerification === 'required',
      }).catch(() => undefined);
      return result?.verified ? result.authenticationInfo.newCounter : undefined;
    },
  };
}
