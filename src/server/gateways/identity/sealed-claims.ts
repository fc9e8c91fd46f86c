import { EncryptJWT, type JWTPayload, jwtDecrypt } from 'jose';
import type { SealedTexts } from './identity.ts';

export type SealOptions = {
  /** 32 bytes. */
  readonly key: () => Promise<Uint8Array>;
  readonly now: () => Date;
};

/** Encrypts claims with authentication, so that only this program can read them and any change is detected. */
export async function seal<Claims extends object>(
  { key, now }: SealOptions,
  claims: Claims,
  seconds?: number,
): Promise<string> {
  const jwt = new EncryptJWT({ ...claims } as JWTPayload).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' });
  if (seconds !== undefined) jwt.setExpirationTime(new Date(now().getTime() + seconds * 1000));
  return jwt.encrypt(await key());
}

/** @returns undefined if the text was changed, has expired, or was sealed with another key */
export async function unseal({ key, now }: SealOptions, text: string): Promise<JWTPayload | undefined> {
  const result = await jwtDecrypt(text, await key(), { currentDate: now() }).catch(() => undefined);
  return result?.payload;
}

const SEALED_TEXT_SECONDS = 15 * 60;

export function createSealedTexts(options: SealOptions): SealedTexts {
  return {
    seal: (userId, text) => seal(options, { sub: userId, text }, SEALED_TEXT_SECONDS),
    open: async (userId, sealedText) => {
      const claims = await unseal(options, sealedText);
      return claims?.sub === userId && typeof claims.text === 'string' ? claims.text : undefined;
    },
  };
}
