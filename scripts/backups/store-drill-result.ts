import type { Config } from '#server/config.ts';
import { openExisting } from '#server/db/open-migrated.ts';
import { type DrillResult, recordDrill } from '#server/features/backups/record-drill.ts';
import { formatFailure } from '#server/process/failure-text.ts';
import { COMMAND_LOG } from '../command-log.ts';

/** Stores the result of a drill in the fund's database. @returns the error message if it couldn't be stored */
export async function storeDrillResult(config: Config, result: DrillResult): Promise<string | undefined> {
  try {
    const db = await openExisting(config, COMMAND_LOG);
    try {
      await recordDrill(db, result, new Date());
    } finally {
      await db.close();
    }
    return undefined;
  } catch (error) {
    return formatFailure(error);
  }
}
