import type { SettingCheck } from '#contract/schemas/operation.ts';
import type { Donee } from '#domain/receipt.ts';
import type { Config } from './config.ts';
import type { Database } from './db/connection.ts';
import type { OrgFacts } from './entities/find-org.ts';
import type { Challenge } from './gateways/challenge/turnstile.ts';
import type { Mailbox, Mailer } from './gateways/email/mailer.ts';
import type { Identity } from './gateways/identity/identity.ts';
import type { MarkdownRenderer } from './gateways/markdown/markdown-renderer.ts';
import type { Payments } from './gateways/payments/payments.ts';
import type { Pictures } from './gateways/pictures/pictures.ts';
import type { Places } from './gateways/places/places.ts';
import type { ShareImages } from './gateways/share-images/share-images.ts';
import type { JobQueue } from './jobs/define-job.ts';
import type { EventSignals } from './process/event-signals.ts';
import type { Metrics } from './process/metrics.ts';

/** The organization that runs the platform (decisions §1). */
export type Parent = Donee;

/** Everything the app depends on. `adapters.ts` selects the adapters, and tests use their own. */
export type AppDeps = {
  readonly db: Database;
  readonly findOrg: (orgId: string) => Promise<OrgFacts | undefined>;
  readonly payments: Payments;
  readonly pictures: Pictures;
  readonly shareImages: ShareImages;
  readonly markdownRenderer: MarkdownRenderer;
  readonly places: Places;
  /** Test that distinguishes people from bots; undefined if not configured. */
  readonly challenge: Challenge | undefined;
  readonly identity: Identity;
  readonly jobs: JobQueue;
  /** Signals about the payment provider's events. */
  readonly events: EventSignals;
  /** Undefined in production and if SMTP is configured. */
  readonly mailbox?: Mailbox | undefined;
  readonly parent: Parent;
  readonly settings: AppSettings;
  /** The site's public origin, without a trailing slash. */
  readonly publicUrl: () => string;
  /** True if payments go to the sandbox, where no money moves. */
  readonly sandbox: boolean;
  /** True if payments move real money. */
  readonly livemode: boolean;
  readonly metrics: Metrics;
  readonly settingsCheck: SettingsCheck;
  readonly now: () => Date;
};

/** Dependencies of jobs that send email. */
export type EmailDeps = Pick<AppDeps, 'db' | 'parent' | 'publicUrl'> & { readonly mailer: Mailer };

/** Settings that features read. The other settings select adapters. */
export type AppSettings = Pick<
  Config,
  | 'adminEmails'
  | 'annualReportUrl'
  | 'apiOrigins'
  | 'cardFee'
  | 'defaultOrg'
  | 'metricsToken'
  | 'pageOrigins'
  | 'production'
  | 'stateRegistration'
>;

/** Dependencies of code that reads some of the settings. */
export type WithSettings<Name extends keyof AppSettings> = { readonly settings: Pick<AppSettings, Name> };

/** The installation's id and the check of its settings. */
export type SettingsCheck = {
  /** The same for all processes of the installation. */
  readonly installationHash: string;
  /** Tests every setting without lasting changes. Concurrent callers share one run. */
  run(): Promise<readonly SettingCheck[]>;
};
