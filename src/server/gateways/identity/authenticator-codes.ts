import { Secret, TOTP } from 'otpauth';
import { z } from 'zod';
import type { UserId } from '#domain/ids.ts';
import { SITE_NAME } from '#domain/site-name.ts';
import type { AuthenticatorCodes } from './identity.ts';
import { type SealOptions, seal, unseal } from './sealed-claims.ts';

const KEY_BYTES = 20;
/** Time limit from showing the QR code to entering the first code. */
const SETUP_SECONDS = 15 * 60;
/** A phone's clock may be off by one step of 30 seconds. */
const MAX_STEP_DIFFERENCE = 1;

const STORED_KEY_SCHEMA = z.object({ key: z.string(), sub: z.string() });

/** Verifies authenticator app codes (RFC 6238) with the settings that every app supports: six digits, valid for 30 seconds. */
export function createAuthenticatorCodes(options: SealOptions): AuthenticatorCodes {
  const createTotp = (key: string, label = '') =>
    new TOTP({ issuer: SITE_NAME, label, secret: Secret.fromBase32(key), algorithm: 'SHA1', digits: 6, period: 30 });
  const unsealKey = async (userId: UserId, text: string) => {
    const storedKey = STORED_KEY_SCHEMA.safeParse(await unseal(options, text)).data;
    return storedKey?.sub === userId ? storedKey.key : undefined;
  };
  return {
    createKey: async ({ userId, email }) => {
      const key = new Secret({ size: KEY_BYTES }).base32;
      const offer = await seal(options, { key, sub: userId }, SETUP_SECONDS);
      return { key, address: createTotp(key, email).toString(), offer };
    },
    acceptKey: async (userId, offer) => {
      const key = await unsealKey(userId, offer);
      return key === undefined ? undefined : seal(options, { key, sub: userId });
    },
    findTimeStep: async (userId, storedKey, code) => {
      const key = await unsealKey(userId, storedKey);
      if (key === undefined) return undefined;
      const totp = createTotp(key);
      const timestamp = options.now().getTime();
      const difference = totp.validate({ token: code, timestamp, window: MAX_STEP_DIFFERENCE });
      return difference === null ? undefined : totp.counter({ timestamp }) + difference;
    },
  };
}
