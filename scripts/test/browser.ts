import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

/** Headless Chromium. Pages take a third of the CPU time of the full browser. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser for Playwright: `CHROME_PATH` or, without it, the lightest installed one or Playwright's own. */
export function playwrightBrowser(): { executablePath?: string } {
  const executablePath = process.env.CHROME_PATH ?? installedBrowser();
  return executablePath === undefined ? {} : { executablePath };
}

function installedBrowser(): string | undefined {
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
  const installedPath = installedBrowser();
  if (installedPath) return installedPath;
  if (await install('chromium')) return BROWSERS[0];
  if (await succeeds('npx', 'playwright', 'install', 'chromium')) return undefined;
  throw new Error('No browser could be installed for the journeys.');
}

/** @returns whether the package is installed now; only root on Debian can install it */
async function install(browser: string): Promise<boolean> {
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!mayInstall) return false;
  console.log(`Installing for the tests: ${browser}.`);
  return (
    (await succeeds('apt-get', 'update', '-qq')) &&
    (await succeeds('apt-get', 'install', '-y', '-qq', '--no-install-recommends', browser, 'fonts-liberation'))
  );
}

/** Runs a command without blocking the checks. @returns whether it succeeded */
async function succeeds(command: string, ...args: readonly string[]): Promise<boolean> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  const [status]: unknown[] = await once(child, 'exit');
  return status === 0;
}
