import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import type { StoredPhoto, Tables } from '#server/db/tables.ts';
import type { Person } from './person.ts';

/*
 * Everything that the tables hold of a person, in one place: what is told to that person, and what is taken away when
 * the account is deleted. A table that is new belongs into both. It reads all organisations, since a person does not
 * belong to one.
 */

/** Whether a row has the person's address; of one that is not proven none has. */
function hasAddress(column: string, { provenEmail }: Person) {
  return sql<SqlBool>`lower(${sql.ref(column)}) = ${provenEmail ?? null}`;
}

/** Whether a row is the person's by the account or by the address. */
function isTheirs(userColumn: string, emailColumn: string, person: Person) {
  return sql<SqlBool>`(${sql.ref(userColumn)} = ${person.userId} or ${hasAddress(emailColumn, person)})`;
}

/** An offsetter that somebody else owns is theirs, whatever address it names. */
function isTheirStory(person: Person) {
  return sql<SqlBool>`(user_id = ${person.userId} or (user_id is null and ${hasAddress('email', person)}))`;
}

export async function rowsOfPerson(db: Kysely<Tables>, person: Person) {
  const { userId } = person;
  return {
    account: await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst(),
    waysOfSigningIn: await db
      .selectFrom('accounts')
      .select(['provider_id', 'account_id', 'scope', 'created_at', 'updated_at'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute(),
    sessions: await db
      .selectFrom('sessions')
      .select(['created_at', 'updated_at', 'expires_at', 'ip_address', 'user_agent'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute(),
    mailedLinks: await db
      .selectFrom('mailed_codes')
      .select(['purpose', 'email', 'created_at', 'expires_at', 'used_at'])
      .where(isTheirs('user_id', 'email', person))
      .orderBy('created_at')
      .execute(),
    roles: await db
      .selectFrom('org_editors')
      .select(['org_id', 'role', 'display_name', 'created_at'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute(),
    invitationsReceived: await db
      .selectFrom('invitations')
      .select(['org_id', 'email', 'created_at'])
      .where(hasAddress('email', person))
      .orderBy('created_at')
      .execute(),
    // Whom the person invited is the invited one's to know.
    invitationsMade: await db
      .selectFrom('invitations')
      .select(['org_id', 'created_at'])
      .where('invited_by', '=', userId)
      .orderBy('created_at')
      .execute(),
    texts: await db
      .selectFrom('cells')
      .select(['org_id', 'page', 'name', 'markdown', 'created_at'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute(),
    textVersions: await db
      .selectFrom('cell_versions')
      .select(['org_id', 'page', 'name', 'markdown', 'created_at'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute(),
    // Whose consent it is, is theirs to know.
    consentsRecorded: await db
      .selectFrom('awardees')
      .select(['org_id', 'consented_at', 'consent_revoked_at'])
      .where('consent_recorded_by', '=', userId)
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
    offsetters: await db
      .selectFrom('offsetters')
      .selectAll()
      .where(isTheirStory(person))
      .orderBy('created_at')
      .execute(),
    ...(await moneyOfPerson(db, person)),
  };
}

export type PersonRows = Awaited<ReturnType<typeof rowsOfPerson>>;

async function moneyOfPerson(db: Kysely<Tables>, person: Person) {
  const checkouts = await db
    .selectFrom('checkouts')
    .selectAll()
    .where(isTheirs('user_id', 'email', person))
    .orderBy('created_at')
    .execute();
  const pledges = await db
    .selectFrom('pledges')
    .selectAll()
    .where(hasAddress('email', person))
    .orderBy('created_at')
    .execute();
  const ids = (rows: readonly { id: string }[]) => sql<string[]>`${rows.map(({ id }) => id)}::text[]`;
  return {
    checkouts,
    pledges,
    receipts: await db
      .selectFrom('receipts')
      .selectAll()
      .where(sql<SqlBool>`(checkout_id = any(${ids(checkouts)}) or ${hasAddress('email', person)})`)
      .orderBy('issued_at')
      .execute(),
    ledger: await db
      .selectFrom('ledger_entries')
      .selectAll()
      .where(
        sql<SqlBool>`(checkout_id = any(${ids(checkouts)}) or pledge_id = any(${ids(pledges)})
          or actor_id = ${person.userId})`,
      )
      .orderBy('occurred_at')
      .execute(),
  };
}

/** A person's checkouts that the provider may still charge something for: open pages, debits under way, recurring gifts. */
export function chargeableCheckoutsOf(db: Kysely<Tables>, person: Person) {
  return db
    .selectFrom('checkouts')
    .select(['payment_status', 'provider_session_id', 'provider_subscription_id'])
    .where(isTheirs('user_id', 'email', person))
    .where((row) =>
      row.or([row('payment_status', 'in', ['unpaid', 'processing']), row('provider_subscription_id', 'is not', null)]),
    )
    .execute();
}

/**
 * Takes a person out of every table. What the ledger needs stays, without the person. @returns the photos whose files
 * are to be taken away
 */
export async function deletePersonRows(tx: Transaction<Tables>, person: Person, now: Date): Promise<StoredPhoto[]> {
  const stories = await tx.deleteFrom('offsetters').where(isTheirStory(person)).returning('photo').execute();
  const checkouts = await tx
    .updateTable('checkouts')
    .set({
      // Paid with this person's address, it may have been made by another person, and stays that one's.
      user_id: sql<null>`nullif(user_id, ${person.userId})`,
      email: null,
      display_name: null,
      provider_customer_id: null,
      forgotten_at: now,
    })
    .where(isTheirs('user_id', 'email', person))
    .returning('id')
    .execute();
  const ids = checkouts.map(({ id }) => id);
  await tx
    .updateTable('receipts')
    .set({ email: null, name: null })
    .where(sql<SqlBool>`(checkout_id = any(${ids}::text[]) or ${hasAddress('email', person)})`)
    .execute();
  await tx
    .updateTable('pledges')
    .set({ email: null, name: null, note: null })
    .where(hasAddress('email', person))
    .execute();
  await tx.deleteFrom('invitations').where(hasAddress('email', person)).execute();
  await tx
    .deleteFrom('mailed_codes')
    .where(isTheirs('user_id', 'email', person))
    .execute();
  // Sessions, ways of signing in and roles go with the account; texts and invitations made lose its name.
  await tx.deleteFrom('users').where('id', '=', person.userId).execute();
  return stories.flatMap(({ photo }) => photo ?? []);
}
