import fs from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { FileMigrationProvider, Migrator } from 'kysely/migration';
import { expect, test } from 'vitest';
import { migrate } from '#server/db/migrate.ts';
import { orgStats } from '#server/features/ledger/org-stats.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { asOwner } from '#test/support/as-owner.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addInvitation } from '#test/support/builders/invitation.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addUser } from '#test/support/builders/user.ts';
import { testDatabase } from '#test/support/database.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../migrations');
const db = await testDatabase();

/** What a treasurer would compare before and after. */
async function books(): Promise<unknown> {
  const { rows: entries } = await sql`
    select id, kind, fact, amount_cents, carbon, occurred_at from ledger_entries order by id`.execute(db.kysely);
  const { rows: receipts } = await sql`
    select number, ledger_entry_id, key, name, email, amount_cents, issued_at from receipts order by number`.execute(
    db.kysely,
  );
  const { rows: checkouts } = await sql`
    select id, cart, total_cents, payment_status, completed, email from checkouts order by id`.execute(db.kysely);
  const { rows: pledges } = await sql`select id, amount_cents, received_at from pledges order by id`.execute(db.kysely);
  return { entries, receipts, checkouts, pledges };
}

test('a database of an earlier version is upgraded with equal books, in which nothing differs', async () => {
  await sql`drop schema public cascade`.execute(db.kysely);
  await sql`create schema public`.execute(db.kysely);
  const provider = new FileMigrationProvider({ fs, path, migrationFolder: MIGRATIONS });
  const earlier = await new Migrator({ db: db.kysely, provider }).migrateTo('0010-consents');
  expect(earlier.error).toBeUndefined();
  const dump = await fs.readFile(path.join(import.meta.dirname, 'version-0010.sql'), 'utf8');
  await asOwner(db, async (tx) => {
    for (const row of dump.split(/;\n/).filter((statement) => statement.trim() !== '')) await sql.raw(row).execute(tx);
  });
  const loggedInAt = new Date('2026-01-05T10:00:00Z');
  await sql`insert into users (id, email) values ('long-ago', 'long-ago@example.org')`.execute(db.kysely);
  await sql`insert into sessions (id, user_id, token, expires_at, created_at)
    values ('long-ago', 'long-ago', 'hash', now(), ${loggedInAt})`.execute(db.kysely);
  const before = await books();
  expect((await migrate(db)).length).toBeGreaterThan(0);
  expect(await books()).toEqual(before);
  expect(await verifyLedger(db)).toEqual([]);
  expect(await orgStats(db, 'sample')).toMatchObject({ funds: 820.03, grants: 1 });
  const { rows: sessions } = await sql`select proven_at, ends_at from sessions where id = 'long-ago'`.execute(
    db.kysely,
  );
  expect(sessions).toEqual([{ proven_at: loggedInAt, ends_at: new Date('2026-04-05T10:00:00Z') }]);
  const { rows: payments } = await sql`select p.amount_cents from payments p
    join ledger_entries e on e.id = p.entry_id and e.kind = 'payment'`.execute(db.kysely);
  expect(payments).toHaveLength(5);
});

test('for the version before, a narrower role and an invitation to one do not exist, and an editor takes their place', async () => {
  const { kysely } = db;
  const [orgId, userId] = [await addOrg(db), await addUser(db, { email: 'nora@example.org' })];
  await addEditor(db, orgId, userId, { role: 'reader' });
  await addInvitation(db, orgId, { email: 'ivo@example.org', role: 'money' });
  // Its role in the database is granted nothing on tables that it does not know.
  const before = sql.id(`version_before_${orgId}`);
  await sql`create role ${before}`.execute(kysely);
  await sql`grant usage on schema public to ${before}`.execute(kysely);
  for (const table of ['org_editors', 'invitations', 'users'])
    await sql`grant select, insert, update, delete on ${sql.table(table)} to ${before}`.execute(kysely);
  await kysely.transaction().execute(async (tx) => {
    await sql`set local role ${before}`.execute(tx);
    const read = async (statement: ReturnType<typeof sql>) => (await statement.execute(tx)).rows;
    expect(
      await read(
        sql`select coalesce(jsonb_object_agg(org_id, role), '{}') as roles from org_editors where user_id = ${userId}`,
      ),
    ).toEqual([{ roles: {} }]);
    expect(await read(sql`select user_id from org_editors where org_id = ${orgId}`)).toEqual([]);
    expect(await read(sql`select * from invitations where org_id = ${orgId}`)).toEqual([]);
    await sql`insert into org_editors (org_id, user_id, display_name, role) values (${orgId}, ${userId}, 'Nora', 'editor')
      on conflict do nothing`.execute(tx);
    await sql`insert into invitations (id, org_id, email, role) values ('i', ${orgId}, 'ivo@example.org', 'editor')
      on conflict (org_id, email) do update set id = 'i', role = 'editor'`.execute(tx);
  });
  await sql`drop owned by ${before}`.execute(kysely);
  await sql`drop role ${before}`.execute(kysely);
  expect(await kysely.selectFrom('narrower_roles').selectAll().where('org_id', '=', orgId).execute()).toEqual([]);
  expect(await kysely.selectFrom('narrower_invitations').selectAll().where('org_id', '=', orgId).execute()).toEqual([]);

  // It keeps or removes an editor whom this version demoted: nothing is left of the demotion.
  const editor = kysely.updateTable('org_editors').where('org_id', '=', orgId).where('user_id', '=', userId);
  await editor.set({ leaves_at: new Date('2026-11-24T00:00:00Z'), becomes: 'reader' }).execute();
  await editor.set({ leaves_at: null }).execute();
  await editor.set({ leaves_at: new Date('2026-11-25T00:00:00Z') }).execute();
  const [left] = await kysely.selectFrom('org_editors').select('becomes').where('org_id', '=', orgId).execute();
  expect(left).toEqual({ becomes: null });
});
