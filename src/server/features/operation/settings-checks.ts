import { createHash } from 'node:crypto';
import os from 'node:os';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { type Config, isLive, isThisMachine } from '#server/config.ts';
import type { Database } from '#server/db/connection.ts';
import type { Examination } from '#server/deps.ts';
import { checkTurnstile } from '#server/gateways/challenge/turnstile.ts';
import { type Check, type Checking, ok, runChecks, warning } from '#server/gateways/check.ts';
import { checkGoogle } from '#server/gateways/identity/check-google.ts';
import { checkSmtp } from '#server/gateways/mail/smtp-mailer.ts';
import { checkStripe } from '#server/gateways/payments/check-stripe.ts';
import { checkFiles } from '#server/gateways/pictures/check-files.ts';
import { bucketFiles } from '#server/gateways/pictures/picture-files.ts';
import { checkPictureFolder, picturesIn } from '#server/gateways/pictures/picture-folder.ts';
import { checkLocationiq } from '#server/gateways/places/locationiq-places.ts';
import { checkPublicAddress } from '#server/gateways/public-address.ts';
import { backupChecks } from './check-backups.ts';
import { checkDatabase, checkDefaultOrg } from './check-database.ts';
import { checkFolder, checkHost, checkOpenFiles, checkRoom } from './check-machine.ts';

/** What is public of the name of an installation: it tells whether two are the same. */
export function markOf(installation: string): string {
  return createHash('sha256').update(installation).digest('hex').slice(0, 16);
}

export type Examined = {
  readonly config: Config;
  /** Or what is to be said of it, where it cannot be opened. */
  readonly db: Database | Check;
  /** The mark of the installation whose database this is. */
  readonly mark: string | undefined;
  readonly publicUrl: string;
};

/** Every setting, to be tried for real. */
export function settingsChecks({ config, db, mark, publicUrl }: Examined): Checking[] {
  const { dataDir, databaseUrl = '', defaultOrg, host } = config;
  const database: Checking[] =
    'state' in db
      ? [{ subject: db.subject, run: async () => db }]
      : [
          { subject: 'Database', run: () => checkDatabase(db, isThisMachine(databaseUrl)) },
          { subject: 'DEFAULT_ORG', run: () => checkDefaultOrg(db, defaultOrg) },
          ...(config.s3 ? [] : [{ subject: 'Pictures', run: () => checkPictureFolder(db, picturesIn(dataDir)) }]),
        ];
  return [
    ...database,
    ...cardChecks(config, publicUrl),
    ...serviceChecks(config, publicUrl),
    ...backupChecks(config, 'state' in db ? undefined : db),
    ...(host === undefined ? [] : [{ subject: 'Address', run: () => checkHost(host) }]),
    config.publicUrl === undefined
      ? {
          subject: 'Public address',
          run: async () => warning('Public address', 'PUBLIC_URL is not set: only this machine can open the site.'),
        }
      : { subject: 'Public address', run: () => checkPublicAddress(publicUrl, mark) },
    {
      subject: 'Data folder',
      run: () => checkFolder('Data folder', dataDir, 'will be made at the first start'),
    },
    { subject: 'Disk', run: () => checkRoom('Disk: data', dataDir) },
    { subject: 'Disk', run: () => checkRoom('Disk: uploads', os.tmpdir()) },
    { subject: 'Open files', run: checkOpenFiles },
  ];
}

function cardChecks({ stripe }: Config, publicUrl: string): Checking[] {
  const subject = 'Stripe: key';
  if (stripe.kind === 'sandbox') {
    return [
      { subject, run: async () => ok(subject, 'none is set: the sandbox takes test cards, and no money moves.') },
    ];
  }
  const { secretKey, apiBase } = stripe;
  const webhookUrl = publicUrl + WEBHOOK_PATH;
  const livemode = isLive(stripe);
  return [
    {
      subject,
      run: () => checkStripe({ secretKey, apiBase: () => apiBase, webhookUrl, livemode, now: () => new Date() }),
    },
  ];
}

const BUCKET_ADVICE =
  'Compare S3_BUCKET, S3_REGION, S3_ENDPOINT and the keys, which need to write, read, list and delete.';

function serviceChecks(config: Config, publicUrl: string): Checking[] {
  const { s3, smtpUrl: url, smtpNeedsTls: requireTls, google, locationiqKey: key, turnstile } = config;
  return [
    ...(s3 ? [{ subject: 'Bucket', run: () => checkFiles(bucketFiles(s3), 'Bucket', BUCKET_ADVICE) }] : []),
    url
      ? { subject: 'Mail', run: () => checkSmtp({ url, requireTls }) }
      : {
          subject: 'Mail',
          run: async () => ok('Mail', 'SMTP_URL is not set: the development mailbox keeps all mails.'),
        },
    ...(google ? [{ subject: 'Google login', run: () => checkGoogle(google, publicUrl) }] : []),
    ...(key ? [{ subject: 'LocationIQ', run: () => checkLocationiq({ key }) }] : []),
    ...(turnstile ? [{ subject: 'Turnstile', run: () => checkTurnstile(turnstile) }] : []),
  ];
}

type Examining = {
  readonly config: Config;
  readonly db: Database;
  readonly mark: string;
  readonly publicUrl: () => string;
};

/** Of the running program. */
export function examination({ publicUrl, ...own }: Examining): Examination {
  let running: Promise<readonly Check[]> | undefined;
  return {
    mark: own.mark,
    run: () => {
      running ??= runChecks(settingsChecks({ ...own, publicUrl: publicUrl() })).finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}
