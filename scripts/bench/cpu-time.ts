import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Database } from '#server/db/connection.ts';

/** Milliseconds of CPU time. Unlike wall-clock time, it is barely affected by other load. */
export type CpuTime = { readonly server: number; readonly postgres: number; readonly bench: number };

/** @returns `undefined` except on Linux */
export async function readCpuTime(pid: number, db: Database): Promise<CpuTime | undefined> {
  if (process.platform !== 'linux') return undefined;
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity where pid is not null`.execute(
    db.kysely,
  );
  const backends = await Promise.all(rows.map(({ pid }) => readCpuTicks(pid)));
  const postmaster = backends.find((backend) => backend !== undefined)?.parent;
  const postmasterStat = postmaster === undefined ? undefined : await readCpuTicks(postmaster);
  const { user, system } = process.cpuUsage();
  return {
    server: ((await readCpuTicks(pid))?.ownTicks ?? 0) * MS_PER_TICK,
    // The postmaster's time includes connections that have ended.
    postgres: [
      postmasterStat?.endedChildTicks,
      postmasterStat?.ownTicks,
      ...backends.map((backend) => backend?.ownTicks),
    ].reduce<number>((sum, ticks) => sum + (ticks ?? 0) * MS_PER_TICK, 0),
    bench: (user + system) / 1000,
  };
}

/** Milliseconds of CPU time that a process has used; 0 except on Linux. */
export async function readCpuTimeMs(pid: number): Promise<number> {
  return ((await readCpuTicks(pid))?.ownTicks ?? 0) * MS_PER_TICK;
}

const MS_PER_TICK = 10;

async function readCpuTicks(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // Skip the process name, which may contain spaces.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent = 0, user = 0, system = 0, childUser = 0, childSystem = 0] = [1, 11, 12, 13, 14].map(
    (index) => fields[index],
  );
  return { parent, ownTicks: user + system, endedChildTicks: childUser + childSystem };
}
