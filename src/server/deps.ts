import type { Check } from '#contract/schemas/operation.ts';
import type { CardFee } from '#domain/card-fee.ts';
import type { Donee } from '#domain/receipt.ts';
import type { Database } from './db/connection.ts';
import type { OrgFacts } from './entities/find-org.ts';
import type { Challenge } from './gateways/challenge/turnstile.ts';
import type { Identity } from './gateways/identity/identity.ts';
import type { Mailbox } from './gateways/mail/mailer.ts';
import type { Payments } from './gateways/payments/payments.ts';
import type { Pictures } from './gateways/pictures/pictures.ts';
import type { Places } from './gateways/places/places.ts';
import type { ShareImages } from './gateways/share-images/share-images.ts';
import type { Texts } from './gateways/texts/texts.ts';
import type { JobQueue } from './jobs/define-job.ts';
import type { Metrics } from './program/metrics.ts';

/** The organization that runs the platform (decisions §1). */
export type Parent = Donee;

/** Everything the app depends on. `adapters.ts` picks the adapters; tests pick others. */
export type AppDeps = {
  readonly db: Database;
  readonly findOrg: (orgId: string) => Promise<OrgFacts | undefined>;
  readonly payments: Payments;
  readonly pictures: Pictures;
  readonly shareImages: ShareImages;
  readonly texts: Texts;
  readonly places: Places;
  /** Test that distinguishes people from bots; undefined if not configured. */
  readonly challenge: Challenge | undefined;
  readonly identity: Identity;
  readonly adminEmails: readonly string[];
  readonly jobs: JobQueue;
  /** Starts applying stored events of the payment provider immediately. */
  readonly wakeEvents: () => void;
  /** Undefined in production and if SMTP is configured. */
  readonly mailbox?: Mailbox | undefined;
  readonly parent: Parent;
  /** Sentence about state charity registration, which the footer shows. */
  readonly stateRegistration: string | undefined;
  /** Address of the parent's latest annual report. */
  readonly annualReportUrl: string | undefined;
  /** The site's public origin, without a trailing slash. */
  readonly publicUrl: () => string;
  /** True if all subdomains support https too. */
  readonly pageOrigins: readonly string[];
  readonly apiOrigins: readonly string[];
  /** The id of the organization that `/` redirects to. */
  readonly defaultOrg: string;
  readonly production: boolean;
  /** True if payments go to the sandbox, where no money moves. */
  readonly sandbox: boolean;
  /** True if payments move real money. */
  readonly livemode: boolean;
  /** Fee that donors can add so that the fund receives the full gift; undefined if not offered. */
  readonly cardFee: CardFee | undefined;
  readonly metrics: Metrics;
  /** Token for reading the metrics; undefined if disabled. */
  readonly metricsToken: string | undefined;
  readonly settingsCheck: SettingsCheck;
  readonly now: () => Date;
};

/** The installation's id and the check of its settings. */
export type SettingsCheck = {
  /** The same for all processes of the installation. */
  readonly installationHash: string;
  /** Tests every setting without lasting changes. Concurrent callers share one run. */
  run(): Promise<readonly Check[]>;
};
