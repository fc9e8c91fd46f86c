import { readdir, readFile } from 'node:fs/promises';

/** Memory in MB (proportional set size, so pages shared by several processes count once). */
export type Memory = { readonly node: number; readonly postgres: number };

/** Memory of a process and its descendants: Node and PostgreSQL. Linux only. */
export async function readMemory(rootPid: number): Promise<Memory> {
  const processes = await listProcesses();
  const tree = new Set([rootPid]);
  // A child may have a lower process id than its parent, so repeat until no process is added.
  for (let size = 0; size < tree.size; ) {
    size = tree.size;
    for (const { pid, parent } of processes) if (tree.has(parent)) tree.add(pid);
  }
  const memory = { node: 0, postgres: 0 };
  for (const { pid, name } of processes)
    if (tree.has(pid)) memory[name === 'postgres' ? 'postgres' : 'node'] += await readMemoryMb(pid);
  return memory;
}

/** Finds the single child of a process. Linux only. */
export async function findChild(parentPid: number | undefined): Promise<number> {
  const child = (await listProcesses()).find(({ parent }) => parent === parentPid);
  if (child === undefined) throw new Error('The launcher didn’t start the server.');
  return child.pid;
}

async function listProcesses() {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const processes = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const [, name, parent] = /\((.*)\) \S (\d+)/.exec(stat) ?? [];
      return { pid, name, parent: Number(parent) };
    }),
  );
  return processes.filter(({ name }) => name !== undefined);
}

/** 0 for a process that has ended. */
async function readMemoryMb(pid: number): Promise<number> {
  const sizes = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(sizes)?.[1] ?? 0) / 1024;
}
