import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { access, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { failureText } from '#server/failure-text.ts';
import { programFile } from '#server/program-file.ts';
import { askAll } from './set-up/ask.ts';
import { composeSteps, FOLDER, serviceSteps } from './set-up/next-steps.ts';
import { problemsOf, QUESTIONS, type Settings, settingsFile } from './set-up/questions.ts';

const USAGE = `./install [--folder FOLDER] [--database postgres://user:password@host/database] [--compose] [--skip-doctor]
  --folder       where the settings and the data go, instead of ${FOLDER}
  --database     a PostgreSQL server, instead of the database that comes with the program
  --compose      writes the settings of compose.yaml beside it
  --skip-doctor  does not try the settings`;

// ./install, in a release: asks for the settings and writes them to the file .env of a folder, which is not the program's.
try {
  const { values } = parseArgs({
    options: {
      folder: { type: 'string' },
      database: { type: 'string' },
      compose: { type: 'boolean' },
      'skip-doctor': { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit();
  }
  const folder = path.resolve(values.folder ?? (values.compose ? composeFolder() : FOLDER));
  const given = values.compose ? composed() : onThisMachine(folder, values.database);
  const wrong = problemsOf(values.compose ? {} : given);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const file = path.join(folder, '.env');
  await refuseInVain(file);
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
  const isOption = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  console.error(failureText(error));
  if (isOption) console.error(USAGE);
  process.exitCode = 1;
}

/** Beside compose.yaml, also in a container, which has it where it is started. */
function composeFolder(): string {
  return existsSync('compose.yaml') ? process.cwd() : programFile('deploy');
}

/** Eight answers that cannot be written afterwards would be lost. */
async function refuseInVain(file: string): Promise<void> {
  if (existsSync(file)) throw new Error(`There are settings already: move the file ${file} away first.`);
  let above = path.dirname(file);
  while (!existsSync(above)) above = path.dirname(above);
  await access(above, constants.W_OK).catch(() => {
    throw new Error(`${above} cannot be written to. Run this with sudo, or name another folder with --folder.`);
  });
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
