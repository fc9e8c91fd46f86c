import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readlink, realpath, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** An installation with systemd, as `./install` describes it. */
export type Installation = {
  /** Link to the running release. */
  readonly link: string;
  /** URL of the server on this machine. */
  readonly address: string;
  /** Time limit for a release to become ready. */
  readonly timeoutMs: number;
  /** Time for proxies to notice that a release is ready, before a script upgrades the next machine. */
  readonly settleMs: number;
};

const SERVICE = 'city-climate-fund';
const POLL_MS = 250;

/** Runs a release's command, which changes from root to the owner of the settings (scripts/fund.mjs). */
export async function runCommand(release: string, ...args: readonly string[]): Promise<void> {
  const child = spawn(path.join(release, 'fund'), args, { stdio: 'inherit' });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`“fund ${args.join(' ')}” failed. The running program was not changed.`);
}

/** @throws Error with a message for the operator if no release runs through the link */
export async function findCurrentRelease({ link }: Installation): Promise<string> {
  const linkTarget = await readlink(link).catch(() => undefined);
  if (linkTarget === undefined)
    throw new Error(`${link} is not a link to a release. To use another link, add --program.`);
  return realpath(link);
}

/**
 * Finds the release to go back to.
 * @returns undefined if there is none, for example because the last upgrade was undone, failed, or never switched
 */
export async function findPreviousRelease(installation: Installation): Promise<string | undefined> {
  const previousRelease = await realpath(toPreviousLink(installation.link)).catch(() => undefined);
  return previousRelease === (await findCurrentRelease(installation)) ? undefined : previousRelease;
}

export async function setPreviousRelease({ link }: Installation, release: string | undefined): Promise<void> {
  if (release === undefined) await rm(toPreviousLink(link), { force: true });
  else await setLink(toPreviousLink(link), release);
}

/**
 * Starts a release in place of the current one. If it doesn't become ready, the current one is started again.
 * @throws Error with a message for the operator
 */
export async function startRelease(installation: Installation, release: string): Promise<void> {
  const currentRelease = await findCurrentRelease(installation);
  if (await startAndWait(installation, release)) {
    await pause(installation.settleMs);
    return;
  }
  const isRestored = await startAndWait(installation, currentRelease);
  const state = isRestored
    ? 'The previous version is running again.'
    : 'The previous version didn’t become ready either.';
  throw new Error(`${release} did not become ready. ${state} For the reason, see the log: journalctl -u ${SERVICE}`);
}

async function startAndWait({ link, address, timeoutMs }: Installation, release: string): Promise<boolean> {
  await setLink(link, release);
  const isRestarted = await promisify(execFile)('systemctl', ['restart', SERVICE]).then(
    () => true,
    () => false,
  );
  if (!isRestarted) return false;
  const end = performance.now() + timeoutMs;
  while (performance.now() < end) {
    const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return true;
    await pause(POLL_MS);
  }
  return false;
}

function toPreviousLink(link: string): string {
  return `${link}-previous`;
}

/** Replaces a link atomically, so that it always exists. */
async function setLink(link: string, target: string): Promise<void> {
  const newLink = `${link}.new`;
  await rm(newLink, { force: true });
  await symlink(target, newLink);
  await rename(newLink, link);
}
