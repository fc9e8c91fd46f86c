import net from 'node:net';
import { text } from 'node:stream/consumers';
import type { Config } from '#server/config.ts';
import { FolderInUseError } from '#server/db/folder-lock.ts';
import { failureText } from '#server/failure-text.ts';
import { type Drill, keepDrill } from '#server/features/backups/keep-drill.ts';
import { drillSocket } from '#server/features/backups/open-backups.ts';
import { openExisting } from '#server/open-migrated.ts';
import { COMMAND_LOG } from './backup-lines.ts';

/** Keeps what became of a drill in the database of the settings. @returns why it could not be kept */
export async function keepResult(config: Config, drill: Drill): Promise<string | undefined> {
  try {
    const kept = await keepHere(config, drill).catch((error: unknown) => {
      // The program that has the folder keeps it.
      if (error instanceof FolderInUseError) return tellProgram(drillSocket(config.dataDir), drill);
      throw error;
    });
    return kept ? undefined : 'the database is of an earlier version.';
  } catch (error) {
    return failureText(error);
  }
}

async function keepHere(config: Config, drill: Drill): Promise<boolean> {
  const db = await openExisting(config, COMMAND_LOG);
  try {
    return await keepDrill(db, drill, new Date());
  } finally {
    await db.close();
  }
}

async function tellProgram(socket: string, drill: Drill): Promise<boolean> {
  const asking = net.connect(socket);
  asking.end(JSON.stringify(drill));
  const answer = await text(asking)
    .then((said): unknown => JSON.parse(said))
    .catch(() => undefined);
  if (typeof answer !== 'object' || answer === null || !('kept' in answer))
    throw new Error(`the program that runs does not take it at ${socket}. Start it with BACKUP_TO, or stop it first.`);
  return answer.kept === true;
}
