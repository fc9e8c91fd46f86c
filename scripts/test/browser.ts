import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Headless Chromium: a page takes a third of the work that it takes in the whole browser. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser for Playwright: the one in `CHROME_PATH`, else the lightest installed one, else Playwright's own. */
export function browserToDrive(): { executablePath?: string } {
  const executablePath = process.env.CHROME_PATH ?? installedBrowser();
  return executablePath === undefined ? {} : { executablePath };
}

function installedBrowser(): string | undefined {
  return [HEADLESS_SHELL, ...BROWSERS].find((file) => existsSync(file));
}

/**
 * Installs a browser for the tests if there is none: Debian's as root, else Playwright's own.
 * @returns its path, undefined for Playwright's own
 */
export function ensureBrowser(): string | undefined {
  const named = process.env.CHROME_PATH;
  if (named && existsSync(named)) return named;
  if (existsSync(HEADLESS_SHELL) || install('chromium-headless-shell', 'fonts-liberation')) return HEADLESS_SHELL;
  const found = installedBrowser();
  if (found) return found;
  if (install('chromium', 'fonts-liberation')) return BROWSERS[0];
  execFileSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit' });
  return undefined;
}

/** @returns whether the packages are installed now: only root on a Debian system can install them */
function install(...packages: readonly string[]): boolean {
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (!mayInstall) return false;
  console.log(`Installing for the tests: ${packages.join(', ')}.`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const run = (...args: readonly string[]) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0;
  return run('update', '-qq') && run('install', '-y', '-qq', '--no-install-recommends', ...packages);
}
