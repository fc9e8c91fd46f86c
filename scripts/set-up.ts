import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { connectWebhook } from '#server/gateways/payments/connect-webhook.ts';
import { resolveAppPath } from '#server/process/app-path.ts';
import { formatFailure } from '#server/process/failure-text.ts';
import { askAll } from './set-up/ask.ts';
import { DEFAULT_FOLDER, formatComposeSteps, formatServiceSteps } from './set-up/next-steps.ts';
import {
  ANY_WEBHOOK_SECRET,
  findAllProblems,
  findProblems,
  formatSettings,
  QUESTIONS,
  type Settings,
} from './set-up/questions.ts';

const USAGE = `./install [--answers FILE] [--folder FOLDER] [--database postgres://user:password@host/database] [--compose] [--skip-doctor]
  --answers      reads the answers from a file with a line NAME='value' for each setting (docs/settings.md)
  --folder       folder for the settings and the data (default: ${DEFAULT_FOLDER})
  --database     a PostgreSQL server (default: the embedded database)
  --compose      writes settings for compose.yaml next to that file
  --skip-doctor  doesn't test the settings`;

// ./install, in a release: asks for the settings, creates the webhook at Stripe, and writes the settings to a `.env`
// file in a folder outside the program.
try {
  const { values } = parseArgs({
    options: {
      answers: { type: 'string' },
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
  const folder = path.resolve(values.folder ?? (values.compose ? findComposeFolder() : DEFAULT_FOLDER));
  const presetSettings = values.compose ? createComposeSettings() : createLocalSettings(folder, values.database);
  const problems = findProblems(values.compose ? {} : presetSettings);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const file = path.join(folder, '.env');
  await checkWritable(file);
  const answers =
    values.answers === undefined ? await askForAnswers(file) : await readAnswers(values.answers, presetSettings);
  const chosenSettings: Settings = { NODE_ENV: 'production', ...presetSettings, ...answers };
  const settings: Settings = { ...chosenSettings, ...(await createWebhook(chosenSettings)) };
  await mkdir(folder, { recursive: true, mode: 0o750 });
  await writeFile(file, formatSettings(settings), { flag: 'wx', mode: 0o600 });
  const { PUBLIC_URL = '' } = settings;
  const steps = values.compose
    ? formatComposeSteps(PUBLIC_URL)
    : formatServiceSteps(folder, resolveAppPath(''), PUBLIC_URL);
  console.log(`\nWrote ${file}.\n`);
  if (!values.compose && !values['skip-doctor'] && settings.STRIPE_WEBHOOK_SECRET) {
    console.log(
      'Testing the settings, which takes up to a minute. Public access can be tested only once the server is running.\n',
    );
    // Otherwise root would be told a folder below /var/lib, because the settings don't belong to the program's user yet.
    const env = { ...process.env, DATA_DIR: settings.DATA_DIR ?? path.join(folder, 'data') };
    spawnSync(process.execPath, [resolveAppPath('scripts/fund.mjs'), 'doctor'], { cwd: folder, stdio: 'inherit', env });
  }
  console.log(`\n${steps}`);
} catch (error) {
  const isOptionError =
    error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  console.error(formatFailure(error));
  if (isOptionError) console.error(USAGE);
  process.exitCode = 1;
}

function askForAnswers(file: string): Promise<Settings> {
  console.log(`The settings will be written to ${file}, which only its owner can read. ${QUESTIONS.length} questions:`);
  return askAll(QUESTIONS);
}

/** @throws Error that lists the problems, unless the file contains all settings that production requires */
async function readAnswers(file: string, presetSettings: Settings): Promise<Settings> {
  const answers: Settings = Object.fromEntries(
    Object.entries(parseEnv(await readFile(file, 'utf8'))).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  // compose.yaml names the database.
  const problems = findAllProblems({
    NODE_ENV: 'production',
    STRIPE_WEBHOOK_SECRET: ANY_WEBHOOK_SECRET,
    ...(presetSettings.DATABASE_URL === undefined ? { DATABASE: 'embedded' } : {}),
    ...presetSettings,
    ...answers,
  });
  if (problems.length > 0) throw new Error(`${file} has missing or invalid answers:\n${problems.join('\n')}`);
  return answers;
}

/** Creates the webhook at Stripe, unless the operator already has. If it fails, the operator can run `connect-stripe` later. */
async function createWebhook({ PUBLIC_URL = '', STRIPE_SECRET_KEY = '', ...settings }: Settings): Promise<Settings> {
  if (settings.STRIPE_WEBHOOK_SECRET) return {};
  let webhook: Settings = {};
  try {
    console.log('\nCreating the webhook at Stripe.');
    await connectWebhook({
      secretKey: STRIPE_SECRET_KEY,
      webhookUrl: new URL(WEBHOOK_PATH, PUBLIC_URL).href,
      hasSecret: false,
      saveSecret: async (secret) => {
        webhook = { STRIPE_WEBHOOK_SECRET: secret };
      },
    });
  } catch (error) {
    console.error(
      `${formatFailure(error)}\nThe server needs the webhook. Run “fund connect-stripe” before you start it.`,
    );
  }
  return webhook;
}

/** Folder of compose.yaml: the current folder in a container, otherwise `deploy` in the release. */
function findComposeFolder(): string {
  return existsSync('compose.yaml') ? process.cwd() : resolveAppPath('deploy');
}

/** Checks that the file can be written before asking, so that no answers are lost. */
async function checkWritable(file: string): Promise<void> {
  if (existsSync(file)) throw new Error(`Settings already exist. Move ${file} away first.`);
  let parent = path.dirname(file);
  while (!existsSync(parent)) parent = path.dirname(parent);
  await access(parent, constants.W_OK).catch(() => {
    throw new Error(`${parent} isn't writable. Run this with sudo, or choose another folder with --folder.`);
  });
}

/** Settings behind a proxy on the same machine: the embedded database by default, and a nightly backup. */
function createLocalSettings(folder: string, database?: string): Settings {
  return {
    HOST: '127.0.0.1',
    TRUSTED_PROXIES: '127.0.0.1,::1',
    BACKUP_TO: path.join(folder, 'backups'),
    ...(database === undefined ? { DATABASE: 'embedded' } : { DATABASE_URL: database }),
  };
}

/** Settings for Compose. deploy/compose.yaml names the database and its proxy. */
function createComposeSettings(): Settings {
  return { POSTGRES_PASSWORD: randomBytes(24).toString('hex') };
}
