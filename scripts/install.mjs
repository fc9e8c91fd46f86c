// Plain JavaScript without dependencies, since this runs before anything is installed, on the machine's own Node.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const stampFile = path.join(root, 'node_modules', '.installed-from');

/** Node 24 from npm's `node` package, independent of the machine's own Node. */
export const node24 = path.join(
  root,
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);

/** Installs the lock file's packages, unless they are already installed. */
export function ensureInstalled() {
  const lockHash = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
  const installed = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
  if (installed === lockHash && existsSync(node24)) return;
  console.log('Installing dependencies. This takes a minute the first time.');
  const npm = process.env.npm_execpath;
  const [command, ...args] = npm ? [process.execPath, npm, 'ci'] : ['npm', 'ci'];
  const { status } = spawnSync(command, [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: !npm && process.platform === 'win32',
    // NODE_ENV=production would skip the build tools.
    env: { ...process.env, NODE_ENV: 'development' },
  });
  if (status !== 0) {
    console.error('npm ci failed. See above.');
    process.exit(status ?? 1);
  }
  writeFileSync(stampFile, lockHash);
}
