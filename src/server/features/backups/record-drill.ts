import { z } from 'zod';
import type { Database } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import { insertDrill } from './backups.store.ts';

const MAX_PROBLEM_LENGTH = 1000;

/** Result of a restore drill. */
const drillResultSchema = z.object({
  /** The name or address of the backup. */
  backup: z.string().max(2000),
  /** When the backup was started; null if the backup couldn't be read. */
  backupAt: z.iso.datetime().nullable(),
  seconds: z.int().nonnegative(),
  /** The differences, or why the backup couldn't be restored; null if the drill succeeded. */
  problem: z
    .string()
    .transform((text) => text.slice(0, MAX_PROBLEM_LENGTH))
    .nullable(),
});

export type DrillResult = z.input<typeof drillResultSchema>;

/** Records a restore drill in the database that the backup came from. */
export function recordDrill({ kysely }: Database, result: DrillResult, now: Date): Promise<void> {
  const { backup, backupAt, seconds, problem } = drillResultSchema.parse(result);
  return insertDrill(kysely, {
    id: newId(),
    ended_at: now,
    seconds,
    backup,
    problem,
    backup_at: backupAt === null ? null : new Date(backupAt),
  });
}
