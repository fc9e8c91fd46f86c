import { once } from 'node:events';
import fs from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { newId } from '#server/db/new-id.ts';
import { type Check, kindOf, ok, warning, wrong } from '#server/gateways/check.ts';

const MB = 1024 * 1024;
/** The embedded database needs 32 MB to go on (docs/operations.md, Health). */
const LOW_MB = 2048;
const FULL_MB = 256;
const FEW_FILES = 4096;

/** Whom the program runs as, for people to read: in a container its number may have no name. */
export function thisUser(): string {
  try {
    return os.userInfo().username;
  } catch {
    return `The user ${process.getuid?.()}`;
  }
}

/** Disk room of the folder, or of the first one above it that exists. */
export async function checkRoom(subject: string, folder: string): Promise<Check> {
  const { bavail, bsize } = await fs.statfs(await existing(folder));
  return roomCheck(subject, folder, (bavail * bsize) / MB);
}

export function roomCheck(subject: string, folder: string, megabytes: number): Check {
  const free = megabytes >= 1024 ? `${Math.floor(megabytes / 1024)} GB` : `${Math.floor(megabytes)} MB`;
  if (megabytes < FULL_MB) return wrong(subject, `only ${free} are free in ${folder}. Make room now.`);
  if (megabytes < LOW_MB) return warning(subject, `${free} are free in ${folder}. Make room soon.`);
  return ok(subject, `${free} are free in ${folder}.`);
}

async function existing(folder: string): Promise<string> {
  const parent = path.dirname(folder);
  const isThere = await fs.stat(folder).then(
    () => true,
    () => false,
  );
  return isThere || parent === folder ? folder : existing(parent);
}

/** Whether it can be written to, or made where it is missing. @param later when it is made, such as "will be made at the first start" */
export async function checkFolder(subject: string, folder: string, later: string): Promise<Check> {
  const within = await existing(folder);
  const file = path.join(within, `.checked-${newId()}`);
  try {
    await fs.writeFile(file, '', { flag: 'wx' });
    await fs.rm(file);
  } catch (error) {
    return wrong(subject, `${thisUser()} cannot write to ${within} (${kindOf(error)}). Make it theirs: chown.`);
  }
  return ok(subject, within === folder ? `${folder} can be written to.` : `${folder} ${later}.`);
}

/** Whether the program can listen at this address: at another port than its own, which it may have already. */
export async function checkHost(host: string): Promise<Check> {
  const probe = createServer();
  try {
    probe.listen({ host, port: 0 });
    await once(probe, 'listening');
    return ok('Address', `the program can listen at HOST, ${host}.`);
  } catch (error) {
    return wrong(
      'Address',
      `HOST is ${host}, an address that this machine does not have (${kindOf(error)}). Correct it.`,
    );
  } finally {
    probe.close();
  }
}

/** How many files this process may open; undefined where the system does not say. */
export async function checkOpenFiles(): Promise<Check[]> {
  const limits = await fs.readFile('/proc/self/limits', 'utf8').catch(() => '');
  const most = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
  return most > 0 ? [openFilesCheck(most)] : [];
}

export function openFilesCheck(most: number): Check {
  return most < FEW_FILES
    ? warning(
        'Open files',
        `${most} at most, which is few for many visitors. Set LimitNOFILE=65536, or “ulimit -n 65536”.`,
      )
    : ok('Open files', `${most} at most.`);
}
