import { type Kysely, sql } from 'kysely';

/**
 * Roles that are parts of an editor's (decisions §4), and invitations to them. They have tables of their own, because the
 * previous version, still running, takes everyone in `org_editors` for an editor. A person has one role in an organization:
 * who becomes an editor loses the narrower one, whichever version says so.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table narrower_roles (
      org_id text not null references orgs (id) on delete cascade,
      user_id text not null references users (id) on delete cascade,
      display_name text not null,
      role text not null check (role <> 'editor'),
      created_at timestamptz(3) not null default now(),
      primary key (org_id, user_id)
    )`.execute(db);
  await sql`create index narrower_roles_by_user on narrower_roles (user_id)`.execute(db);
  await sql`
    create table narrower_invitations (
      id text primary key,
      org_id text not null references orgs (id) on delete cascade,
      email text not null check (email = lower(email)),
      invited_by text references users (id) on delete set null,
      role text not null check (role <> 'editor'),
      created_at timestamptz(3) not null default now(),
      unique (org_id, email)
    )`.execute(db);
  await sql`create index narrower_invitations_by_email on narrower_invitations (email)`.execute(db);
  await sql`create index narrower_invitations_by_inviter on narrower_invitations (invited_by)
    where invited_by is not null`.execute(db);
  await replaced(db, 'org_editors', 'narrower_roles', 'org_id = new.org_id and user_id = new.user_id');
  await replaced(db, 'invitations', 'narrower_invitations', 'org_id = new.org_id and email = new.email');
  await leftWithAccount(db);
  await demotions(db);
  await record(db);
}

/** What an editor gets takes the place of what is narrower. */
async function replaced(db: Kysely<unknown>, table: string, narrower: string, same: string): Promise<void> {
  const name = `replace_${narrower}`;
  await asOwner(db, name, `delete from ${narrower} where ${same}; return null;`);
  await sql`create trigger ${sql.id(name)} after insert on ${sql.table(table)}
    for each row execute function ${sql.id(name)}()`.execute(db);
}

/** As with other invitations, those of an address leave with the account that has proven it. */
async function leftWithAccount(db: Kysely<unknown>): Promise<void> {
  const name = 'drop_narrower_invitations';
  await asOwner(
    db,
    name,
    `if old.email_verified then delete from narrower_invitations where email = lower(old.email); end if; return null;`,
  );
  await sql`create trigger ${sql.id(name)} after delete on users
    for each row execute function ${sql.id(name)}()`.execute(db);
}

/** The role that a removed editor gets instead. The previous version knows nothing of it, and removes and keeps without. */
async function demotions(db: Kysely<unknown>): Promise<void> {
  await sql`alter table org_editors add column becomes text check (becomes <> 'editor')`.execute(db);
  const name = 'forget_becoming';
  await asOwner(
    db,
    name,
    `if new.leaves_at is distinct from old.leaves_at and new.becomes is not distinct from old.becomes
      then new.becomes := null; end if; return new;`,
  );
  await sql`create trigger ${sql.id(name)} before update of leaves_at on org_editors
    for each row execute function ${sql.id(name)}()`.execute(db);
}

/** In the record of activity; also who removes an editor, whose role ends only later. */
async function record(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger org_editors_record_activity on org_editors`.execute(db);
  for (const [table, columns] of Object.entries({
    org_editors: "'role', 'user_id', 'user_id', 'role', 'leaves_at', 'becomes'",
    narrower_roles: "'role', 'user_id', 'user_id', 'role'",
    narrower_invitations: "'invitation', '', 'id', 'email', 'role'",
  })) {
    await sql`create trigger ${sql.id(`${table}_record_activity`)}
      after ${sql.raw(table === 'narrower_invitations' ? 'insert or delete' : 'insert or update or delete')}
      on ${sql.table(table)} for each row execute function record_activity(${sql.raw(columns)})`.execute(db);
  }
}

/** A trigger's function with the rights of its owner, as the previous version's role may not touch the new tables. */
async function asOwner(db: Kysely<unknown>, name: string, statements: string): Promise<void> {
  await sql`create function ${sql.id(name)}() returns trigger language plpgsql security definer
    set search_path = pg_catalog, public, pg_temp as ${sql.raw(`$$ begin ${statements} end $$`)}`.execute(db);
}
