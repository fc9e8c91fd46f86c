import fs from 'node:fs';
import { isEmail } from '#domain/profile.ts';
import { type Config, ConfigError, readConfig } from '#server/config.ts';
import { type Database, openDatabase } from '#server/db/connection.ts';
import { getEmbeddedFolder } from '#server/db/data-folder.ts';
import { IncompatibleSchemaError, readSchemaState } from '#server/db/migrate.ts';
import { createSettingsChecks, hashInstallation } from '#server/features/operation/settings-checks.ts';
import { errorLabel, failing, ok, runChecks, type SettingCheck } from '#server/gateways/check.ts';
import { createSmtpMailer } from '#server/gateways/email/smtp-mailer.ts';
import { findSecret } from '#server/gateways/identity/identity.store.ts';
import { formatFailure } from '#server/process/failure-text.ts';
import { parseCommand } from './usage.ts';

// npm run doctor: tests every setting, recommends fixes, and changes nothing. `--email to@example.org` sends a test email.
const STATE_LABELS = { ok: 'ok     ', warning: 'warning', error: 'ERROR  ' } as const;
const SILENT_LOG = { info: () => {}, warn: () => {}, error: () => {} };

const { values } = parseCommand('doctor', { options: { email: { type: 'string' } } });
const checks = await runAllChecks(values.email);
for (const { subject, state, text } of checks) console.log(`${STATE_LABELS[state]} ${subject}: ${text}`);
const countByState = (state: SettingCheck['state']) => checks.filter((check) => check.state === state).length;
console.log(
  `\n${countByState('ok')} ok, ${formatCount(countByState('warning'), 'warning')}, ${formatCount(countByState('error'), 'error')}.`,
);
// Ends connections that are still waiting for a response.
process.exit(countByState('error') > 0 ? 1 : 0);

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

async function runAllChecks(emailTo: string | undefined): Promise<SettingCheck[]> {
  const config = readSettings();
  if ('state' in config) return [config];
  const db = await openExistingDatabase(config);
  const installationHash = 'state' in db ? undefined : await findInstallationHash(db);
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  const emailChecks = emailTo === undefined ? [] : [{ subject: 'Test email', run: () => sendEmail(config, emailTo) }];
  return runChecks([...createSettingsChecks({ config, db, installationHash, publicUrl }), ...emailChecks]);
}

function readSettings(): Config | SettingCheck {
  try {
    return readConfig();
  } catch (error) {
    if (error instanceof ConfigError) return failing('Settings', error.message);
    throw error;
  }
}

/** Opens the database without creating or migrating it. */
async function openExistingDatabase(config: Config): Promise<Database | SettingCheck> {
  const { databaseUrl, databaseListenUrl, dataDir } = config;
  const folder = getEmbeddedFolder(dataDir);
  if (databaseUrl === undefined && !fs.existsSync(folder)) {
    return ok('Database', `not created yet; the first start creates it in ${folder}.`);
  }
  try {
    const db = await openDatabase({ databaseUrl, databaseListenUrl, dataDir, create: false, log: SILENT_LOG });
    return (await checkSchema(db)) ?? db;
  } catch (error) {
    // The message doesn't contain the password.
    return failing('Database', formatFailure(error));
  }
}

async function checkSchema(db: Database): Promise<SettingCheck | undefined> {
  const problem = await readSchemaState(db).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(problem instanceof IncompatibleSchemaError)) return undefined;
  await db.close();
  return failing('Database', problem.message);
}

async function findInstallationHash(db: Database): Promise<string | undefined> {
  const installation = await findSecret(db.kysely, 'installation').catch(() => undefined);
  return installation === undefined ? undefined : hashInstallation(installation);
}

async function sendEmail(
  { smtpUrl: url, smtpNeedsTls: requireTls, parent }: Config,
  to: string,
): Promise<SettingCheck> {
  const subject = 'Test email';
  if (!isEmail(to)) return failing(subject, 'pass an email address after --email.');
  if (!url) return failing(subject, 'set SMTP_URL first.');
  const text = `This test email confirms that ${parent.name} can send email. You don't need to do anything.`;
  const mailer = createSmtpMailer({ url, requireTls, from: { name: parent.name, address: parent.contactEmail } });
  try {
    const content = { subject: 'Test email', text, html: `<p>${text.replace(/[&<]/g, ' ')}</p>` };
    await mailer.send({ to, ...content, messageKey: `doctor ${new Date().toISOString()}` });
    return ok(
      subject,
      `sent to ${to}. Check that it arrives and isn't marked as spam. If it is, check your domain's SPF and DKIM records.`,
    );
  } catch (error) {
    return failing(subject, `the test email could not be sent (${errorLabel(error)}).`);
  }
}
