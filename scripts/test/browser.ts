import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

/** Headless Chromium. Pages take a third of the CPU time of the full browser. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser for Playwright: `CHROME_PATH`, or if unset, the lightest installed one or Playwright's own. */
export function getPlaywrightBrowser(): { executablePath?: string } {
  const executablePath = process.env.CHROME_PATH ?? findInstalledBrowser();
  return executablePath === undefined ? {} : { executablePath };
}

function findInstalledBrowser(): string | undefined {
  return [HEADLESS_SHELL, ...BROWSERS].find((file) => existsSync(file));
}

/**
 * Installs a browser for the tests if none is installed: Debian's if run by root, otherwise Playwright's own.
 * @returns its path, undefined for Playwright's own
 */
export async function ensureBrowser(): Promise<string | undefined> {
  const configuredPath = process.env.CHROME_PATH;
  if (configuredPath && existsSync(configuredPath)) return configuredPath;
  if (existsSync(HEADLESS_SHELL) || (await install('chromium-headless-shell'))) return HEADLESS_SHELL;
  const installedPath = findInstalledBrowser();
  if (installedPath) return installedPath;
  if (await install('chromium')) return BROWSERS[0];
  if (await tryRun('npx', 'playwright', 'install', 'chromium')) return undefined;
  throw new Error('Couldn’t install a browser for the journeys.');
}

/** @returns whether the package is installed now; only root on Debian can install it */
async function install(browser: string): Promise<boolean> {
  const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!canInstall) return false;
  console.log(`Installing for the tests: ${browser}.`);
  return (
    (await tryRun('apt-get', 'update', '-qq')) &&
    (await tryRun('apt-get', 'install', '-y', '-qq', '--no-install-recommends', browser, 'fonts-liberation'))
  );
}

/** Runs a command without blocking the checks. @returns whether it succeeded */
async function tryRun(command: string, ...args: readonly string[]): Promise<boolean> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  const [status]: unknown[] = await once(child, 'exit');
  return status === 0;
}
