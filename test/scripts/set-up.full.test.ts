import { spawnSync } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { findProblems, formatSettings, QUESTIONS } from '#scripts/set-up/questions.ts';
import { readConfig } from '#server/config.ts';

const scratch = await createScratchFolder('set-up');
afterAll(() => fs.rm(scratch, { recursive: true, force: true }));

const SMTP_PASSWORD = "pa$$ '@:/ word#1";
const ANSWERS = [
  'fund.example.org',
  'ithaca',
  "Friends of Ithaca's Homes & $ons Inc.",
  '123456789',
  '1 Main Street # 2, Ithaca, NY 14850',
  'gifts@fund.example.org ada@example.org',
  `mail.example.org gifts ${SMTP_PASSWORD}`,
  'whsec_of_the_test_of_the_settings sk_live_of_the_test',
];

/** Runs the command with one answer per line. */
function runSetUp(answers: readonly string[], folder: string, ...args: readonly string[]) {
  return runSetUpIn('.', answers, '--folder', folder, ...args);
}

function runSetUpIn(cwd: string, answers: readonly string[], ...args: readonly string[]) {
  const command = [path.resolve('scripts/set-up.ts'), '--skip-doctor', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd,
    input: answers.map((answer) => `${answer}\n`).join(''),
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

test('eight questions create working settings in a file only its owner can read', async () => {
  expect(QUESTIONS).toHaveLength(8);
  const folder = path.join(scratch, 'fund');
  const { status, output } = runSetUp(ANSWERS, folder);
  expect([status, output]).toEqual([0, expect.stringContaining('systemctl enable --now city-climate-fund')]);
  expect(output.match(/^ {3}> /gm)).toHaveLength(8);
  const file = path.join(folder, '.env');
  expect((await fs.stat(file)).mode & 0o777).toBe(0o600);
  const config = readConfig(parseEnv(await fs.readFile(file, 'utf8')));
  expect(config).toMatchObject({
    production: true,
    host: '127.0.0.1',
    databaseUrl: undefined,
    publicUrl: 'https://fund.example.org',
    defaultOrg: 'ithaca',
    adminEmails: ['ada@example.org'],
    parent: {
      name: 'Friends of Ithaca’s Homes & $ons Inc.',
      ein: '12-3456789',
      address: '1 Main Street # 2, Ithaca, NY 14850',
      contactEmail: 'gifts@fund.example.org',
    },
    stripe: { secretKey: 'sk_live_of_the_test', webhookSecret: 'whsec_of_the_test_of_the_settings' },
  });
  const { protocol, host, username, password } = new URL(config.smtpUrl ?? '');
  expect([protocol, host, username]).toEqual(['smtp:', 'mail.example.org:587', 'gifts']);
  expect(decodeURIComponent(password)).toBe(SMTP_PASSWORD);
});

test('secrets aren’t printed, and existing settings aren’t overwritten', async () => {
  const folder = path.join(scratch, 'again');
  const { output } = runSetUp(ANSWERS, folder);
  for (const secret of ['sk_live_of_the_test', 'whsec_of_the_test', SMTP_PASSWORD])
    expect(output).not.toContain(secret);
  const initialEnv = await fs.readFile(path.join(folder, '.env'), 'utf8');
  const secondRun = runSetUp(ANSWERS, folder);
  expect([secondRun.status, secondRun.output]).toEqual([1, expect.stringContaining('Settings already exist')]);
  expect(secondRun.output).not.toContain(QUESTIONS[0]?.text);
  expect(await fs.readFile(path.join(folder, '.env'), 'utf8')).toBe(initialEnv);
});

test('set-up repeats the question after an invalid answer and writes no file until every question is answered', async () => {
  const folder = path.join(scratch, 'asked-again');
  const [address = '', ...remainingAnswers] = ANSWERS;
  const run = runSetUp(['http://fund.example.org', 'localhost', address, ...remainingAnswers], folder);
  expect(run.status).toBe(0);
  expect(run.output).toContain('   The address of the site must be https in production.\n');
  expect(run.output).toContain('   The address of the site links to the visitor’s own machine; ');
  expect(run.output).not.toContain('PUBLIC_URL: ');
  const partialSetUp = runSetUp(ANSWERS.slice(0, 7), path.join(scratch, 'stopped'));
  expect([partialSetUp.status, partialSetUp.output]).toEqual([1, expect.stringContaining('nothing was written')]);
  await expect(fs.access(path.join(scratch, 'stopped'))).rejects.toThrow();
});

test('settings go to the documented folder, and compose settings next to compose.yaml', async () => {
  const otherFolder = path.join(scratch, 'elsewhere');
  await fs.mkdir(otherFolder);
  const { status, output } = runSetUpIn(otherFolder, []);
  expect([status, output]).toEqual([1, expect.stringContaining('/srv')]);
  expect(output).not.toContain(otherFolder);
  await fs.writeFile(path.join(otherFolder, 'compose.yaml'), '');
  expect(runSetUpIn(otherFolder, ANSWERS, '--compose').status).toBe(0);
  await fs.access(path.join(otherFolder, '.env'));
});

test('set-up accepts other formats and asks again after an empty line', () => {
  expect(SMTP?.parse('mail.example 465 user word')).toEqual({ SMTP_URL: 'smtps://user:word@mail.example:465' });
  expect(STRIPE?.parse('sk_live_1, whsec_of_the_test_of_the_settings')).toEqual({
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_of_the_test_of_the_settings',
  });
  expect(EMAIL?.parse('a@b.example; c@d.example')).toEqual({
    CONTACT_EMAIL: 'a@b.example',
    ADMIN_EMAILS: 'c@d.example',
  });
  const { output } = runSetUp(['', ...ANSWERS], path.join(scratch, 'empty-line'));
  expect(output).toContain('Please type an answer.');
  expect(output).not.toContain('PUBLIC_URL: ');
});

test('--help and unknown options list the options without asking questions', () => {
  const help = runSetUpIn('.', ANSWERS, '--help');
  expect([help.status, help.output]).toEqual([0, expect.stringContaining('--database')]);
  const misspelled = runSetUpIn('.', ANSWERS, '--foldr', 'x');
  expect([misspelled.status, misspelled.output]).toEqual([1, expect.stringContaining('--database')]);
  expect(help.output + misspelled.output).not.toContain(QUESTIONS[0]?.text);
});

const [ADDRESS, SLUG, NAME, EIN, , EMAIL, SMTP, STRIPE] = QUESTIONS;

test.each([
  [SLUG, 'Ithaca Fund'],
  [EIN, '12-3450000x'],
  [EMAIL, 'nobody'],
  [EMAIL, 'a@b.example c@d.example e@f.example'],
  [NAME, ''],
  [ADDRESS, 'fund.example/path'],
  [SMTP, 'smtp.example'],
  [SMTP, "smtps://user:it's@mail.example"],
  [STRIPE, 'whsec_of_the_test_of_the_settings'],
  [STRIPE, 'sk_live_1 sk_live_2'],
  [STRIPE, 'pk_live_1 whsec_of_the_test_of_the_settings'],
  [STRIPE, 'sk_live_1 whsec_short'],
])('invalid answer %# is rejected', (question, answer) => {
  const result = question?.parse(answer);
  const problems = typeof result === 'string' ? [result] : findProblems(result ?? {});
  expect(problems.join('\n')).toMatch(/\w/);
  expect(problems.join('\n')).not.toContain(answer === '' ? 'undefined' : answer);
});

test('a test key enables test payments, and a TLS port uses TLS', () => {
  expect(STRIPE?.parse('sk_test_1 whsec_of_the_test_of_the_settings')).toMatchObject({ ALLOW_TEST_PAYMENTS: 'true' });
  expect(SMTP?.parse('mail.example:465 user word')).toEqual({ SMTP_URL: 'smtps://user:word@mail.example:465' });
});

test('a server or compose setup doesn’t use the embedded database', async () => {
  const server = path.join(scratch, 'server');
  expect(runSetUp(ANSWERS, server, '--database', 'postgres://fund:word@db.example/fund').status).toBe(0);
  expect(readConfig(parseEnv(await fs.readFile(path.join(server, '.env'), 'utf8'))).databaseUrl).toContain(
    'db.example',
  );
  expect(runSetUp(ANSWERS, path.join(scratch, 'wrong'), '--database', 'mysql://db').output).toContain(
    'DATABASE_URL: must be',
  );
  const compose = path.join(scratch, 'compose');
  expect(runSetUp(ANSWERS, compose, '--compose').status).toBe(0);
  const settings = parseEnv(await fs.readFile(path.join(compose, '.env'), 'utf8'));
  expect(settings.POSTGRES_PASSWORD).toMatch(/^[0-9a-f]{48}$/);
  expect(Object.keys(settings)).not.toContain('HOST');
});

test('every setting in an answer is named in its question', () => {
  for (const [index, question] of QUESTIONS.entries()) {
    const settings = question.parse(ANSWERS[index] ?? '');
    expect(Object.keys(settings).toSorted()).toEqual(Object.keys(question.names).toSorted());
  }
});

const ANSWERS_FILE = {
  PUBLIC_URL: 'https://fund.example.org',
  DEFAULT_ORG: 'ithaca',
  PARENT_NAME: 'Friends of Ithaca',
  PARENT_EIN: '12-3456789',
  PARENT_ADDRESS: '1 Main Street # 2',
  CONTACT_EMAIL: 'gifts@fund.example.org',
  SMTP_URL: 'smtps://gifts:word@mail.example',
  STRIPE_SECRET_KEY: 'sk_live_of_the_test',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_the_test_of_the_settings',
};

test('--answers asks no questions, and an answer overrides a default', async () => {
  const answers = path.join(scratch, 'answers.env');
  await fs.writeFile(answers, formatSettings({ ...ANSWERS_FILE, BACKUP_TO: '/mnt/backups' }));
  const folder = path.join(scratch, 'answered');
  const { status, output } = runSetUp([], folder, '--answers', answers);
  expect([status, output]).toEqual([0, expect.stringContaining('systemctl enable --now city-climate-fund')]);
  expect(output).not.toMatch(/^ {3}> /m);
  expect(output).not.toContain('whsec_');
  const settings = parseEnv(await fs.readFile(path.join(folder, '.env'), 'utf8'));
  expect(settings).toMatchObject({ ...ANSWERS_FILE, NODE_ENV: 'production', BACKUP_TO: '/mnt/backups' });
  expect(readConfig(settings).host).toBe('127.0.0.1');
});

test('--answers lists missing and invalid settings, and writes nothing', async () => {
  const { PARENT_EIN: _, ...incompleteAnswers } = ANSWERS_FILE;
  const answers = path.join(scratch, 'incomplete.env');
  await fs.writeFile(answers, formatSettings({ ...incompleteAnswers, PUBLIC_URL: 'fund' }));
  const folder = path.join(scratch, 'not-answered');
  const { status, output } = runSetUp([], folder, '--answers', answers);
  expect(status).toBe(1);
  for (const problem of ['PARENT_EIN: required in production', 'PUBLIC_URL: must be'])
    expect(output).toContain(problem);
  await expect(fs.access(folder)).rejects.toThrow();
});

test('a key without a webhook secret is a complete answer', () => {
  expect(STRIPE?.parse('sk_live_1')).toEqual({ STRIPE_SECRET_KEY: 'sk_live_1' });
});

test('in a clone, the command asks to build a release first', () => {
  const install = (...args: readonly string[]) =>
    spawnSync(path.resolve('deploy/install'), args, { cwd: '.', input: '', encoding: 'utf8' });
  const secondInstall = install();
  expect([secondInstall.status, secondInstall.stdout]).toEqual([1, '']);
  expect(secondInstall.stderr).toContain('Make a release first with "npm run release"');
  expect(install('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--folder') });
  const compose = install('--compose', '--folder', path.join(scratch, 'compose-here'));
  expect(compose.stdout).toContain(QUESTIONS[0]?.text);
});

test('formatted settings parse back to the same values', () => {
  const settings = { A: 'x # y', B: '$HOME $(C)', C: 'a\\nb "c"' };
  expect(parseEnv(formatSettings(settings))).toEqual(settings);
});
