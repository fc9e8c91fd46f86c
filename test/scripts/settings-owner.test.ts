import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import commands from '#scripts/commands.json' with { type: 'json' };
import { createScratchFolder } from '#scripts/scratch-folder.ts';

const PRINT_USER = `
const { USER, LOGNAME, HOME } = process.env;
console.log(process.getuid(), process.getgid(), process.getgroups().join(), USER, LOGNAME, HOME);
`;

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
    { encoding: 'utf8', cwd: folder, env: { PATH: process.env.PATH, USER: 'root', LOGNAME: 'root', HOME: '/root' } },
  );
  return { status, lines: (stdout + stderr).trim().split('\n') };
}

type User = { readonly username: string; readonly gid: number; readonly homedir: string };

const FUND: User = { username: 'fund', gid: 1003, homedir: '/srv/fund' };

/**
 * A module that makes Node report root as the user, and print each change of user instead of making it.
 * @param owner owner of the settings; undefined if it has only a number
 */
function fakeRoot(owner: User | undefined, fileGid = 1002): string {
  return `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
const { statSync } = fs;
fs.statSync = (file, options) => (file === '.env' ? { uid: 1001, gid: ${fileGid} } : statSync(file, options));
let effectiveUid = 0;
os.userInfo = () => {
  const user = effectiveUid === 1001 ? ${JSON.stringify(owner)} : { username: 'root', gid: 0, homedir: '/root' };
  if (user === undefined) throw new Error('There is no such user.');
  return user;
};
syncBuiltinESMExports();
process.getuid = () => 0;
process.seteuid = (uid) => { effectiveUid = uid; };
for (const name of ['initgroups', 'setgroups', 'setgid', 'setuid'])
  process[name] = (...args) => console.log(name + JSON.stringify(args), effectiveUid);
`;
}

// Only root can change groups, so the user comes last.
test.each([
  ['all groups of the owner', FUND, 1003, 'initgroups["fund",1003] 0', 'fund fund /srv/fund'],
  ['the group of the settings if the owner has only a number', undefined, 1002, 'setgroups[[1002]] 0', '1001 1001 /'],
])('for root, a command runs with %s', (_title, owner, gid, firstLine, environment) => {
  const { status, lines } = launch('backup', fakeRoot(owner));
  expect([status, lines]).toEqual([
    0,
    [firstLine, `setgid[${gid}] 0`, 'setuid[1001] 0', expect.stringMatching(`${environment}$`)],
  ]);
  expect(launch('upgrade', fakeRoot(owner)).lines).toEqual([expect.stringMatching('root root /root$')]);
});

test('for root, a command never runs in the group root', () => {
  for (const preload of [fakeRoot({ ...FUND, gid: 0 }), fakeRoot(undefined, 0)])
    expect(launch('backup', preload)).toEqual({ status: 78, lines: [expect.stringContaining('group is root')] });
  expect(launch('backup', fakeRoot(FUND, 0)).status).toBe(0);
});

test.runIf(process.getuid?.() === 0)('for root, a command runs as the owner of the settings', async () => {
  await fs.chown(settingsFile, 54_321, 54_322);
  expect(launch('backup')).toEqual({ status: 0, lines: ['54321 54322 54322 54321 54321 /'] });
  expect(launch('upgrade').lines).toEqual([expect.stringMatching(/^0 0 /)]);
  const [uid, gid] = ['-u', '-g'].map((flag) => execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }).trim());
  await fs.chown(settingsFile, Number(uid), 0);
  expect(launch('backup').lines).toEqual([expect.stringMatching(`^${uid} ${gid} ${gid}.* nobody nobody /.+`)]);
});
