import { errors, jwtVerify, SignJWT } from 'jose';
import type { IdentityToken } from '#contract/schemas/session.ts';
import type { UserId } from '#domain/ids.ts';
import { findInactivePermissions } from '#domain/permissions.ts';
import type { Database } from '#server/db/connection.ts';
import { findSessionOwner, type SessionOwner } from './identity.store.ts';
import type { Identity } from './identity.ts';

export type IdentityTokensOptions = {
  readonly db: Database;
  readonly publicUrl: () => string;
  readonly now: () => Date;
  readonly key: () => Promise<Uint8Array>;
  /** True if admins have no permissions until they have used a second factor. */
  readonly adminsNeedSecondFactor: boolean;
};

const AUDIENCE = 'climate-fund-api';
/** Symmetric, because only this program verifies its tokens. */
const ALGORITHM = 'HS256';
const TOKEN_SECONDS = 60 * 60;
/**
 * Maximum number of organizations in a token, because servers and proxies limit headers to a few kilobytes.
 * `GET /authorize` returns all of them.
 */
const MAX_ORGS_IN_TOKEN = 50;

/**
 * Issues and verifies bearer tokens (decisions §4). Only the page relies on their claims: every call looks up the
 * session, its last confirmation, and the user's current roles in the database.
 */
export function createIdentityTokens(options: IdentityTokensOptions): Pick<Identity, 'findActor' | 'issueToken'> {
  const { db, now } = options;
  return {
    findActor: async (token) => {
      const claims = await verifyToken(options, token);
      const owner = claims && (await findSessionOwner(db.kysely, claims.sessionId, now()));
      return claims && owner?.userId === claims.userId
        ? { kind: 'user', ...toPermissionFields(owner, options), ...toTokenFields(claims, owner) }
        : undefined;
    },
    issueToken: async (sessionId) => {
      const owner = await findSessionOwner(db.kysely, sessionId, now());
      return owner && issueToken(options, sessionId, owner);
    },
  };
}

type Claims = {
  readonly userId: UserId;
  readonly sessionId: string;
  readonly issuedAt: Date;
  /** Time of the user's last confirmation before the token was issued, in whole seconds since 1970. */
  readonly authenticatedAtSeconds: number;
};

function toTokenFields({ authenticatedAtSeconds, ...claims }: Claims, { authenticatedAt }: SessionOwner) {
  return { ...claims, hasStaleToken: authenticatedAtSeconds < toSeconds(authenticatedAt) };
}

function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

async function verifyToken(options: IdentityTokensOptions, token: string): Promise<Claims | undefined> {
  const { publicUrl, now, key } = options;
  try {
    const { payload } = await jwtVerify(token, await key(), {
      issuer: publicUrl(),
      audience: AUDIENCE,
      algorithms: [ALGORITHM],
      requiredClaims: ['sub', 'sid', 'iat', 'exp', 'auth_time'],
      currentDate: now(),
    });
    const { sub, sid, iat, auth_time } = payload;
    return {
      userId: String(sub),
      sessionId: String(sid),
      issuedAt: new Date(Number(iat) * 1000),
      authenticatedAtSeconds: Number(auth_time),
    };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

function toPermissionFields(
  { admin, emailVerified, roles, authenticatedAt, secondFactor: hasSecondFactor, secondFactorOrgs }: SessionOwner,
  { adminsNeedSecondFactor }: IdentityTokensOptions,
) {
  const requirements = { forAdmins: adminsNeedSecondFactor, forOrgs: secondFactorOrgs };
  const inactivePermissions = findInactivePermissions({ admin, hasSecondFactor }, requirements);
  return {
    admin,
    emailVerified,
    roles,
    authenticatedAt,
    hasSecondFactor,
    ...(inactivePermissions ? { inactivePermissions } : {}),
  };
}

/** Lists organizations where the user is an editor. Narrower roles don't count (§7). */
function listEditorOrgs({ roles }: SessionOwner): string[] {
  return Object.keys(roles).filter((orgId) => roles[orgId] === 'editor');
}

async function issueToken(
  options: IdentityTokensOptions,
  sessionId: string,
  owner: SessionOwner,
): Promise<IdentityToken> {
  const issuedAt = Math.floor(options.now().getTime() / 1000);
  const expiresAt = issuedAt + TOKEN_SECONDS;
  const claims = {
    iss: options.publicUrl(),
    aud: AUDIENCE,
    sub: owner.userId,
    sid: sessionId,
    iat: issuedAt,
    exp: expiresAt,
    auth_time: toSeconds(owner.authenticatedAt),
    email: owner.email,
    email_verified: owner.emailVerified,
    admin: owner.admin,
    orgs: listEditorOrgs(owner).toSorted().slice(0, MAX_ORGS_IN_TOKEN),
  };
  const token = await new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' }).sign(await options.key());
  return { token, expiresAt: new Date(expiresAt * 1000).toISOString() };
}
