import type { Transaction } from 'kysely';
import type { IdentityToken } from '#contract/schemas/session.ts';
import type { UserId } from '#domain/ids.ts';
import type { Actor, ProofBy } from '#domain/permissions.ts';
import type { Language } from '#messages';
import { withLongTimeout } from '#server/db/limits.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { endSessions } from '#server/entities/end-sessions.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import { forgetBrowsers, keepLanguage } from './accounts.store.ts';
import { deleteExpiredHalfLogins } from './half-logins.store.ts';
import { deleteExpiredCodes } from './mailed-codes.store.ts';
import { hashOfSecret, newSecret } from './secrets.ts';
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionByHash,
  extendSession,
  insertSession,
  noteUse,
  sessionByHash,
} from './sessions.store.ts';
import { deleteExpiredSignUps } from './sign-ups.store.ts';

export type SessionDeps = Pick<AppDeps, 'db' | 'identity' | 'jobs' | 'publicUrl' | 'adminEmails' | 'now'>;

/** Where someone logs in from, by which they recognize it later. */
export type LoginPlace = {
  /** IP address. */
  readonly client: string;
  /** "Firefox on Windows". */
  readonly browser: string;
  /** Of the page; unknown where the browser comes back from Google. */
  readonly language: Language | undefined;
};

export type Login = LoginPlace & {
  readonly userId: UserId;
  readonly by: ProofBy;
  /** When a second factor was shown, if this only continues an earlier session. */
  readonly secondFactorAt?: Date | null;
};

export type Caller = LoginPlace & {
  /** Names this browser if the owner of the address has logged in here. */
  readonly deviceOf: (email: string, tx?: Transaction<Tables>) => Promise<string | undefined>;
  /** Hash of the browser's current session, which ends when a new one starts. */
  readonly formerSession: string | undefined;
};

export type OpenedSession = {
  readonly id: string;
  /** Goes into the cookie; only its hash is stored. */
  readonly secret: string;
};

const DAY_MS = 24 * 60 * 60_000;
/** Since the session was last used. */
const SESSION_MS = 14 * DAY_MS;
/** Since the login, however much the session is used. */
const LONGEST_MS = 90 * DAY_MS;
/** A session is extended at most once in this time, so that few calls write. */
const EXTEND_AFTER_MS = DAY_MS;
/** For the same reason. */
const NOTE_USE_AFTER_MS = 10 * 60_000;

/** Call it only for someone who has just proven who they are. */
export async function openSession(tx: Transaction<Tables>, login: Login, now: Date): Promise<OpenedSession> {
  const [id, secret] = [newId(), newSecret()];
  const endsAt = new Date(now.getTime() + LONGEST_MS);
  const session = {
    id,
    user_id: login.userId,
    token: hashOfSecret(secret),
    proven_by: login.by,
    second_factor_at: login.secondFactorAt ?? null,
    name: login.browser,
    ip_address: login.client,
    expires_at: expiryFrom(now, endsAt),
    ends_at: endsAt,
  };
  await insertSession(tx, session, now);
  if (login.language) await keepLanguage(tx, login.userId, login.language);
  return { id, secret };
}

/**
 * An identity token for the session of a cookie; a session in use is extended.
 * @returns undefined if the session has ended; `extended` if the cookie has to be set again
 */
export async function readToken(
  { db, identity, now }: Pick<SessionDeps, 'db' | 'identity' | 'now'>,
  secret: string,
): Promise<{ readonly token: IdentityToken; readonly extended: boolean } | undefined> {
  const session = await sessionByHash(db.kysely, hashOfSecret(secret), now());
  if (!session) return undefined;
  if (now().getTime() - session.used_at.getTime() >= NOTE_USE_AFTER_MS) await noteUse(db.kysely, session.id, now());
  const expiresAt = expiryFrom(now(), session.ends_at);
  const extended = expiresAt.getTime() - session.expires_at.getTime() >= EXTEND_AFTER_MS;
  if (extended) await extendSession(db.kysely, session.id, expiresAt, now());
  const token = await identity.issueToken(session.id);
  return token && { token, extended };
}

/** Ends the sessions of the cookie and of the token, where there are any. */
export function signOut({ db }: Pick<AppDeps, 'db'>, actor: Actor, secret: string | undefined): Promise<void> {
  return inTransaction(db, async (tx) => {
    if (secret !== undefined) await deleteSessionByHash(tx, hashOfSecret(secret));
    if (actor.kind === 'user') await deleteSession(tx, actor.sessionId);
  });
}

export function signOutEverywhere({ db }: Pick<AppDeps, 'db'>, userId: UserId): Promise<void> {
  return inTransaction(db, async (tx) => {
    await endSessions(tx, userId);
    await forgetBrowsers(tx, userId);
  });
}

/** Deletes expired sessions, half logins, mailed codes and sign-ups. */
export async function sweepSessions({ db, now }: Pick<AppDeps, 'db' | 'now'>): Promise<void> {
  await deleteExpiredSessions(db.kysely, now());
  await deleteExpiredCodes(db.kysely, now());
  await deleteExpiredSignUps(db.kysely, now());
  await deleteExpiredHalfLogins(db.kysely, now());
}

function expiryFrom(now: Date, endsAt: Date): Date {
  return new Date(Math.min(now.getTime() + SESSION_MS, endsAt.getTime()));
}

export const sessionSweep = defineRecurringJob({
  name: 'sweep-sessions',
  firstMs: 60_000,
  everyMs: 60 * 60_000,
  isExclusive: false,
  run: (deps: Pick<AppDeps, 'db' | 'now'>) => withLongTimeout(() => sweepSessions(deps)),
});
