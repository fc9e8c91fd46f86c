import { createHash } from 'node:crypto';
import os from 'node:os';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { type Config, isLiveMode } from '#server/config.ts';
import type { Database } from '#server/db/connection.ts';
import { splitHosts } from '#server/db/hosts.ts';
import type { SettingsCheck } from '#server/deps.ts';
import { checkTurnstile } from '#server/gateways/challenge/turnstile.ts';
import { type CheckDefinition, ok, runChecks, type SettingCheck, warning } from '#server/gateways/check.ts';
import { checkSmtp } from '#server/gateways/email/smtp-mailer.ts';
import { checkGoogle } from '#server/gateways/identity/check-google.ts';
import { checkStripe } from '#server/gateways/payments/check-stripe.ts';
import { checkFiles } from '#server/gateways/pictures/check-files.ts';
import { openBucketFiles } from '#server/gateways/pictures/picture-files.ts';
import { checkPictureFolder, getPictureFolder } from '#server/gateways/pictures/picture-folder.ts';
import { checkLocationiq } from '#server/gateways/places/locationiq-places.ts';
import { checkPublicAddress } from '#server/gateways/public-address.ts';
import { VERSION_TEXT } from '#server/process/version.ts';
import { isThisMachine } from '#server/settings-problems.ts';
import { createBackupChecks } from './check-backups.ts';
import { checkDatabase, checkDefaultOrg } from './check-database.ts';
import { checkDiskSpace, checkFolder, checkHost, checkOpenFiles } from './check-machine.ts';
import { checkHealth } from './read-failing-checks.ts';

/** Hashes the id of an installation, so that it can be compared publicly. */
export function hashInstallation(installation: string): string {
  return createHash('sha256').update(installation).digest('hex').slice(0, 16);
}

type Installation = {
  readonly config: Config;
  /** The database, or the failed check if it can't be opened. */
  readonly db: Database | SettingCheck;
  /** Hash of the installation that owns the database. */
  readonly installationHash: string | undefined;
  readonly publicUrl: string;
};

/** Shorter than the time limit of the whole database check, so that its other results aren't lost. */
const HEALTH_CHECK_MS = 10_000;

/** Creates the checks for all settings. Each check actually uses the service or folder. */
export function createSettingsChecks({ config, db, installationHash, publicUrl }: Installation): CheckDefinition[] {
  const { dataDir, databaseUrl = '', databaseListenUrl, databasePool, defaultOrg, host } = config;
  const databaseChecks: CheckDefinition[] =
    'state' in db
      ? [{ subject: db.subject, run: async () => db }]
      : [
          {
            subject: 'Database',
            // Runs in sequence, so that the checks don't wait for each other's connections.
            run: async () => [
              ...(await checkDatabase(db, {
                isLocal: splitHosts(databaseUrl).every(isThisMachine),
                poolSize: databasePool,
                hasListenUrl: databaseListenUrl !== undefined,
              })),
              ...(await runChecks([{ subject: 'Operation', run: () => checkHealth(db, new Date()) }], HEALTH_CHECK_MS)),
            ],
          },
          { subject: 'DEFAULT_ORG', run: () => checkDefaultOrg(db, defaultOrg) },
          ...(config.s3 ? [] : [{ subject: 'Pictures', run: () => checkPictureFolder(db, getPictureFolder(dataDir)) }]),
        ];
  return [
    { subject: 'Version', run: async () => ok('Version', `${VERSION_TEXT}, on Node ${process.version}.`) },
    ...databaseChecks,
    ...createCardChecks(config, publicUrl),
    ...createServiceChecks(config, publicUrl),
    ...createBackupChecks(config, 'state' in db ? undefined : db),
    ...(host === undefined ? [] : [{ subject: 'Address', run: () => checkHost(host) }]),
    config.publicUrl === undefined
      ? {
          subject: 'Public address',
          run: async () => warning('Public address', 'PUBLIC_URL is not set: only this machine can open the site.'),
        }
      : { subject: 'Public address', run: () => checkPublicAddress(publicUrl, installationHash) },
    {
      subject: 'Data folder',
      run: () => checkFolder('Data folder', dataDir, 'will be created at the first start'),
    },
    { subject: 'Disk', run: () => checkDiskSpace('Disk: data', dataDir) },
    { subject: 'Disk', run: () => checkDiskSpace('Disk: uploads', os.tmpdir()) },
    { subject: 'Open files', run: checkOpenFiles },
  ];
}

function createCardChecks({ stripe }: Config, publicUrl: string): CheckDefinition[] {
  const subject = 'Stripe: key';
  if (stripe.kind === 'sandbox') {
    return [{ subject, run: async () => ok(subject, 'not set: the sandbox accepts test cards, and no money moves.') }];
  }
  const { secretKey, apiBase } = stripe;
  const webhookUrl = publicUrl + WEBHOOK_PATH;
  const livemode = isLiveMode(stripe);
  return [
    {
      subject,
      run: () => checkStripe({ secretKey, apiBase: () => apiBase, webhookUrl, livemode, now: () => new Date() }),
    },
  ];
}

const BUCKET_ADVICE =
  'Check the address, key, region, and endpoint in PICTURES_TO, and the permissions of the key: write, read, list, and delete.';

function createServiceChecks(config: Config, publicUrl: string): CheckDefinition[] {
  const { s3, smtpUrl: url, smtpNeedsTls: requireTls, google, locationiqKey: key, turnstile } = config;
  return [
    ...(s3 ? [{ subject: 'Bucket', run: () => checkFiles(openBucketFiles(s3), 'Bucket', BUCKET_ADVICE) }] : []),
    url
      ? { subject: 'Email', run: () => checkSmtp({ url, requireTls }) }
      : {
          subject: 'Email',
          run: async () => ok('Email', 'SMTP_URL is not set: all emails go to the development mailbox.'),
        },
    ...(google ? [{ subject: 'Google login', run: () => checkGoogle(google, publicUrl) }] : []),
    ...(key ? [{ subject: 'LocationIQ', run: () => checkLocationiq({ key }) }] : []),
    ...(turnstile ? [{ subject: 'Turnstile', run: () => checkTurnstile(turnstile) }] : []),
  ];
}

type RunningInstance = {
  readonly config: Config;
  readonly db: Database;
  readonly installationHash: string;
  readonly publicUrl: () => string;
};

/** Creates a check of the running program's settings. Concurrent requests share one run. */
export function createSettingsCheck({ publicUrl, ...instance }: RunningInstance): SettingsCheck {
  let currentRun: Promise<readonly SettingCheck[]> | undefined;
  return {
    installationHash: instance.installationHash,
    run: () => {
      currentRun ??= runChecks(createSettingsChecks({ ...instance, publicUrl: publicUrl() })).finally(() => {
        currentRun = undefined;
      });
      return currentRun;
    },
  };
}
