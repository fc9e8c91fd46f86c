import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { generateTables, TABLES_FILE } from '#scripts/tables/generate-tables.ts';
import { createTestDatabase } from '#test/support/database.ts';

const db = await createTestDatabase();

test('the table types match the schema (otherwise: npm run tables)', async () => {
  expect(await generateTables(db.kysely)).toBe(await readFile(TABLES_FILE, 'utf8'));
});
