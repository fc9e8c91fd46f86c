import { writeFile } from 'node:fs/promises';
import { openDatabase } from '#server/db/connection.ts';
import { migrate } from '#server/db/migrate.ts';
import { startPostgresServer } from './postgres/start-postgres.ts';
import { generateTables, TABLES_FILE } from './tables/generate-tables.ts';

// npm run tables: generates the table types from the migrations.
const log = { info: () => {}, warn: console.warn, error: console.error };
const server = await startPostgresServer();
try {
  const db = await openDatabase({ databaseUrl: server.url, dataDir: '', log });
  try {
    await migrate(db);
    await writeFile(TABLES_FILE, await generateTables(db.kysely));
  } finally {
    await db.close();
  }
} finally {
  await server.stop();
}
console.log(`Wrote ${TABLES_FILE}.`);
