import { type Kysely, sql } from 'kysely';

/**
 * The second step of a login (decisions §4): passkeys, the key of an authenticator app, and codes for a lost device. The
 * version before knows none of them, and logs people in without.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table passkeys (
      -- The credential's own id.
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      public_key text not null,
      counter bigint not null,
      transports jsonb not null default '[]',
      name text not null,
      created_at timestamptz(3) not null default now(),
      used_at timestamptz(3)
    )`.execute(db);
  await sql`create index passkeys_of_user on passkeys (user_id)`.execute(db);
  await sql`
    create table authenticators (
      user_id text primary key references users (id) on delete cascade,
      -- Encrypted.
      key text not null,
      -- Of the last code that was used: none works twice.
      last_step bigint not null,
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`
    create table recovery_codes (
      user_id text primary key references users (id) on delete cascade,
      -- Of the codes that were not used yet.
      hashes jsonb not null,
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  // A login that waits for its second step, or for a passkey.
  await sql`
    create table half_logins (
      hash text primary key,
      user_id text references users (id) on delete cascade,
      proven_by text,
      challenge text,
      expires_at timestamptz(3) not null,
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index half_logins_of_user on half_logins (user_id)`.execute(db);
  await sql`create index half_logins_by_end on half_logins (expires_at)`.execute(db);
  // When an admin's removal of somebody's second step takes effect, unless its owner objects.
  await sql`alter table users add column second_factor_ends_at timestamptz(3)`.execute(db);
  await sql`alter table orgs add column editors_need_second_factor boolean not null default false`.execute(db);
  await recordActivity(db);
}

/** Nothing of a code or key is recorded, only that it came, was used or went. */
async function recordActivity(db: Kysely<unknown>): Promise<void> {
  const recorded = [
    ['passkeys', 'passkey', 'insert or delete'],
    ['authenticators', 'authenticator', 'insert or delete'],
    ['recovery_codes', 'recovery-codes', 'insert or update of hashes or delete'],
  ] as const;
  for (const [table, kind, after] of recorded) {
    await sql`create trigger ${sql.id(`${table}_record_activity`)} after ${sql.raw(after)} on ${sql.table(table)}
      for each row execute function record_activity(${sql.raw(`'${kind}', 'user_id', 'user_id'`)})`.execute(db);
  }
  await sql`create trigger users_record_removal after update of second_factor_ends_at on users
    for each row execute function record_activity('second-step', 'id', 'id', 'second_factor_ends_at')`.execute(db);
  await sql`create trigger orgs_record_second_factor after update of editors_need_second_factor on orgs
    for each row execute function record_activity('settings', '', 'id', 'editors_need_second_factor')`.execute(db);
}
