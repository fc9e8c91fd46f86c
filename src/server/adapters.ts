import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { openPictureFiles } from '#server/gateways/pictures/picture-files.ts';
import { createCachedShareImages } from '#server/gateways/share-images/cached-share-images.ts';
import type { Log } from '#server/log.ts';
import { createJobDeps, QUEUED_JOBS, RECURRING_JOBS } from './background-jobs.ts';
import { type Config, isLiveMode, setFontConfigFile } from './config.ts';
import type { Database } from './db/connection.ts';
import { newId } from './db/new-id.ts';
import type { AppDeps } from './deps.ts';
import { findOrg } from './entities/find-org.ts';
import { createBackupDeps } from './features/backups/open-backups.ts';
import { recordDatabaseRecovery, recordFailingJob } from './features/operation/alarm-events.ts';
import { createSettingsCheck, hashInstallation } from './features/operation/settings-checks.ts';
import { createTurnstile } from './gateways/challenge/turnstile.ts';
import { createCountingMailer } from './gateways/email/counting-mailer.ts';
import { createDevelopmentMailbox } from './gateways/email/development-mailbox.ts';
import { createSmtpMailer } from './gateways/email/smtp-mailer.ts';
import { createIdentity, getAuthSecret } from './gateways/identity/create-identity.ts';
import { getOrCreateSecret } from './gateways/identity/identity.store.ts';
import { createRendererProcess } from './gateways/markdown/renderer-process.ts';
import { createPayments } from './gateways/payments/create-payments.ts';
import { getPictureFolder, recordPictureFolder } from './gateways/pictures/picture-folder.ts';
import { createSharpPictures } from './gateways/pictures/sharp-pictures.ts';
import { createTimedFiles } from './gateways/pictures/timed-files.ts';
import { loadBundledPlaces } from './gateways/places/bundled-places.ts';
import { createLocationiqPlaces } from './gateways/places/locationiq-places.ts';
import { createShareImagePainter } from './gateways/share-images/paint-image.ts';
import { openQueues } from './jobs/queues.ts';
import { startRecurringJobs } from './jobs/start-recurring-jobs.ts';
import { resolveAppPath } from './process/app-path.ts';
import { createEventSignals } from './process/event-signals.ts';
import type { Metrics } from './process/metrics.ts';

/** Created by the build. */
const CITIES_FILE = resolveAppPath('build/cities.tsv.gz');
const SHARE_IMAGE_ASSETS = resolveAppPath('src/server/gateways/share-images/assets');

export type Adapters = {
  readonly deps: AppDeps;
  /** Secret that signs the sandbox's webhooks; undefined if the sandbox is not used. */
  readonly sandboxSecret: string | undefined;
  /** Starts background work. Call it after the server has started listening, because the sandbox runs inside it. */
  start(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Creates the adapters that the settings select.
 * @param port returns the server's port once it is listening
 */
export async function createAdapters(
  config: Config,
  { db, metrics, log }: { readonly db: Database; readonly metrics: Metrics; readonly log: Log },
  port: () => number,
): Promise<Adapters> {
  const now = () => new Date();
  const localAddress = () => `http://127.0.0.1:${port()}`;
  const publicUrl = () => config.publicUrl ?? `http://localhost:${port()}`;
  const sandboxSecret = config.stripe.kind === 'sandbox' ? `whsec_${randomBytes(24).toString('hex')}` : undefined;
  const email = createMailer(config, metrics);
  const installation = await getOrCreateSecret(db.kysely, 'installation', newId());
  const payments = createPayments(config.stripe, {
    installation,
    now,
    metrics,
    sandbox: { address: localAddress, webhookSecret: sandboxSecret ?? '' },
  });
  db.availability.subscribe((isDown) => {
    if (isDown) metrics.count('fund_database_outages_total');
    // If another outage begins before this recovery is recorded, the next recovery is recorded instead.
    else void recordDatabaseRecovery(db, now()).catch(() => {});
  });
  setFontConfigFile(path.join(SHARE_IMAGE_ASSETS, 'fonts.conf'));
  const folder = getPictureFolder(config.dataDir);
  if (!config.s3) await recordPictureFolder(db, folder, log);
  const pictureFiles = createTimedFiles(openPictureFiles({ folder, s3: config.s3 }), metrics);
  const pictures = createSharpPictures({ files: pictureFiles, log });
  const markdownRenderer = createRendererProcess({ log });
  // Reads the secret in advance, because the transaction that checks the first code of an authenticator app uses it.
  const authSecret = config.authSecret ?? (await getAuthSecret(db));
  // Opens the queues after every other step that can fail, because a failed start doesn't close them.
  const jobs = await openQueues(db, log, QUEUED_JOBS);
  const events = createEventSignals();
  const bundledPlaces = loadBundledPlaces(CITIES_FILE);
  const deps: AppDeps = {
    db,
    payments,
    pictures,
    parent: config.parent,
    publicUrl,
    sandbox: sandboxSecret !== undefined,
    now,
    livemode: isLiveMode(config.stripe),
    mailbox: email.mailbox,
    challenge: config.turnstile && createTurnstile({ ...config.turnstile, log }),
    findOrg: (orgId) => findOrg(db, orgId),
    markdownRenderer,
    jobs,
    events,
    shareImages: createCachedShareImages({
      files: pictureFiles,
      paint: createShareImagePainter(SHARE_IMAGE_ASSETS),
      log,
    }),
    places: config.locationiqKey
      ? createLocationiqPlaces({ key: config.locationiqKey, fallback: bundledPlaces, log })
      : bundledPlaces,
    identity: createIdentity({
      db,
      publicUrl,
      secret: authSecret,
      google: config.google,
      now,
      log,
      adminsNeedSecondFactor: config.adminsNeedSecondFactor,
    }),
    settings: config,
    metrics,
    settingsCheck: createSettingsCheck({
      config,
      db,
      installationHash: hashInstallation(installation),
      publicUrl,
    }),
  };
  const backgroundDeps = createJobDeps({
    ...deps,
    mailer: email.mailer,
    log,
    alarmEmails: config.alarmEmails,
    dataDir: config.dataDir,
    backups: createBackupDeps(config, db, now, log),
  });
  let recurring: ReturnType<typeof startRecurringJobs> | undefined;
  const start = async () => {
    await jobs.startWorkers(backgroundDeps);
    recurring = startRecurringJobs(RECURRING_JOBS, {
      ...backgroundDeps,
      recordFailingJob: () => recordFailingJob(db, now()),
    });
  };
  const close = async () => {
    events.stop();
    await recurring?.stop();
    await jobs.stop();
    markdownRenderer.close();
  };
  return { deps, sandboxSecret, start, close };
}

/** SMTP if configured; otherwise the development mailbox. */
function createMailer(config: Config, metrics: Metrics) {
  const from = { name: config.parent.name, address: config.parent.contactEmail };
  const { smtpUrl: url, smtpNeedsTls: requireTls } = config;
  if (url)
    return { mailer: createCountingMailer(createSmtpMailer({ url, from, requireTls }), metrics), mailbox: undefined };
  const mailbox = createDevelopmentMailbox({ folder: path.join(config.dataDir, 'mailbox'), from });
  return { mailer: createCountingMailer(mailbox, metrics), mailbox };
}
