import { once } from 'node:events';
import fs from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { isDiskLow } from '#domain/health-checks.ts';
import { newId } from '#server/db/new-id.ts';
import { errorLabel, failing, ok, type SettingCheck, warning } from '#server/gateways/check.ts';

const MB = 1024 * 1024;
/** The embedded database stops if less than 32 MB is free (docs/running.md, When something is down). */
const MIN_FREE_MB = 256;
const MIN_OPEN_FILES = 4096;

/** Returns the name of the user that runs the program. In a container, the user may have only a number. */
export function getCurrentUserName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return `the user ${process.getuid?.()}`;
  }
}

/** Checks the free disk space of a folder or, if it doesn't exist yet, of its nearest existing parent. */
export async function checkDiskSpace(subject: string, folder: string): Promise<SettingCheck> {
  const { bavail, blocks, bsize } = await fs.statfs(await findExistingFolder(folder));
  return evaluateDiskSpace(subject, folder, { free: bavail * bsize, size: blocks * bsize });
}

/** @param disk bytes */
export function evaluateDiskSpace(
  subject: string,
  folder: string,
  disk: { readonly free: number; readonly size: number },
): SettingCheck {
  const megabytes = disk.free / MB;
  const freeText = megabytes >= 1024 ? `${Math.floor(megabytes / 1024)} GB` : `${Math.floor(megabytes)} MB`;
  if (megabytes < MIN_FREE_MB) return failing(subject, `only ${freeText} free in ${folder}. Free up space now.`);
  if (isDiskLow(disk.free, disk.size)) return warning(subject, `${freeText} free in ${folder}. Free up space soon.`);
  return ok(subject, `${freeText} free in ${folder}.`);
}

async function findExistingFolder(folder: string): Promise<string> {
  const parent = path.dirname(folder);
  const exists = await fs.stat(folder).then(
    () => true,
    () => false,
  );
  return exists || parent === folder ? folder : findExistingFolder(parent);
}

/**
 * Checks whether a folder is writable or can be created.
 * @param creationNote when a missing folder will be created, such as "will be created at the first start"
 */
export async function checkFolder(subject: string, folder: string, creationNote: string): Promise<SettingCheck> {
  const parent = await findExistingFolder(folder);
  const file = path.join(parent, `.checked-${newId()}`);
  try {
    await fs.writeFile(file, '', { flag: 'wx' });
    await fs.rm(file);
  } catch (error) {
    return failing(
      subject,
      `${getCurrentUserName()} can’t write to ${parent} (${errorLabel(error)}). Change its owner with chown.`,
    );
  }
  return ok(subject, parent === folder ? `${folder} is writable.` : `${folder} ${creationNote}.`);
}

/** Checks whether the program can listen at this address. Uses a random port, because its own may be in use. */
export async function checkHost(host: string): Promise<SettingCheck> {
  const probe = createServer();
  try {
    probe.listen({ host, port: 0 });
    await once(probe, 'listening');
    return ok('Address', `the program can listen at ${host} (HOST).`);
  } catch (error) {
    return failing(
      'Address',
      `HOST is ${host}, which is not an address of this machine (${errorLabel(error)}). Correct it.`,
    );
  } finally {
    probe.close();
  }
}

/** Checks how many files this process may open, if the operating system reports it. */
export async function checkOpenFiles(): Promise<SettingCheck[]> {
  const limits = await fs.readFile('/proc/self/limits', 'utf8').catch(() => '');
  const max = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
  return max > 0 ? [evaluateOpenFiles(max)] : [];
}

export function evaluateOpenFiles(max: number): SettingCheck {
  return max < MIN_OPEN_FILES
    ? warning(
        'Open files',
        `the limit of ${max} is low for many visitors. Set LimitNOFILE=65536, or “ulimit -n 65536”.`,
      )
    : ok('Open files', `the limit is ${max}.`);
}
