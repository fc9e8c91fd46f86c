import { spawnSync } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import commands from '#scripts/commands.json' with { type: 'json' };
import { createScratchFolder } from '#scripts/scratch-folder.ts';

const PRINT_USER = 'console.log(process.getuid(), process.getgid(), process.getgroups().join());\n';

const folder = await createScratchFolder('owner');
const settingsFile = path.join(folder, '.env');
const launcher = path.join(folder, 'scripts/fund.mjs');
for (const file of ['build/messages/messages.js', 'build/web/index.html', 'build/cities.tsv.gz', '.env'])
  await write(file, '');
for (const file of ['scripts/fund.mjs', 'scripts/commands.json']) await write(file, await fs.readFile(file, 'utf8'));
for (const name of ['backup', 'upgrade'] as const) await write(commands[name].script, PRINT_USER);
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

async function write(file: string, text: string): Promise<void> {
  await fs.mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await fs.writeFile(path.join(folder, file), text);
}

/** Runs a command in the folder. @param preload a module that Node runs first */
function launch(name: string, preload = '') {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`--import=data:text/javascript,${encodeURIComponent(preload)}`, launcher, name],
    { encoding: 'utf8', cwd: folder, env: { PATH: process.env.PATH } },
  );
  return { status, lines: (stdout + stderr).trim().split('\n') };
}

/** A module that makes Node report root as the user, and print each change of user instead of making it. */
const FAKE_ROOT = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { statSync } = fs;
fs.statSync = (file, options) => (file === '.env' ? { uid: 1001, gid: 1002 } : statSync(file, options));
syncBuiltinESMExports();
process.getuid = () => 0;
for (const name of ['setgroups', 'setgid', 'setuid'])
  process[name] = (...args) => console.log(name + JSON.stringify(args));
`;

test('for root, a command gives up the groups before the user, since only root can change groups', async () => {
  const { status, lines } = launch('backup', FAKE_ROOT);
  expect([status, lines.slice(0, -1)]).toEqual([0, ['setgroups[[1002]]', 'setgid[1002]', 'setuid[1001]']]);
  expect(launch('upgrade', FAKE_ROOT).lines).toHaveLength(1);
});

test.runIf(process.getuid?.() === 0)('for root, a command runs as the owner of the settings', async () => {
  await fs.chown(settingsFile, 65_534, 65_533);
  expect(launch('backup')).toEqual({ status: 0, lines: ['65534 65533 65533'] });
  expect(launch('upgrade').lines).toEqual([expect.stringMatching(/^0 0 /)]);
});
