import path from 'node:path';
import { databaseName, readConfig } from '#server/config.ts';
import { markMoved } from '#server/db/embedded.ts';
import { recordsOf } from '#server/features/backups/make-backup.ts';
import { fillDatabase } from '#server/features/backups/restore-backup.ts';
import { folderFiles } from '#server/gateways/pictures/picture-files.ts';
import { openExisting } from '#server/open-migrated.ts';
import { COMMAND_LOG, filledLines } from './backups/backup-lines.ts';
import { printFailure, typed, usageOf } from './usage.ts';

// npm run move: docs/operations.md, "From the embedded database to a server".
try {
  const { values } = typed('move', { options: { to: { type: 'string' } } });
  if (values.to === undefined || !/^postgres(?:ql)?:\/\//.test(values.to)) throw new Error(usageOf('move'));
  const config = readConfig();
  if (config.databaseUrl !== undefined) throw new Error('DATABASE_URL is set: the fund is on a server already.');
  const { dataDir } = config;
  const target = { databaseUrl: values.to, migrateDatabaseUrl: undefined, dataDir, namedBy: '--to' };
  const db = await openExisting(config, COMMAND_LOG);
  try {
    const records = recordsOf({ db, pictures: undefined, now: () => new Date() });
    // It copies no picture: they stay where they are.
    const pictures = folderFiles(path.join(config.dataDir, 'pictures'));
    const filled = await fillDatabase(target, records, { pictures, log: COMMAND_LOG });
    for (const line of filledLines(filled)) console.log(line);
    if (filled.differences.length > 0) throw new Error('The old database stays in use: look at the differences first.');
    await markMoved(path.join(config.dataDir, 'db'), databaseName(target), new Date());
    console.log(`Moved to: ${databaseName(target)}. The old database stays where it is, and is not opened any more.`);
    console.log('Now set DATABASE_URL to the new one, take DATABASE=embedded away, and start the program.');
    console.log('Pictures stay in DATA_DIR, which the program keeps using.');
  } finally {
    await db.close();
  }
} catch (error) {
  printFailure(error);
}
