import type { Database } from './db/connection.ts';
import type { Identity } from './gateways/identity/identity.ts';
import type { Mailbox } from './gateways/mail/mailer.ts';
import type { Payments } from './gateways/payments/payments.ts';
import type { Pictures } from './gateways/pictures/pictures.ts';
import type { Places } from './gateways/places/places.ts';
import type { Cards } from './gateways/share-images/share-images.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { OrgFacts } from './orgs/find-org.ts';

/** The organisation that the platform is a program of, and how to reach the people who run it (decisions §1). */
export type Parent = {
  readonly name: string;
  readonly ein: string;
  readonly address: string;
  readonly contactEmail: string;
};

/** All that the app is made of. `main.ts` picks the adapters; a test picks others. */
export type AppDeps = {
  readonly db: Database;
  /** The organization of an id, which every call in one asks for. */
  readonly findOrg: (orgId: string) => Promise<OrgFacts | undefined>;
  readonly payments: Payments;
  readonly pictures: Pictures;
  /** The pictures that go along where a page is shared. */
  readonly cards: Cards;
  readonly places: Places;
  readonly identity: Identity;
  /** The addresses whose owners are admins once they have proven them, as the configuration names them. */
  readonly adminEmails: readonly string[];
  readonly jobs: Jobs;
  /** The development mailbox; absent in production and where SMTP is configured. */
  readonly mailbox?: Mailbox | undefined;
  readonly parent: Parent;
  /** The origin under which the public reaches the site, without a slash at the end. */
  readonly publicUrl: () => string;
  /** The origins of pages that are served apart from the program, and may make calls all the same. */
  readonly pageOrigins: readonly string[];
  /** The origins of APIs that this host's pages call instead of its own. */
  readonly apiOrigins: readonly string[];
  /** The id of the organisation that `/` leads to. */
  readonly defaultOrg: string;
  readonly production: boolean;
  /** Whether payments go to the sandbox, so that the site can say that no money moves. */
  readonly sandbox: boolean;
  readonly now: () => Date;
};
