import { readConfig } from '#server/config.ts';
import { openAndMigrate } from '#server/db/open-migrated.ts';
import { parseCommand, printFailure } from './usage.ts';

// npm run migrate: migrates the database without starting the server.
parseCommand('migrate', {});
try {
  const log = { info: printLog, warn: printLog, error: printLog };
  const { db, migrations } = await openAndMigrate(readConfig(), log);
  await db.close();
  console.log(migrations.length === 0 ? 'The database is up to date.' : `Migrated: ${migrations.join(', ')}.`);
} catch (error) {
  printFailure(error);
}

function printLog(_details: object, message: string): void {
  console.error(message);
}
