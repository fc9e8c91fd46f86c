import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Database } from '#server/db/connection.ts';

/** Milliseconds of processor time so far. Unlike seconds, they hardly depend on what else the machine does. */
export type ProcessorTime = { readonly program: number; readonly postgres: number; readonly bench: number };

/** Only on Linux. */
export async function processorTime(pid: number, db: Database): Promise<ProcessorTime | undefined> {
  if (process.platform !== 'linux') return undefined;
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity where pid is not null`.execute(
    db.kysely,
  );
  const backends = await Promise.all(rows.map(({ pid }) => ticksOf(pid)));
  const postmaster = backends.find((backend) => backend !== undefined)?.parent;
  const main = postmaster === undefined ? undefined : await ticksOf(postmaster);
  const { user, system } = process.cpuUsage();
  return {
    program: ((await ticksOf(pid))?.own ?? 0) * MS_OF_A_TICK,
    // Connections that have ended are in the time of the server's first process.
    postgres: [main?.ended, main?.own, ...backends.map((backend) => backend?.own)].reduce<number>(
      (sum, ticks) => sum + (ticks ?? 0) * MS_OF_A_TICK,
      0,
    ),
    bench: (user + system) / 1000,
  };
}

/** Milliseconds of processor time of a process so far; 0 elsewhere than on Linux. */
export async function workedMs(pid: number): Promise<number> {
  return ((await ticksOf(pid))?.own ?? 0) * MS_OF_A_TICK;
}

const MS_OF_A_TICK = 10;

async function ticksOf(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // After the name, which may have spaces.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
    (at) => fields[at],
  );
  return { parent, own: user + system, ended: endedUser + endedSystem };
}
