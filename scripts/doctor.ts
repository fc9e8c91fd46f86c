import fs from 'node:fs';
import { isEmail } from '#domain/profile.ts';
import { type Config, ConfigError, readConfig } from '#server/config.ts';
import { type Database, openDatabase } from '#server/db/connection.ts';
import { embeddedFolder } from '#server/db/data-folder.ts';
import { IncompatibleSchema, schemaState } from '#server/db/migrate.ts';
import { installationMark, settingsChecks } from '#server/features/operation/settings-checks.ts';
import { type Check, kindOf, ok, runChecks, wrong } from '#server/gateways/check.ts';
import { storedSecret } from '#server/gateways/identity/identity.store.ts';
import { smtpMailer } from '#server/gateways/mail/smtp-mailer.ts';
import { failureText } from '#server/program/failure-text.ts';
import { parseCommand } from './usage.ts';

// npm run doctor: tries every setting for real, recommends fixes, and changes nothing. `--mail to@example.org` sends a test email.
const SIGNS = { ok: 'ok     ', warning: 'warning', wrong: 'WRONG  ' } as const;
const LOG = { info: () => {}, warn: () => {}, error: () => {} };

const { values } = parseCommand('doctor', { options: { mail: { type: 'string' } } });
const checks = await examine(values.mail);
for (const { subject, state, text } of checks) console.log(`${SIGNS[state]} ${subject}: ${text}`);
const count = (state: Check['state']) => checks.filter((check) => check.state === state).length;
console.log(`\n${count('ok')} ok, ${count('warning')} to look at, ${count('wrong')} wrong.`);
// Ends connections that are still waiting for a response.
process.exit(count('wrong') > 0 ? 1 : 0);

async function examine(mailTo: string | undefined): Promise<Check[]> {
  const config = settings();
  if ('state' in config) return [config];
  const db = await database(config);
  const mark = 'state' in db ? undefined : await markIn(db);
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  const mail = mailTo === undefined ? [] : [{ subject: 'Test mail', run: () => sendMail(config, mailTo) }];
  return runChecks([...settingsChecks({ config, db, mark, publicUrl }), ...mail]);
}

function settings(): Config | Check {
  try {
    return readConfig();
  } catch (error) {
    if (error instanceof ConfigError) return wrong('Settings', error.message);
    throw error;
  }
}

/** Opens the database without creating or migrating it. */
async function database(config: Config): Promise<Database | Check> {
  const { databaseUrl, databaseListenUrl, dataDir } = config;
  const folder = embeddedFolder(dataDir);
  if (databaseUrl === undefined && !fs.existsSync(folder)) {
    return ok('Database', `there is none yet: the first start makes it in ${folder}.`);
  }
  try {
    const db = await openDatabase({ databaseUrl, databaseListenUrl, dataDir, create: false, log: LOG });
    return (await schemaProblem(db)) ?? db;
  } catch (error) {
    // The message contains no password.
    return wrong('Database', failureText(error));
  }
}

async function schemaProblem(db: Database): Promise<Check | undefined> {
  const problem = await schemaState(db).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(problem instanceof IncompatibleSchema)) return undefined;
  await db.close();
  return wrong('Database', problem.message);
}

async function markIn(db: Database): Promise<string | undefined> {
  const installation = await storedSecret(db.kysely, 'installation').catch(() => undefined);
  return installation === undefined ? undefined : installationMark(installation);
}

async function sendMail({ smtpUrl: url, smtpNeedsTls: requireTls, parent }: Config, to: string): Promise<Check> {
  const subject = 'Test mail';
  if (!isEmail(to)) return wrong(subject, 'after --mail comes an email address.');
  if (!url) return wrong(subject, 'set SMTP_URL first.');
  const text = `This mail shows that ${parent.name} can send mail. Nothing else is to be done.`;
  const mailer = smtpMailer({ url, requireTls, from: { name: parent.name, address: parent.contactEmail } });
  try {
    const content = { subject: 'A test mail', text, html: `<p>${text.replace(/[&<]/g, ' ')}</p>` };
    await mailer.send({ to, ...content, messageKey: `doctor ${new Date().toISOString()}` });
    return ok(subject, `sent to ${to}. Does it arrive, and not as spam? SPF and DKIM of your domain decide that.`);
  } catch (error) {
    return wrong(subject, `the mail server did not take it (${kindOf(error)}).`);
  } finally {
    await mailer.close();
  }
}
