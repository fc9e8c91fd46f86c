import { type Kysely, sql } from 'kysely';

/**
 * Sign-in: sessions, login methods, pending verifications, keys of identity tokens, single-use mailed codes (as
 * hashes), invitations and rate limits. A gift outlives its donor's account, so receipts and pledges may lose name and
 * email (decisions §4).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sessions(db);
  await mailedCodes(db);
  await invitations(db);
  await forgotten(db);
}

async function sessions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sessions (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      token text not null unique,
      expires_at timestamptz(3) not null,
      ip_address text,
      user_agent text,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index sessions_by_user on sessions (user_id)`.execute(db);
  await sql`
    create table accounts (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      provider_id text not null,
      account_id text not null,
      password text,
      access_token text,
      refresh_token text,
      id_token text,
      access_token_expires_at timestamptz(3),
      refresh_token_expires_at timestamptz(3),
      scope text,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      unique (provider_id, account_id)
    )`.execute(db);
  await sql`create index accounts_by_user on accounts (user_id)`.execute(db);
  await sql`
    create table verifications (
      id text primary key,
      identifier text not null,
      value text not null,
      expires_at timestamptz(3) not null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index verifications_by_identifier on verifications (identifier)`.execute(db);
  await sql`
    create table signing_keys (
      id text primary key,
      public_key text not null,
      private_key text not null,
      alg text,
      crv text,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3)
    )`.execute(db);
  // Secrets shared by all processes of the program.
  await sql`create table program_secrets (name text primary key, value text not null)`.execute(db);
}

async function mailedCodes(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mailed_codes (
      hash text primary key,
      purpose text not null check (purpose in ('sign-in', 'verify', 'reset')),
      email text not null,
      user_id text references users (id) on delete cascade,
      expires_at timestamptz(3) not null,
      used_at timestamptz(3),
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index mailed_codes_by_email on mailed_codes (email)`.execute(db);
  await sql`create index mailed_codes_by_end on mailed_codes (expires_at)`.execute(db);
  // Attempts by a subject (an email address or a client) in its current window.
  await sql`
    create table attempts (
      subject text primary key,
      count int4 not null,
      ends_at timestamptz(3) not null
    )`.execute(db);
  await sql`create index attempts_by_end on attempts (ends_at)`.execute(db);
}

async function invitations(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table invitations (
      id text primary key,
      org_id text not null references orgs (id) on delete cascade,
      email text not null check (email = lower(email)),
      invited_by text references users (id) on delete set null,
      created_at timestamptz(3) not null default now(),
      unique (org_id, email)
    )`.execute(db);
  await sql`create index invitations_by_email on invitations (email)`.execute(db);
}

async function forgotten(db: Kysely<unknown>): Promise<void> {
  await sql`alter table receipts alter column email drop not null`.execute(db);
  await sql`alter table pledges alter column email drop not null, alter column name drop not null`.execute(db);
  await sql`create index checkouts_by_user on checkouts (user_id) where user_id is not null`.execute(db);
  await sql`create index checkouts_by_email on checkouts (email) where email is not null`.execute(db);
  await sql`create index pledges_by_email on pledges (email) where email is not null`.execute(db);
  await sql`create index receipts_by_email on receipts (email) where email is not null`.execute(db);
}
