import { type Kysely, sql } from 'kysely';

/**
 * The tree of gifts (docs/proof.md): which entries are in it in which order, its larger nodes, and the signed head of each
 * day. None is changed or deleted. Entries of before get their leaves from the job that makes heads.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table proof_entries (
      org_id text not null references orgs (id),
      live boolean not null,
      -- Its place in the tree's order: its group has the leaves of all its entries, eight of each.
      ordinal int8 not null check (ordinal >= 0),
      entry_id text not null references ledger_entries (id),
      -- As they were when the leaf was made: the organization's time zone may change.
      date text not null,
      receipt text not null,
      group_first int8 not null,
      group_size int not null,
      primary key (org_id, live, ordinal),
      unique (org_id, entry_id, live)
    )`.execute(db);
  await sql`
    create table proof_nodes (
      org_id text not null references orgs (id),
      live boolean not null,
      start int8 not null,
      size int8 not null,
      cents_in int8 not null,
      cents_out int8 not null,
      pounds_in int8 not null,
      pounds_out int8 not null,
      hash bytea not null,
      primary key (org_id, live, start, size)
    )`.execute(db);
  await sql`
    create table proof_heads (
      org_id text not null references orgs (id),
      live boolean not null,
      day text not null,
      zone text not null,
      size int8 not null,
      cents_in int8 not null,
      cents_out int8 not null,
      pounds_in int8 not null,
      pounds_out int8 not null,
      root bytea not null,
      previous bytea not null,
      key bytea not null,
      signature bytea not null,
      hash bytea not null,
      created_at timestamptz(3) not null default now(),
      primary key (org_id, live, day)
    )`.execute(db);
  for (const table of ['proof_entries', 'proof_nodes', 'proof_heads']) {
    await sql`create trigger ${sql.ref(`${table}_stay`)} before update or delete on ${sql.table(table)}
      for each row execute function refuse_ledger_change()`.execute(db);
    await sql`create trigger ${sql.ref(`${table}_stay_all`)} before truncate on ${sql.table(table)}
      for each statement execute function refuse_ledger_change()`.execute(db);
  }
}
