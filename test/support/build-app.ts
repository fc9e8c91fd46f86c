import { hash } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { expect } from 'vitest';
import { DEFAULT_CARD_FEE } from '#domain/card-fee.ts';
import { Failure } from '#domain/failures.ts';
import { buildApp } from '#server/app.ts';
import type { Database } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import type { AppDeps, AppSettings } from '#server/deps.ts';
import { findOrg } from '#server/entities/find-org.ts';
import { createIdentity, type IdentityOptions } from '#server/gateways/identity/create-identity.ts';
import type { Identity } from '#server/gateways/identity/identity.ts';
import { renderUserMarkdown } from '#server/gateways/markdown/render-user-markdown.ts';
import type { Payments } from '#server/gateways/payments/payments.ts';
import { openFolderFiles } from '#server/gateways/pictures/picture-files.ts';
import { createSharpPictures } from '#server/gateways/pictures/sharp-pictures.ts';
import type { ShareImages } from '#server/gateways/share-images/share-images.ts';
import { createEventSignals } from '#server/process/event-signals.ts';
import { createMetrics } from '#server/process/metrics.ts';
import { CONTACT_EMAIL } from '#test/support/default-text.ts';
import { NO_JOBS } from '#test/support/job-recorder.ts';
import { deferCleanup } from './defer-cleanup.ts';
import { LOST_CONNECTION_MESSAGE } from './failing-database.ts';
import { createLogSpy } from './log-spy.ts';

/** A payment provider that is unreachable. */
export const unreachableProvider: Payments = {
  createSession: async () => new Failure('payment-unavailable'),
  readSession: async () => new Failure('payment-unavailable'),
  listSessions: async () => new Failure('payment-unavailable'),
  readSessionLines: async () => new Failure('payment-unavailable'),
  listMovements: async () => new Failure('payment-unavailable'),
  findSession: async () => new Failure('payment-unavailable'),
  readCharge: async () => new Failure('payment-unavailable'),
  readDecline: async () => new Failure('payment-unavailable'),
  readDispute: async () => new Failure('payment-unavailable'),
  readFraudWarning: async () => new Failure('payment-unavailable'),
  readInvoice: async () => new Failure('payment-unavailable'),
  readSubscription: async () => new Failure('payment-unavailable'),
  readPayout: async () => new Failure('payment-unavailable'),
  listPayouts: async () => new Failure('payment-unavailable'),
  refund: async () => new Failure('payment-unavailable'),
  closeSession: async () => new Failure('payment-unavailable'),
  cancelSubscription: async () => new Failure('payment-unavailable'),
  changeSubscription: async () => new Failure('payment-unavailable'),
  openCardPage: async () => new Failure('payment-unavailable'),
  eventTypes: [],
  verifyEvent: () => new Failure('webhook-signature'),
  getSubject: () => undefined,
  getUnverifiedMoney: () => undefined,
  getUnverifiedSession: () => undefined,
  listEvents: async () => new Failure('payment-unavailable'),
  clockLeadMs: () => undefined,
};

/** Fake share images for tests that don't use them. */
const noShareImages: ShareImages = { open: async () => new Failure('too-many-requests') };

export const PARENT = {
  name: 'Sample Civic Organization',
  ein: '12-3456789',
  address: '1 Sample Street, Ithaca, NY 14850',
  contactEmail: CONTACT_EMAIL,
};

/**
 * The program's identity service with fast password hashes. The real hashes deliberately take a tenth of a second each.
 * password-hashes.full.test.ts tests them.
 */
export function createTestIdentity(options: IdentityOptions): Identity {
  const hashPassword = async (password: string) => hash('sha256', password.normalize('NFKC'));
  const verifyPassword = async (password: string, storedHash?: string) => storedHash === (await hashPassword(password));
  return { ...createIdentity(options), hashPassword, verifyPassword };
}

/** Dependencies and settings that a test replaces. */
export type DepsOverrides = Partial<Omit<AppDeps, 'settings'>> & { readonly settings?: Partial<AppSettings> };

/** Creates the app's dependencies for a test, any of which can be replaced. */
export async function createTestDeps(db: Database, { settings, ...overrides }: DepsOverrides = {}): Promise<AppDeps> {
  // The folder is created with the first picture, so a test that stores none leaves no empty folder behind.
  const folder = path.join(os.tmpdir(), `city-climate-fund-pictures-${newId()}`);
  deferCleanup(() => fs.rm(folder, { recursive: true, force: true }));
  const now = overrides.now ?? (() => new Date());
  const publicUrl = overrides.publicUrl ?? (() => 'https://fund.example');
  const { log, loggedProblems } = createLogSpy();
  deferCleanup(() => expect(loggedProblems).toEqual([]));
  return {
    db,
    findOrg: (orgId) => findOrg(db, orgId),
    payments: unreachableProvider,
    pictures: createSharpPictures({ files: openFolderFiles(folder) }),
    shareImages: noShareImages,
    markdownRenderer: { render: async (markdown) => renderUserMarkdown(markdown) },
    places: { search: async () => [], credit: { text: 'GeoNames', url: 'https://www.geonames.org' } },
    challenge: undefined,
    identity: createTestIdentity({ db, publicUrl, now, log }),
    settings: {
      adminEmails: [],
      stateRegistration: undefined,
      annualReportUrl: undefined,
      pageOrigins: [],
      apiOrigins: [],
      defaultOrg: 'sample',
      production: false,
      cardFee: DEFAULT_CARD_FEE,
      metricsToken: undefined,
      ...settings,
    },
    jobs: NO_JOBS,
    events: createEventSignals(),
    parent: PARENT,
    publicUrl,
    sandbox: false,
    livemode: true,
    metrics: createMetrics(),
    settingsCheck: { installationHash: 'tests', run: async () => [] },
    now,
    ...overrides,
  };
}

/** Substrings of log entries about failures that tests simulate. The first one is about forged payment reports. */
const SIMULATED_ERRORS = ['webhooks from the payment provider are rejected', LOST_CONNECTION_MESSAGE];

/**
 * The whole app without response caches, because tests change the database directly. The app is closed after the test
 * or, if built outside of a test, after the file. The test or file fails if the app logged an error.
 * @param webFolder a built web client; without it, no pages are served
 */
export async function buildTestApp(deps: AppDeps, webFolder?: string): Promise<FastifyInstance> {
  const errors: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) });
  const app = await buildApp(deps, { logger, webFolder, cachesCalls: false });
  deferCleanup(async () => {
    await app.close();
    expect(errors.filter((line) => !SIMULATED_ERRORS.some((message) => line.includes(message)))).toEqual([]);
  });
  return app;
}
