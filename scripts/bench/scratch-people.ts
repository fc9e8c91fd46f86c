import { openDatabase } from '#server/db/connection.ts';
import { migrate } from '#server/db/migrate.ts';
import { createIdentity } from '#server/gateways/identity/create-identity.ts';
import { newId } from '#server/ids.ts';

const AT_ONCE = 500;

/** Makes a database in which these addresses have an account with a password, and a proven address. */
export async function addPeople(dataDir: string, emails: readonly string[]): Promise<void> {
  const say = (details: object, message: string) => console.error(message, details);
  const log = { info: () => {}, warn: say, error: say };
  const db = await openDatabase({ dataDir, log });
  try {
    await migrate(db);
    const identity = createIdentity({ db, publicUrl: () => 'http://localhost', now: () => new Date(), log });
    // The same for all of them: what it costs to look at is the same, and hashing thousands would take minutes.
    const hash = await identity.hashPassword('a password that nobody tries');
    const people = emails.map((email) => ({ id: newId(), email }));
    for (let start = 0; start < people.length; start += AT_ONCE) {
      const some = people.slice(start, start + AT_ONCE);
      await db.kysely
        .insertInto('users')
        .values(some.map((person) => ({ ...person, email_verified: true })))
        .execute();
      await db.kysely
        .insertInto('accounts')
        .values(
          some.map(({ id }) => ({
            id: newId(),
            user_id: id,
            provider_id: 'credential',
            account_id: id,
            password: hash,
          })),
        )
        .execute();
    }
  } finally {
    await db.close();
  }
}
