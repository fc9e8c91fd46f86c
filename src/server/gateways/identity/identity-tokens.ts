import { createLocalJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { IdentityToken } from '#contract/schemas/session.ts';
import type { Actor } from '#domain/permissions.ts';
import type { Database } from '#server/db/connection.ts';
import type { AuthLibrary } from './auth-library.ts';
import { ownerOf, retireSigningKeys, type SessionOwner } from './identity.store.ts';
import type { Identity } from './identity.ts';

export type IdentityTokensOptions = {
  readonly db: Database;
  readonly publicUrl: () => string;
  readonly now: () => Date;
  readonly library: () => Promise<AuthLibrary>;
};

const AUDIENCE = 'climate-fund-api';
const ALGORITHM = 'ES256';
const TOKEN_SECONDS = 60 * 60;
/**
 * A token goes along in a header, of which servers and proxies take some kilobytes: it names so many organisations at
 * most. `GET /authorize` names all of them.
 */
const ORGS_CLAIMED = 50;

/**
 * The bearer tokens of the page (decisions §4). What a token claims is information for the page: the server asks the
 * database who its session belongs to and what that person may do now.
 */
export function identityTokens(options: IdentityTokensOptions): Pick<Identity, 'actorOf' | 'issueToken'> {
  const { db, publicUrl, now, library } = options;
  const keys = publishedKeys(library);
  return {
    actorOf: async (token) => {
      const claims = await claimsOf(token, keys, publicUrl(), now());
      const owner = claims && (await ownerOf(db.kysely, claims.sessionId, now()));
      return claims && owner && actorFrom(claims, owner);
    },
    issueToken: async (sessionId) => {
      const owner = await ownerOf(db.kysely, sessionId, now());
      return owner && issue(options, sessionId, owner);
    },
  };
}

type Claims = { readonly userId: string; readonly sessionId: string; readonly issuedAt: Date };

async function claimsOf(token: string, keys: JWTVerifyGetKey, issuer: string, now: Date): Promise<Claims | undefined> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: AUDIENCE,
      algorithms: [ALGORITHM],
      requiredClaims: ['sub', 'sid', 'iat', 'exp'],
      currentDate: now,
    });
    const { sub, sid, iat } = payload;
    return { userId: String(sub), sessionId: String(sid), issuedAt: new Date(Number(iat) * 1000) };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

function actorFrom({ userId, sessionId, issuedAt }: Claims, owner: SessionOwner): Actor | undefined {
  if (owner.userId !== userId) return undefined;
  const { admin, emailVerified, editorOf } = owner;
  return { kind: 'user', userId, sessionId, issuedAt, admin, emailVerified, editorOf };
}

async function issue(options: IdentityTokensOptions, sessionId: string, owner: SessionOwner): Promise<IdentityToken> {
  const issuedAt = Math.floor(options.now().getTime() / 1000);
  const expiresAt = issuedAt + TOKEN_SECONDS;
  const token = await sign(options, {
    iss: options.publicUrl(),
    aud: AUDIENCE,
    sub: owner.userId,
    sid: sessionId,
    iat: issuedAt,
    exp: expiresAt,
    email: owner.email,
    email_verified: owner.emailVerified,
    admin: owner.admin,
    orgs: owner.editorOf.slice(0, ORGS_CLAIMED),
  });
  return { token, expiresAt: new Date(expiresAt * 1000).toISOString() };
}

async function sign({ db, library }: IdentityTokensOptions, payload: Record<string, unknown>): Promise<string> {
  const { api } = await library();
  try {
    return (await api.signJWT({ body: { payload } })).token;
  } catch (error) {
    // The key was locked with another secret than today's. A new one takes its place.
    if (!(error instanceof Error && error.message.startsWith('Failed to decrypt private key'))) throw error;
    await retireSigningKeys(db.kysely);
    return (await api.signJWT({ body: { payload } })).token;
  }
}

/** The keys that tokens are checked by; read again when a token names one that they lack, which another process made. */
function publishedKeys(library: () => Promise<AuthLibrary>): JWTVerifyGetKey {
  const read = async () => createLocalJWKSet(await (await library()).api.getJwks());
  let known: Awaited<ReturnType<typeof read>> | undefined;
  return async (header, token) => {
    try {
      known ??= await read();
      return await known(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      known = await read();
      return known(header, token);
    }
  };
}
