import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

/** An account at the provider. */
export type ProviderPerson = {
  readonly sub: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
};

/** Faults that the provider can simulate. */
export type ProviderFault =
  /** The person declines. */
  | 'denied'
  /** The ID token has the wrong nonce or none, or is missing. */
  | 'wrong-nonce'
  | 'no-nonce'
  | 'no-id-token'
  /** The ID token is signed with an unpublished key or isn't signed. */
  | 'wrong-key'
  | 'unsigned'
  /** The ID token is for another client, from another issuer, or too old. */
  | 'wrong-audience'
  | 'wrong-issuer'
  | 'expired'
  /** The discovery document belongs to another provider. */
  | 'other-issuer'
  /** Exchanging the code fails. */
  | 'unavailable';

export type TokenInput = {
  readonly issuer: string;
  readonly clientId: string;
  readonly person: ProviderPerson;
  readonly nonce: string;
  readonly accessToken: string;
  readonly fault: ProviderFault | undefined;
};

export type TokenMaker = {
  /** The keys that the provider publishes. */
  readonly jwks: { readonly keys: readonly JWK[] };
  make(input: TokenInput): Promise<string>;
};

const KEY_ID = 'key-of-the-stand-in';
const OTHER_PARTY = 'someone-else';

/** Creates a maker of ID tokens (OpenID Connect Core 1.0 §2), signed with RS256 like Google's. */
export async function createTokenMaker(): Promise<TokenMaker> {
  const ownKeys = await generateKeyPair('RS256', { extractable: true });
  const unpublishedKeys = await generateKeyPair('RS256');
  const publishedKey = { ...(await exportJWK(ownKeys.publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' };
  return {
    jwks: { keys: [publishedKey] },
    make: async (input) => {
      const claims = buildClaims(input);
      if (input.fault === 'unsigned') return buildUnsignedToken(claims);
      const key = input.fault === 'wrong-key' ? unpublishedKeys.privateKey : ownKeys.privateKey;
      return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: KEY_ID, typ: 'JWT' }).sign(key);
    },
  };
}

function buildClaims({ issuer, clientId, person, nonce, accessToken, fault }: TokenInput): Record<string, unknown> {
  const issuedAt = Math.floor(Date.now() / 1000) - (fault === 'expired' ? 24 * 3600 : 0);
  return {
    iss: fault === 'wrong-issuer' ? `https://${OTHER_PARTY}.example` : issuer,
    aud: fault === 'wrong-audience' ? OTHER_PARTY : clientId,
    azp: fault === 'wrong-audience' ? OTHER_PARTY : clientId,
    ...(fault === 'no-nonce' ? {} : { nonce: fault === 'wrong-nonce' ? OTHER_PARTY : nonce }),
    at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
    ...buildPersonClaims(person),
    iat: issuedAt,
    exp: issuedAt + 3600,
  };
}

/** Claims about a person in the ID token and the userinfo response. */
export function buildPersonClaims({ sub, email, emailVerified, name }: ProviderPerson): Record<string, unknown> {
  return { sub, email, email_verified: emailVerified, name, given_name: name.split(' ')[0] };
}

function buildUnsignedToken(claims: Record<string, unknown>): string {
  const encodePart = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url');
  return `${encodePart({ alg: 'none', typ: 'JWT' })}.${encodePart(claims)}.`;
}
