import fs from 'node:fs';
import { isEmail } from '#domain/profile.ts';
import { type Config, ConfigError, readConfig } from '#server/config.ts';
import { type Database, openDatabase } from '#server/db/connection.ts';
import { embeddedFolder } from '#server/db/data-folder.ts';
import { IncompatibleSchemaError, schemaState } from '#server/db/migrate.ts';
import { hashInstallation, settingsChecks } from '#server/features/operation/settings-checks.ts';
import { type Check, errorLabel, failing, ok, runChecks } from '#server/gateways/check.ts';
import { smtpMailer } from '#server/gateways/email/smtp-mailer.ts';
import { storedSecret } from '#server/gateways/identity/identity.store.ts';
import { failureText } from '#server/process/failure-text.ts';
import { parseCommand } from './usage.ts';

// npm run doctor: tests every setting, recommends fixes, and changes nothing. `--mail to@example.org` sends a test email.
const STATE_LABELS = { ok: 'ok     ', warning: 'warning', wrong: 'WRONG  ' } as const;
const LOG = { info: () => {}, warn: () => {}, error: () => {} };

const { values } = parseCommand('doctor', { options: { mail: { type: 'string' } } });
const checks = await runAllChecks(values.mail);
for (const { subject, state, text } of checks) console.log(`${STATE_LABELS[state]} ${subject}: ${text}`);
const count = (state: Check['state']) => checks.filter((check) => check.state === state).length;
console.log(`\n${count('ok')} ok, ${count('warning')} warnings, ${count('wrong')} wrong.`);
// Ends connections that are still waiting for a response.
process.exit(count('wrong') > 0 ? 1 : 0);

async function runAllChecks(emailTo: string | undefined): Promise<Check[]> {
  const config = readSettings();
  if ('state' in config) return [config];
  const db = await openExistingDatabase(config);
  const installationHash = 'state' in db ? undefined : await findInstallationHash(db);
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  const emailChecks = emailTo === undefined ? [] : [{ subject: 'Test email', run: () => sendEmail(config, emailTo) }];
  return runChecks([...settingsChecks({ config, db, installationHash, publicUrl }), ...emailChecks]);
}

function readSettings(): Config | Check {
  try {
    return readConfig();
  } catch (error) {
    if (error instanceof ConfigError) return failing('Settings', error.message);
    throw error;
  }
}

/** Opens the database without creating or migrating it. */
async function openExistingDatabase(config: Config): Promise<Database | Check> {
  const { databaseUrl, databaseListenUrl, dataDir } = config;
  const folder = embeddedFolder(dataDir);
  if (databaseUrl === undefined && !fs.existsSync(folder)) {
    return ok('Database', `not created yet; the first start creates it in ${folder}.`);
  }
  try {
    const db = await openDatabase({ databaseUrl, databaseListenUrl, dataDir, create: false, log: LOG });
    return (await checkSchema(db)) ?? db;
  } catch (error) {
    // The message doesn't contain the password.
    return failing('Database', failureText(error));
  }
}

async function checkSchema(db: Database): Promise<Check | undefined> {
  const problem = await schemaState(db).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(problem instanceof IncompatibleSchemaError)) return undefined;
  await db.close();
  return failing('Database', problem.message);
}

async function findInstallationHash(db: Database): Promise<string | undefined> {
  const installation = await storedSecret(db.kysely, 'installation').catch(() => undefined);
  return installation === undefined ? undefined : hashInstallation(installation);
}

async function sendEmail({ smtpUrl: url, smtpNeedsTls: requireTls, parent }: Config, to: string): Promise<Check> {
  const subject = 'Test email';
  if (!isEmail(to)) return failing(subject, 'pass an email address after --mail.');
  if (!url) return failing(subject, 'set SMTP_URL first.');
  const text = `This test email confirms that ${parent.name} can send email. You don't need to do anything.`;
  const mailer = smtpMailer({ url, requireTls, from: { name: parent.name, address: parent.contactEmail } });
  try {
    const content = { subject: 'Test email', text, html: `<p>${text.replace(/[&<]/g, ' ')}</p>` };
    await mailer.send({ to, ...content, messageKey: `doctor ${new Date().toISOString()}` });
    return ok(
      subject,
      `sent to ${to}. Check that it arrives and isn't marked as spam. If it is, check your domain's SPF and DKIM records.`,
    );
  } catch (error) {
    return failing(subject, `sending failed (${errorLabel(error)}).`);
  } finally {
    await mailer.close();
  }
}
