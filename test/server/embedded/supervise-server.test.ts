// @spec decisions.9
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { superviseServer } from '#server/db/supervise-server.ts';

/** Starts a process in place of the server. */
function startProcess(script: string) {
  const process = spawn(globalThis.process.execPath, ['-e', script]);
  return { process, exitLines: once(process, 'close').then(() => ['the last line']) };
}

test('a failed restart of the database is logged with its reason and repeated', async () => {
  const entries: object[] = [];
  const record = (details: object, message: string) => void entries.push({ ...details, message });
  const failures = ['spawn /bin/sh EAGAIN'];
  const launch = async () => {
    const failure = failures.shift();
    if (failure !== undefined) throw new Error(failure);
    return startProcess('setInterval(() => {}, 1000)');
  };
  const supervisor = superviseServer(startProcess(''), launch, { info: record, warn: record, error: record });
  onTestFinished(() => supervisor.stop('SIGTERM'));
  await expect
    .poll(() => entries)
    .toEqual([
      { lines: ['the last line'], message: 'the embedded database stopped unexpectedly and is being restarted' },
      { lines: ['spawn /bin/sh EAGAIN'], message: 'the embedded database could not be restarted' },
      { message: 'the embedded database is running again' },
    ]);
});

test('a database that crashes after each restart is restarted with pauses, and its crashes are logged once', async () => {
  const messages: string[] = [];
  const record = (_details: object, message: string) => void messages.push(message);
  const launchTimes: number[] = [];
  const launch = async () => {
    launchTimes.push(performance.now());
    return startProcess(launchTimes.length < 3 ? '' : 'setInterval(() => {}, 1000)');
  };
  const supervisor = superviseServer(startProcess(''), launch, { info: record, warn: record, error: record });
  onTestFinished(() => supervisor.stop('SIGTERM'));
  await expect.poll(() => launchTimes).toHaveLength(3);
  const [first = 0, , third = 0] = launchTimes;
  expect(third - first).toBeGreaterThan(1900);
  expect(messages).toEqual([
    'the embedded database stopped unexpectedly and is being restarted',
    'the embedded database is running again',
  ]);
});
