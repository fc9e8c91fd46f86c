import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import fs from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { makeArchive } from '#scripts/release/make-archive.ts';
import { createScratchFolder } from '#scripts/scratch-folder.ts';

// Slow because each command starts a process.

const scratch = await createScratchFolder('upgrade');
const [programs, settings, tools, log] = ['opt', 'srv', 'bin', 'log'].map((name) => path.join(scratch, name)) as [
  string,
  string,
  string,
  string,
];
const link = path.join(programs, 'city-climate-fund');

let lastCheckAt = 0;
/** The program's health check: ready unless the running release is broken. */
const server = createServer((_request, response) => {
  lastCheckAt = performance.now();
  response.writeHead(realpathSync(link).includes('broken') ? 503 : 200).end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(async () => {
  server.close();
  await fs.rm(scratch, { recursive: true, force: true });
});

/** Adds a release whose commands are written to the log. */
async function addRelease(name: string, parent = programs): Promise<string> {
  const folder = path.join(parent, name);
  await fs.mkdir(folder, { recursive: true });
  await writeScript(path.join(folder, 'fund'), `echo "${name}: $*" >> ${log}; [ "${name} $*" != "locked migrate" ]`);
  await fs.writeFile(path.join(folder, 'package.json'), JSON.stringify({ version: name, commit: '' }));
  return folder;
}

async function writeScript(file: string, line: string): Promise<void> {
  await fs.writeFile(file, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
}

beforeEach(async () => {
  await fs.rm(scratch, { recursive: true, force: true });
  for (const folder of [programs, settings, tools]) await fs.mkdir(folder, { recursive: true });
  const { port } = server.address() as AddressInfo;
  await fs.writeFile(path.join(settings, '.env'), `HOST='127.0.0.1'\nPORT='${port}'\nBACKUP_TO='backups'\n`);
  await writeScript(path.join(tools, 'systemctl'), `echo "systemctl $*: $(basename "$(readlink ${link})")" >> ${log}`);
  await fs.symlink(await addRelease('1.0.0'), link);
});

/** Runs `fund upgrade …` in the settings folder. */
function upgrade(...args: readonly string[]) {
  return upgradeAs({}, ...args);
}

async function upgradeAs(options: { uid?: number; gid?: number; signal?: AbortSignal }, ...args: readonly string[]) {
  const command = [path.resolve('scripts/upgrade.ts'), '--program', link, '--wait', '1', '--settle', '0.3', ...args];
  const env = { PATH: `${tools}:${process.env.PATH}`, NODE_COMPILE_CACHE: path.resolve('build/test-compiled') };
  return new Promise<{ status: number; output: string }>((resolve) => {
    execFile(process.execPath, command, { cwd: settings, env, ...options }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

/** Runs an upgrade, and interrupts it once the link points to a release. */
async function interruptAt(release: string, ...args: readonly string[]): Promise<void> {
  const interruption = new AbortController();
  const result = upgradeAs({ signal: interruption.signal }, ...args, '--settle', '60');
  await expect.poll(readRunningRelease).toBe(release);
  interruption.abort();
  await result;
}

const readLog = async () => (await fs.readFile(log, 'utf8').catch(() => '')).trim().split('\n');
const readRunningRelease = async () => path.basename(await fs.realpath(link));

test('an upgrade backs up, migrates, switches, and restarts; --back returns to the previous release once', async () => {
  const archive = await makeArchive(await addRelease('1.1.0', path.join(scratch, 'built')), scratch);
  expect(await upgrade(archive)).toMatchObject({ status: 0, output: expect.stringContaining('fund upgrade --back') });
  // Another machine's upgrade may start as soon as this one ends, so proxies must know that the release is ready.
  expect(performance.now() - lastCheckAt).toBeGreaterThan(300);
  const next = 'city-climate-fund-1.1.0';
  expect(await readLog()).toEqual(['1.0.0: backup', '1.1.0: migrate', `systemctl restart city-climate-fund: ${next}`]);
  expect([await readRunningRelease(), (await fs.readdir(programs)).toSorted()]).toEqual([
    next,
    ['1.0.0', 'city-climate-fund', next, 'city-climate-fund-previous'],
  ]);
  expect((await upgrade(archive)).output).toContain('is already running');

  expect(await upgrade('--back')).toMatchObject({ status: 0, output: expect.stringContaining('is running again') });
  expect((await readLog()).slice(3)).toEqual(['systemctl restart city-climate-fund: 1.0.0']);
  expect(await upgrade('--back')).toMatchObject({
    status: 1,
    output: expect.stringContaining('There is no release to go back to'),
  });
});

test('a release that doesn’t become ready is replaced by the previous one', async () => {
  const { status, output } = await upgrade(await addRelease('broken'));
  expect([status, output]).toEqual([1, expect.stringContaining('The previous version is running again.')]);
  expect((await readLog()).slice(2)).toEqual([
    'systemctl restart city-climate-fund: broken',
    'systemctl restart city-climate-fund: 1.0.0',
  ]);
  expect(await readRunningRelease()).toBe('1.0.0');
});

test('after a failed or interrupted upgrade, --back never starts a release two back', async () => {
  await upgrade(await addRelease('1.1.0'));
  await upgrade(await addRelease('broken'));
  // The schema is already migrated for the broken release.
  expect((await upgrade('--back')).output).toContain('There is no release to go back to');

  await interruptAt('1.2.0', await addRelease('1.2.0'));
  await interruptAt('1.1.0', '--back');
  expect((await upgrade('--back')).output).toContain('There is no release to go back to');
  expect(await readRunningRelease()).toBe('1.1.0');
});

test('a failed migration and a damaged archive leave the program unchanged', async () => {
  expect(await upgrade(await addRelease('locked'))).toMatchObject({
    status: 1,
    output: expect.stringContaining('The running program was not changed.'),
  });
  const archive = await makeArchive(await addRelease('1.1.0', path.join(scratch, 'built')), scratch);
  await fs.appendFile(archive, 'x');
  expect((await upgrade(archive)).output).toContain('is damaged');
  await fs.rm(`${archive}.sha256`);
  expect((await upgrade(archive)).output).toContain('Download the checksum to the same folder as the archive.');
  expect([await readRunningRelease(), (await readLog()).some((line) => line.startsWith('systemctl'))]).toEqual([
    '1.0.0',
    false,
  ]);
});

test('without root’s permissions, nothing starts', async () => {
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  for (const folder of [scratch, settings]) await fs.chmod(folder, 0o755);
  const archive = await makeArchive(await addRelease('1.1.0', path.join(scratch, 'built')), scratch);
  await fs.chmod(programs, 0o555);
  for (const release of [archive, '--back'])
    expect(await upgradeAs(user, release)).toEqual({
      status: 1,
      output: `${programs} isn't writable. Run this with sudo.\n`,
    });
  await fs.chmod(programs, 0o755);
  expect(await readLog()).toEqual(['']);
});
