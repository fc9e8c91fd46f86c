import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Chromium without a window of any kind: a page of it takes a third of the work that the whole browser takes. */
const SHELL = '/usr/bin/chromium-headless-shell';
const WHOLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * The browser to drive, as Playwright takes it: the one that `CHROME_PATH` names, else the lightest that is installed,
 * else the one that Playwright knows itself.
 */
export function browserToDrive(): { executablePath?: string } {
  const executablePath = process.env.CHROME_PATH ?? installedBrowser();
  return executablePath === undefined ? {} : { executablePath };
}

function installedBrowser(): string | undefined {
  return [SHELL, ...WHOLE].find((file) => existsSync(file));
}

/**
 * The browser that the tests drive, installed when it is not there: Debian's where we may install packages, else
 * Playwright's own.
 * @returns its path, or nothing for the one that Playwright knows itself
 */
export function ensureBrowser(): string | undefined {
  const named = process.env.CHROME_PATH;
  if (named && existsSync(named)) return named;
  if (existsSync(SHELL) || install('chromium-headless-shell', 'fonts-liberation')) return SHELL;
  const found = installedBrowser();
  if (found) return found;
  if (install('chromium', 'fonts-liberation')) return WHOLE[0];
  execFileSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit' });
  return undefined;
}

/** Whether these packages are there now. Only root may add some, and not every system has them. */
function install(...packages: readonly string[]): boolean {
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (!mayInstall) return false;
  console.log(`Installing for the tests: ${packages.join(', ')}.`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const run = (...args: readonly string[]) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0;
  return run('update', '-qq') && run('install', '-y', '-qq', '--no-install-recommends', ...packages);
}
