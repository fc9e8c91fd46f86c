import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';

// A separate process that runs a PostgreSQL server until stdin closes, which happens even if the tests are killed. If
// the tests started the server directly, it would outlive them.
const [folder = '', postgres = '', uid, gid, mode, ...options] = process.argv.slice(2);
const user = uid ? { uid: Number(uid), gid: Number(gid) } : {};
const RESTART_MS = 50;

let isEnding = false;
let wasReady = false;
let server = startServer();

function startServer(): ChildProcess {
  const child = spawn(postgres, options, { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (text: string) => {
    fs.appendFileSync(`${folder}/server.log`, text);
    if (wasReady || !/ready to accept (?:read-only )?connections/.test(text)) return;
    wasReady = true;
    process.stdout.write('ready\n');
  });
  child.on('exit', (code) => {
    // After kill -9, PostgreSQL can't start until its last old process has ended.
    if (mode === 'restart' && wasReady && !isEnding) setTimeout(restart, RESTART_MS);
    else removeAndExit(code);
  });
  return child;
}

function restart(): void {
  if (isEnding) removeAndExit(0);
  else server = startServer();
}

function removeAndExit(code: number | null): void {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit(code ?? 1);
}

// An immediate shutdown: the data is temporary.
const shutDown = () => {
  isEnding = true;
  server.kill('SIGQUIT');
};
process.stdin.resume();
process.stdin.on('end', shutDown);
process.stdin.on('error', shutDown);
// Ctrl+C reaches the whole process group, but the server must outlive the tests.
process.on('SIGINT', () => {});
process.on('SIGTERM', shutDown);
