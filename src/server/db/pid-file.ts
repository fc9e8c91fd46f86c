import fs from 'node:fs';

/** Paths that this very process holds: after a restart in a container the dead holder's pid may be our own. */
const held = new Set<string>();

/**
 * Takes a file that holds our pid, for systems without a lock that dies with the process. Answers the pid of the
 * living process that has it, or undefined when it is ours now. A pid that was given anew to an unrelated process
 * counts as living: a false refusal is told to a person, a false permission would lose data. Fails when the file is
 * not one of ours.
 */
export function takePidFile(path: string): number | undefined {
  const own = `${path}.${process.pid}`;
  fs.writeFileSync(own, String(process.pid));
  try {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      // A link comes into being with its content, and only one of two that try gets it.
      if (tryLink(own, path)) {
        held.add(path);
        return undefined;
      }
      const holder = readPid(path);
      if (holder !== undefined && isAlive(holder, path)) return holder;
      if (holder !== undefined) putAside(path, holder);
    }
    throw new Error(`The file ${path} cannot be taken. Delete it when no other process uses this folder.`);
  } finally {
    fs.rmSync(own, { force: true });
  }
}

export function leavePidFile(path: string): void {
  if (held.delete(path)) fs.rmSync(path, { force: true });
}

function tryLink(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function readPid(path: string): number | undefined {
  try {
    return Number.parseInt(fs.readFileSync(path, 'utf8'), 10);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number, path: string): boolean {
  if (pid === process.pid) return held.has(path);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // No right to signal it: it lives, as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Takes a dead process's file away; should another have taken the lock just now, its file is put back. */
function putAside(path: string, dead: number): void {
  const aside = `${path}.${dead}-gone-${process.pid}`;
  try {
    fs.renameSync(path, aside);
  } catch {
    return; // Another took it away at the same moment.
  }
  if (readPid(aside) !== dead) tryLink(aside, path);
  fs.rmSync(aside);
}
