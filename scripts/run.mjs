// Installs missing dependencies, then runs one of our scripts on Node 24: `node scripts/run.mjs start.ts`.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { ensureInstalled, node24, root } from './install.mjs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node 20.19 or newer is required; this is ${process.versions.node}.`);
  process.exit(1);
}
const [script, ...args] = process.argv.slice(2);
ensureInstalled();
// Like deploy/fund for a release: a small nursery and a limited heap halve memory use, and code compiled by the
// previous start halves startup time.
const isServerProcess = script === 'start.ts';
const flags = isServerProcess ? ['--max-semi-space-size=4', '--max-old-space-size=512'] : [];
const settings = isServerProcess
  ? { MALLOC_ARENA_MAX: '2', NODE_COMPILE_CACHE: path.join(root, 'build/compiled'), NODE_COMPILE_CACHE_PORTABLE: '1' }
  : {};
// The IPC channel closes when this process ends, even after kill -9, so that the child also ends.
const child = spawn(node24, [...flags, path.join(root, 'scripts', script ?? ''), ...args], {
  cwd: root,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: {
    ...settings,
    ...process.env,
    PATH: `${path.join(root, 'node_modules', '.bin')}${path.delimiter}${process.env.PATH ?? ''}`,
  },
});
// npm exits on a signal without forwarding it, which changes the parent process.
const parent = process.ppid;
setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 500).unref();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1)));
