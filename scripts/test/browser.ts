import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * The browser that the tests drive, installed when there is none: Debian's where we may install packages, else
 * Playwright's own.
 * @returns its path, or nothing for the one that Playwright knows itself
 */
export function ensureBrowser(): string | undefined {
  const found = [process.env.CHROME_PATH, ...INSTALLED].find((file) => file && existsSync(file));
  if (found) return found;
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (!mayInstall) {
    execFileSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit' });
    return undefined;
  }
  console.log('Installing a browser for the tests.');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env });
  const packages = ['chromium', 'fonts-liberation'];
  execFileSync('apt-get', ['install', '-y', '-qq', ...packages], { stdio: ['ignore', 'ignore', 'inherit'], env });
  return '/usr/bin/chromium';
}
