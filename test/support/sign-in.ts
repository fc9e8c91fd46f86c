import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { openSession } from '#server/features/sessions/open-session.ts';
import { addUser } from './builders/user.ts';

export type SignedInPerson = {
  readonly userId: string;
  readonly email: string;
  readonly sessionId: string;
  readonly token: string;
  /** What a call of this person carries. */
  readonly headers: { readonly authorization: string; readonly 'x-requested-with': string };
};

export type PersonParts = {
  /** Somebody who exists already; else a person is added, in the state that the other parts tell. */
  readonly userId?: string;
  readonly email?: string;
  readonly name?: string;
  readonly verified?: boolean;
  readonly admin?: boolean;
  /** The organisations edited. */
  readonly editorOf?: readonly string[];
};

/** Signs a person in, with a session and an identity token as they really are. */
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
  const session = await inTransaction(deps.db, (tx) => openSession(tx, userId, deps.now()));
  const issued = await deps.identity.issueToken(session.id);
  if (!issued) throw new Error('The session that was just opened does not live.');
  const headers = { authorization: `Bearer ${issued.token}`, 'x-requested-with': 'fetch' };
  return { userId, email, sessionId: session.id, token: issued.token, headers };
}

async function addPerson({ db }: Pick<AppDeps, 'db'>, parts: PersonParts): Promise<string> {
  const { email, name = 'Uma User', verified = true, admin = false, editorOf = [] } = parts;
  const person = { display_name: name, email_verified: verified, admin };
  const userId = await addUser(db, email === undefined ? person : { ...person, email });
  for (const orgId of editorOf) {
    await db.kysely.insertInto('org_editors').values({ org_id: orgId, user_id: userId, display_name: name }).execute();
  }
  return userId;
}
