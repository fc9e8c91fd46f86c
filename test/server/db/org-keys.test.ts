import { glob, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '#test/support/database.ts';

const RECORD = 'docs/decisions/0010-many-machines-one-postgresql.md';
const db = await testDatabase();

type Table = { readonly name: string; readonly hasOrg: boolean; readonly keyWithoutOrg: boolean };

/** Every table; whether it has an organization's id, and a primary or unique key or index without it. */
async function tables(): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select t.relname as name,
      exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'org_id' and not a.attisdropped)
        as "hasOrg",
      exists (select from pg_index i where i.indrelid = t.oid and i.indisunique and not exists (
        select from pg_attribute a where a.attrelid = t.oid and a.attname = 'org_id' and a.attnum = any(i.indkey)))
        as "keyWithoutOrg"
    from pg_class t join pg_namespace n on n.oid = t.relnamespace
    where n.nspname = 'public' and t.relkind = 'r' order by 1`.execute(db.kysely);
  return rows;
}

test('the record of what a distributed database would need names each table as it is', async () => {
  const record = await readFile(RECORD, 'utf8');
  const listed = (words: string) => {
    const list = record.slice(record.indexOf(words) + words.length).split('.', 1)[0] ?? '';
    return [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  };
  const all = await tables();
  const those = (isOne: (table: Table) => boolean) => all.filter(isOne).map(({ name }) => name);
  expect(listed('Ready, every key holds `org_id`:')).toEqual(those((each) => each.hasOrg && !each.keyWithoutOrg));
  expect(listed('The column is there, a key lacks it:')).toEqual(those((each) => each.hasOrg && each.keyWithoutOrg));
  const missing = listed('though each row belongs to an organization:');
  expect(missing.filter((name) => !those((each) => !each.hasOrg).includes(name ?? ''))).toEqual([]);
});

/** Each function or constant of a file, with its name. */
function declarationsIn(source: string): { readonly name: string; readonly text: string }[] {
  return source.split(/^(?=(?:export )?(?:async )?(?:function\*?|const) \w+)/m).flatMap((text) => {
    const name = /^(?:export )?(?:async )?(?:function\*?|const) (\w+)/.exec(text)?.[1];
    return name === undefined ? [] : [{ name, text }];
  });
}

test('the record names each query of an organization’s rows that does not ask by organization', async () => {
  const names = (await tables()).filter(({ hasOrg }) => hasOrg).map(({ name }) => name);
  const reached = new RegExp(
    String.raw`(?:\b(?:from|join|update|using)\s+|(?:selectFrom|updateTable|deleteFrom|innerJoin|leftJoin)\(')(?:${names.join('|')})\b`,
  );
  const found: { readonly name: string; readonly isByOrg: boolean }[] = [];
  for await (const file of glob('src/server/**/*.ts')) {
    for (const { name, text } of declarationsIn(await readFile(file, 'utf8')))
      if (reached.test(text)) found.push({ name, isByOrg: /\borg_id\b|\borgId\b/.test(text) });
  }
  const [, section = ''] = /### Queries without `org_id`\n([\s\S]+?)\n###/.exec(await readFile(RECORD, 'utf8')) ?? [];
  const listed = section.split('\n').filter((line) => /^(?:- | {2})/.test(line));
  const named = [...listed.join('\n').matchAll(/`(\w+)`/g)].map(([, name]) => name);
  const without = found.filter(({ isByOrg }) => !isByOrg).map(({ name }) => name);
  expect(new Set(named)).toEqual(new Set(without));
});
