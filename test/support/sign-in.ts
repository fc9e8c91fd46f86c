import type { Role } from '#domain/permissions.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { type Login, openSession } from '#server/features/sessions/session-lifecycle.ts';
import { addEditor } from './builders/editor.ts';
import { addUser } from './builders/user.ts';

export type SignedInPerson = {
  readonly userId: string;
  readonly email: string;
  readonly sessionId: string;
  readonly token: string;
  /** Headers for the user's calls. */
  readonly headers: { readonly authorization: string; readonly 'x-requested-with': string };
};

export type PersonParts = {
  /** An existing user. By default, a user is added with the other properties. */
  readonly userId?: string;
  readonly email?: string;
  readonly name?: string;
  readonly verified?: boolean;
  readonly admin?: boolean;
  /** Ids of organizations in which the user has the role. The default role is editor. */
  readonly editorOf?: readonly string[];
  readonly role?: Role | undefined;
};

/** A login with an emailed link, which proves who the user is. */
export function createEmailLogin(userId: string): Login {
  return { userId, authenticationMethod: 'mail', client: '203.0.113.7', browser: 'Firefox on Linux', language: 'en' };
}

/** Logs a user in with a real session and identity token. */
export async function signIn(
  deps: Pick<AppDeps, 'db' | 'identity' | 'now'>,
  parts: PersonParts = {},
): Promise<SignedInPerson> {
  const userId = parts.userId ?? (await addPerson(deps, parts));
  const { email } = await deps.db.kysely
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const session = await inTransaction(deps.db, (tx) => openSession(tx, createEmailLogin(userId), deps.now()));
  const issuedToken = await deps.identity.issueToken(session.id);
  if (!issuedToken) throw new Error('The session that was just opened has ended.');
  const headers = { authorization: `Bearer ${issuedToken.token}`, 'x-requested-with': 'fetch' };
  return { userId, email, sessionId: session.id, token: issuedToken.token, headers };
}

async function addPerson({ db }: Pick<AppDeps, 'db'>, parts: PersonParts): Promise<string> {
  const { email, name = 'Uma User', verified = true, admin = false, editorOf = [], role = 'editor' } = parts;
  const person = { display_name: name, email_verified: verified, admin };
  const userId = await addUser(db, email === undefined ? person : { ...person, email });
  for (const orgId of editorOf) await addEditor(db, orgId, userId, { display_name: name, role });
  return userId;
}
