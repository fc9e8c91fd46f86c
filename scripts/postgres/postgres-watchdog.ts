import { spawn } from 'node:child_process';
import fs from 'node:fs';

// A separate process that runs a PostgreSQL server until stdin closes, which happens even when the tests are killed:
// a server started by them directly would live on.
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

// An immediate shutdown: the data is temporary.
const end = () => server.kill('SIGQUIT');
process.stdin.resume();
process.stdin.on('end', end);
process.stdin.on('error', end);
// Ctrl+C reaches the whole process group, but the server must outlive the tests.
process.on('SIGINT', () => {});
process.on('SIGTERM', end);
