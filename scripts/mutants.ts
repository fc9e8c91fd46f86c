import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import pg from 'pg';
import { openDatabase } from '#server/db/connection.ts';
import { migrate } from '#server/db/migrate.ts';
import { GUARDS } from './mutants/guards.ts';
import { type Mutant, type SentMutant, withoutGuard } from './mutants/mutation.ts';
import { startPostgresServer } from './postgres/start-postgres.ts';
import { scratchFolder } from './scratch-folder.ts';

/**
 * npm run mutants: removes one guard after the other and runs the tests that must notice. Each runs in memory; no file is
 * changed. `npm run mutants -- refund dispute` takes only those whose file or text contains one of the words.
 */
const AT_ONCE = 2;
/** Every test runs in one of these. */
const PROJECTS = ['--project=unit', '--project=pictures', '--project=api-postgres'];
const { positionals } = parseArgs({ allowPositionals: true });
const isChosen = (text: string) => positionals.length === 0 || positionals.some((word) => text.includes(word));
const chosen = GUARDS.filter(({ file, guard }) => isChosen(`${file} ${guard}`));

for (const mutant of GUARDS) withoutGuard(await readFile(mutant.file, 'utf8'), mutant);
const folder = await scratchFolder('mutants');
const server = await startPostgresServer();
const outcomes: Outcome[] = [];
try {
  await makeTemplate();
  const waiting = [...chosen];
  const runInTurn = async () => {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const outcome = await run(mutant);
      outcomes.push(outcome);
      console.log(`${outcome.padEnd(8)} ${mutant.file}: ${firstLine(mutant.guard)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runInTurn));
} finally {
  await server.stop();
}
const caught = outcomes.filter((outcome) => outcome === 'caught').length;
console.log(`\n${caught} of ${chosen.length} guards are noticed by a test when they are removed.`);
if (caught < chosen.length) process.exitCode = 1;

type Outcome = 'caught' | 'survived' | 'unread';

/** unread: no test loaded the file, or none failed and yet the run did. */
async function run(mutant: Mutant): Promise<Outcome> {
  const appliedFile = path.join(folder, String(GUARDS.indexOf(mutant)));
  const sent: SentMutant = { ...mutant, appliedFile };
  const args = [
    'run',
    '--config',
    'vitest.mutants.config.ts',
    '--bail=1',
    '--reporter=dot',
    ...PROJECTS,
    ...mutant.tests,
  ];
  const child = spawn('vitest', args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    env: { ...process.env, MUTANT: JSON.stringify(sent), MUTANTS_POSTGRES: server.url },
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [status, output] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (!existsSync(appliedFile)) {
    console.error(output);
    return 'unread';
  }
  if (status === 0) return 'survived';
  if (/Tests\s+\d+ failed/.test(stripVTControlCharacters(output))) return 'caught';
  console.error(output);
  return 'unread';
}

/** As the tests find it: a migrated database to copy. */
async function makeTemplate(): Promise<void> {
  const client = new pg.Client(server.url);
  await client.connect();
  await client.query('create database template');
  await client.end();
  const url = new URL(server.url);
  url.pathname = '/template';
  const silent = { info: () => {}, warn: () => {}, error: () => {} };
  const database = await openDatabase({ databaseUrl: url.href, dataDir: '', log: silent });
  await migrate(database);
  await database.close();
}

function firstLine(guard: string): string {
  return guard.trim().split('\n')[0] ?? '';
}
