import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { programFile } from '#server/program-file.ts';
import { askAll } from './set-up/ask.ts';
import { composeSteps, serviceSteps } from './set-up/next-steps.ts';
import { problemsOf, QUESTIONS, type Settings, settingsFile } from './set-up/questions.ts';

// ./install, in a release: asks for the settings and writes them to the file .env of a folder, which is not the program's.
try {
  const { values } = parseArgs({
    options: {
      folder: { type: 'string' },
      database: { type: 'string' },
      compose: { type: 'boolean' },
      'skip-doctor': { type: 'boolean' },
    },
  });
  const folder = path.resolve(values.folder ?? usualFolder());
  const given = values.compose ? composed() : onThisMachine(folder, values.database);
  const wrong = problemsOf(values.compose ? {} : given);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const file = path.join(folder, '.env');
  console.log(`The settings go to ${file}, which only its owner may read. ${QUESTIONS.length} questions:`);
  const settings: Settings = { NODE_ENV: 'production', ...(await askAll(QUESTIONS)), ...given };
  await mkdir(folder, { recursive: true, mode: 0o750 });
  await writeFile(file, settingsFile(settings), { flag: 'wx', mode: 0o600 });
  const { PUBLIC_URL = '' } = settings;
  const steps = values.compose ? composeSteps(PUBLIC_URL) : serviceSteps(folder, programFile(''), PUBLIC_URL);
  console.log(`\nWrote ${file}.\n`);
  if (!values.compose && !values['skip-doctor']) {
    console.log('Trying them, which takes up to a minute. Whether visitors reach the site is known once it runs.\n');
    spawnSync(process.execPath, [programFile('scripts/fund.mjs'), 'doctor'], { cwd: folder, stdio: 'inherit' });
  }
  console.log(`\n${steps}`);
} catch (error) {
  const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
  const text = exists ? 'There are settings already: move the file .env away first.' : error;
  console.error(text instanceof Error ? text.message : text);
  process.exitCode = 1;
}

/** An upgrade replaces the program's own folder. */
function usualFolder(): string {
  const here = process.cwd();
  if (path.relative(programFile(''), here).startsWith('..')) return here;
  return process.getuid?.() === 0 ? '/srv/fund' : path.join(os.homedir(), 'fund');
}

/** Behind a proxy on the same machine, with the embedded database unless a server is named, and with a backup each night. */
function onThisMachine(folder: string, database: string | undefined): Settings {
  const backups = { BACKUP_TO: path.join(folder, 'backups'), BACKUP_AT: '03:30' };
  const own = { HOST: '127.0.0.1', TRUSTED_PROXIES: '127.0.0.1,::1', ...backups };
  return { ...own, ...(database === undefined ? { DATABASE: 'embedded' } : { DATABASE_URL: database }) };
}

/** deploy/compose.yaml names the database, and where its own proxy is. */
function composed(): Settings {
  return { POSTGRES_PASSWORD: randomBytes(24).toString('hex') };
}
