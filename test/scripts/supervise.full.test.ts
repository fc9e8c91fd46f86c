import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { spawnServer, supervise } from '#scripts/supervise.ts';
import { ConfigError, getExitStatus } from '#server/config.ts';

/** Supervises servers that run the given exit scripts in order; the last script repeats. */
async function superviseServers(exitScripts: readonly string[], uptimes: readonly number[] = []) {
  let startCount = 0;
  let time = 0;
  const pauses: number[] = [];
  const outputLines: string[] = [];
  const start = () => {
    const exitScript = exitScripts[Math.min(startCount, exitScripts.length - 1)] ?? '';
    time += uptimes[startCount] ?? 0;
    startCount += 1;
    return spawn(process.execPath, ['-e', exitScript], { stdio: 'ignore' });
  };
  const now = () => time;
  const pause = async (milliseconds: number) => void pauses.push(milliseconds / 1000);
  const status = await supervise(start, (line) => outputLines.push(line), { now, pause });
  return { status, starts: startCount, pauses, said: outputLines };
}

const CRASH_SCRIPT = 'process.exit(3)';
const KILL_SCRIPT = 'process.kill(process.pid, "SIGKILL")';

test.each([
  ['process.exit(0)', 0],
  ['process.exit(78)', 78],
])('a server that exits with %s isn’t restarted', async (exitScript, status) => {
  expect(await superviseServers([exitScript])).toEqual({ status, starts: 1, pauses: [], said: [] });
});

test('invalid settings have their own exit status; every other error exits with 1', () => {
  expect([getExitStatus(new ConfigError('PORT')), getExitStatus(new Error('disk'))]).toEqual([78, 1]);
});

test('a crashed or killed server is restarted with increasing delays', async () => {
  const {
    status,
    starts,
    pauses,
    said: output,
  } = await superviseServers([CRASH_SCRIPT, KILL_SCRIPT, CRASH_SCRIPT, 'process.exit(0)']);
  expect([status, starts, pauses]).toEqual([0, 4, [1, 2, 4]]);
  expect(output[1]).toBe('The server exited (SIGKILL). Restarting in 2 s.');
});

test('repeated crashes make the supervisor give up', async () => {
  const { status, starts, pauses, said: output } = await superviseServers([CRASH_SCRIPT]);
  expect([status, starts, pauses]).toEqual([1, 13, [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60]]);
  expect(output.at(-1)).toBe("The server exited again (3) and won't be restarted.");
});

test('a crash after ten minutes of uptime resets the backoff', async () => {
  const { pauses } = await superviseServers(
    [CRASH_SCRIPT, CRASH_SCRIPT, CRASH_SCRIPT, 'process.exit(0)'],
    [0, 0, 600_000],
  );
  expect(pauses).toEqual([1, 2, 1]);
});

/** Runs the supervisor as a process: it starts a server that prints a line and exits gracefully with 7. */
function startSupervisor() {
  const server =
    "process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000); console.log('up', process.pid)";
  const program = `import { spawn } from 'node:child_process';
    import { supervise } from './scripts/supervise.ts';
    const start = () => spawn(process.execPath, ['-e', ${JSON.stringify(server)}], { stdio: ['ignore', 'inherit', 'inherit'] });
    process.exit(await supervise(start, console.error));`;
  return spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s shuts down the server gracefully and then the supervisor',
  async (signal) => {
    const child = startSupervisor();
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    expect(line.toString()).toMatch(/^up \d+/);
    child.kill(signal);
    const [status] = (await once(child, 'exit')) as [number | null];
    expect(status).toBe(7);
  },
);

test('a signal shuts down the server gracefully without a restart', async () => {
  const server = "process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000); console.log('up')";
  const child = spawn(process.execPath, ['-e', server], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const supervision = supervise(
    () => child,
    (line) => expect.fail(line),
  );
  await once(child.stdout, 'data');
  // Emits the signal only to this process's own listeners.
  process.emit('SIGHUP', 'SIGHUP');
  expect(await supervision).toBe(7);
});

test('startServer opens an IPC channel to the server', async () => {
  const child = spawnServer('test/scripts/announcement.test.ts');
  expect(child.channel).toBeTruthy();
  child.kill('SIGKILL');
  await once(child, 'exit');
});
