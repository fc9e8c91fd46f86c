import { spawn } from 'node:child_process';
import fs from 'node:fs';

// A program of its own: runs a PostgreSQL server for as long as its own standard input is open. That ends when the
// tests end it, and also when they are killed, for then a server started by them would live on.
const [folder = '', postgres = '', uid, gid, ...options] = process.argv.slice(2);
const user = uid ? { uid: Number(uid), gid: Number(gid) } : {};

const server = spawn(postgres, options, { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
server.stderr.setEncoding('utf8');
server.stderr.on('data', (text: string) => {
  fs.appendFileSync(`${folder}/server.log`, text);
  if (text.includes('ready to accept connections')) process.stdout.write('ready\n');
});
server.on('exit', (code) => {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit(code ?? 1);
});

// An immediate shutdown: nothing in it is worth keeping.
const end = () => server.kill('SIGQUIT');
process.stdin.resume();
process.stdin.on('end', end);
process.stdin.on('error', end);
// Ctrl-C reaches the whole group; the server must outlive the tests that still use it.
process.on('SIGINT', () => {});
process.on('SIGTERM', end);
