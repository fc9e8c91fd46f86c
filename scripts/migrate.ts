import path from 'node:path';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/connection.ts';
import { migrate } from '#server/db/migrate.ts';

// npm run migrate: brings the database forward without starting the program, for instance before a new version starts.
try {
  const names = await migrateConfigured();
  console.log(names.length === 0 ? 'The database is up to date.' : `Migrated: ${names.join(', ')}.`);
} catch (error) {
  console.error(error instanceof Error ? sentences(error) : error);
  process.exitCode = 1;
}

async function migrateConfigured(): Promise<string[]> {
  const { databaseUrl, dataDir } = readConfig();
  const log = { info: say, warn: say, error: say };
  const database = await openDatabase({ databaseUrl, dataDir: path.join(dataDir, 'db'), log });
  try {
    return await migrate(database);
  } finally {
    await database.close();
  }
}

function say(_details: object, message: string): void {
  console.error(message);
}

function sentences(error: Error): string {
  return error.cause instanceof Error ? `${error.message} ${error.cause.message}` : error.message;
}
