import path from 'node:path';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/connection.ts';
import { migrate } from '#server/db/migrate.ts';

// npm run migrate: migrates the database without starting the program.
try {
  const names = await migrateConfigured();
  console.log(names.length === 0 ? 'The database is up to date.' : `Migrated: ${names.join(', ')}.`);
} catch (error) {
  console.error(error instanceof Error ? errorText(error) : error);
  process.exitCode = 1;
}

async function migrateConfigured(): Promise<string[]> {
  const { databaseUrl, dataDir } = readConfig();
  const log = { info: printLog, warn: printLog, error: printLog };
  const database = await openDatabase({ databaseUrl, dataDir: path.join(dataDir, 'db'), log });
  try {
    return await migrate(database);
  } finally {
    await database.close();
  }
}

function printLog(_details: object, message: string): void {
  console.error(message);
}

function errorText(error: Error): string {
  return error.cause instanceof Error ? `${error.message} ${error.cause.message}` : error.message;
}
