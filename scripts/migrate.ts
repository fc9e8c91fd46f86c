import path from 'node:path';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/connection.ts';
import { migrate } from '#server/db/migrate.ts';

// npm run migrate: brings the database forward without starting the program, for instance before a new version starts.
const { databaseUrl, dataDir } = readConfig();
const database = await openDatabase({
  databaseUrl,
  dataDir: path.join(dataDir, 'db'),
  log: { info: say, warn: say, error: say },
});
try {
  const names = await migrate(database);
  console.log(names.length === 0 ? 'The database is up to date.' : `Migrated: ${names.join(', ')}.`);
} finally {
  await database.close();
}

function say(_details: object, message: string): void {
  console.error(message);
}
