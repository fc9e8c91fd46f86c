import type { Transaction } from 'kysely';
import type { IdentityToken } from '#contract/schemas/session.ts';
import { DAY_MS } from '#domain/days.ts';
import type { UserId } from '#domain/ids.ts';
import type { Actor, AuthenticationMethod } from '#domain/permissions.ts';
import type { Language } from '#messages';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps, WithSettings } from '#server/deps.ts';
import { endSessions } from '#server/entities/end-sessions.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import { forgetBrowsers, saveLanguage } from './accounts.store.ts';
import { deleteExpiredCodes } from './email-codes.store.ts';
import { deleteExpiredPendingLogins } from './pending-logins.store.ts';
import { generateSecret, hashSecret } from './secrets.ts';
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionByHash,
  extendSession,
  findSessionByHash,
  insertSession,
  recordSessionUse,
} from './sessions.store.ts';
import { deleteExpiredSignUps } from './sign-ups.store.ts';

export type SessionDeps = Pick<AppDeps, 'db' | 'identity' | 'jobs' | 'publicUrl' | 'now'> & WithSettings<'adminEmails'>;

/** Details that help a user recognize a session in the list of their sessions. */
export type LoginClient = {
  /** IP address. */
  readonly client: string;
  /** Such as "Firefox on Windows". */
  readonly browser: string;
  /** Language of the page. */
  readonly language: Language | undefined;
};

export type Login = LoginClient & {
  readonly userId: UserId;
  readonly authenticationMethod: AuthenticationMethod;
  /** When the user last presented a second factor. */
  readonly secondFactorAt?: Date | null;
};

export type Caller = LoginClient & {
  /** Returns an id for this browser if the owner of the address has logged in with it. */
  readonly findDevice: (email: string, tx?: Transaction<Tables>) => Promise<string | undefined>;
  /** Hash of the browser's current session, which ends when a new one starts. */
  readonly previousSessionHash: string | undefined;
};

export type OpenedSession = {
  readonly id: string;
  /** Stored in the cookie. The database contains only its hash. */
  readonly secret: string;
};

/** A session expires after this time without use. */
const IDLE_MS = 14 * DAY_MS;
/** A session ends after this time even if it is in use. */
const MAX_LIFETIME_MS = 90 * DAY_MS;
/** Minimum time between extensions of a session, so that few requests write to the database. */
const EXTEND_AFTER_MS = DAY_MS;
/** Minimum time between updates of a session's last use, so that few requests write to the database. */
const RECORD_USE_AFTER_MS = 10 * 60_000;

/** Opens a session. The caller must have just verified the user's identity. */
export async function openSession(tx: Transaction<Tables>, login: Login, now: Date): Promise<OpenedSession> {
  const [id, secret] = [newId(), generateSecret()];
  const maxExpiresAt = new Date(now.getTime() + MAX_LIFETIME_MS);
  const session = {
    id,
    user_id: login.userId,
    token: hashSecret(secret),
    authentication_method: login.authenticationMethod,
    second_factor_at: login.secondFactorAt ?? null,
    name: login.browser,
    ip_address: login.client,
    expires_at: getSessionExpiry(now, maxExpiresAt),
    max_expires_at: maxExpiresAt,
  };
  await insertSession(tx, session, now);
  if (login.language) await saveLanguage(tx, login.userId, login.language);
  return { id, secret };
}

/**
 * Issues an identity token for the cookie's session, and extends the session.
 * @returns `undefined` if the session has ended; `extended` if the cookie must be set again
 */
export async function readToken(
  { db, identity, now }: Pick<SessionDeps, 'db' | 'identity' | 'now'>,
  secret: string,
): Promise<{ readonly token: IdentityToken; readonly extended: boolean } | undefined> {
  const session = await findSessionByHash(db.kysely, hashSecret(secret), now());
  if (!session) return undefined;
  if (now().getTime() - session.used_at.getTime() >= RECORD_USE_AFTER_MS)
    await recordSessionUse(db.kysely, session.id, now());
  const expiresAt = getSessionExpiry(now(), session.max_expires_at);
  const isExtended = expiresAt.getTime() - session.expires_at.getTime() >= EXTEND_AFTER_MS;
  if (isExtended) await extendSession(db.kysely, session.id, expiresAt, now());
  const token = await identity.issueToken(session.id);
  return token && { token, extended: isExtended };
}

/** Ends the session of the cookie and the session of the token. They can differ, and either can be missing. */
export function signOut({ db }: Pick<AppDeps, 'db'>, actor: Actor, secret: string | undefined): Promise<void> {
  return inTransaction(db, async (tx) => {
    if (secret !== undefined) await deleteSessionByHash(tx, hashSecret(secret));
    if (actor.kind === 'user') await deleteSession(tx, actor.sessionId);
  });
}

export function signOutEverywhere({ db }: Pick<AppDeps, 'db'>, userId: UserId): Promise<void> {
  return inTransaction(db, async (tx) => {
    await endSessions(tx, userId);
    await forgetBrowsers(tx, userId);
  });
}

/** Deletes expired sessions, pending logins, email codes, and sign-ups. */
export async function sweepSessions({ db, now }: Pick<AppDeps, 'db' | 'now'>): Promise<void> {
  await deleteExpiredSessions(db.kysely, now());
  await deleteExpiredCodes(db.kysely, now());
  await deleteExpiredSignUps(db.kysely, now());
  await deleteExpiredPendingLogins(db.kysely, now());
}

function getSessionExpiry(now: Date, maxExpiresAt: Date): Date {
  return new Date(Math.min(now.getTime() + IDLE_MS, maxExpiresAt.getTime()));
}

export const sweepSessionsJob = defineRecurringJob({
  name: 'sweep-sessions',
  initialDelayMs: 60_000,
  intervalMs: 60 * 60_000,
  isExclusive: false,
  isLong: true,
  run: sweepSessions,
});
