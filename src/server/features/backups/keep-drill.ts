import { z } from 'zod';
import type { Database } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import { addDrill } from './backups.store.ts';

const LONGEST_PROBLEM = 1000;

/** What became of a drill. */
export const drill = z.object({
  /** As it was named, or where it is. */
  backup: z.string().max(2000),
  /** When it was begun; null where it could not be read. */
  backupAt: z.iso.datetime().nullable(),
  seconds: z.int().nonnegative(),
  /** What differed, or why it could not be restored; null: it succeeded. */
  problem: z
    .string()
    .transform((text) => text.slice(0, LONGEST_PROBLEM))
    .nullable(),
});

export type Drill = z.input<typeof drill>;

/** Records a drill in the database whose backup was restored. */
export function keepDrill({ kysely }: Database, done: Drill, now: Date): Promise<void> {
  const { backup, backupAt, seconds, problem } = drill.parse(done);
  return addDrill(kysely, {
    id: newId(),
    ended_at: now,
    seconds,
    backup,
    problem,
    backup_at: backupAt === null ? null : new Date(backupAt),
  });
}
