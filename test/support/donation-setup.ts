import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { vi } from 'vitest';
import { callPath, WEBHOOK_PATH } from '#contract/calls.ts';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import { donationItem, type SubmittedItem } from '#domain/cart.ts';
import type { Stats } from '#domain/org.ts';
import type { Database } from '#server/db/connection.ts';
import type { AppDeps } from '#server/deps.ts';
import { readOrgStats } from '#server/features/ledger/org-stats.ts';
import { type Difference, verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { applyDueEvents } from '#server/features/provider-events/apply-events.ts';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import type { JobQueue } from '#server/jobs/define-job.ts';
import { buildTestApp, createTestDeps, type DepsOverrides } from './build-app.ts';
import { addOrg } from './builders/org.ts';
import { type CardProvider, listenLocally, startCardProvider } from './card-provider.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { createTestDatabase } from './database.ts';
import { createLogSpy } from './log-spy.ts';
import type { SignedInPerson } from './sign-in.ts';

export type OpenedCheckout = { readonly id: string; readonly paymentUrl: string };

/** Checkout options. The defaults are a visitor and the setup's organization. */
type OpenOptions = {
  readonly orgId?: string | undefined;
  readonly as?: SignedInPerson | undefined;
  readonly coversFee?: boolean | undefined;
  readonly language?: string | undefined;
};

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The program and the card provider, each on its own port, with one organization. */
export type DonationSetup = {
  readonly db: Database;
  readonly deps: AppDeps;
  readonly app: FastifyInstance;
  readonly clock: TestClock;
  readonly provider: CardProvider;
  /** Applies stored events. Events delivered through `provider` are applied automatically. */
  applyEvents(): Promise<void>;
  readonly orgId: string;
  /** The program's URL. */
  readonly baseUrl: string;
  /** Numbers of receipts queued for email. */
  readonly queuedReceipts: readonly number[];
  /** @param as the caller; a visitor by default */
  call(
    method: Method,
    path: string,
    body?: unknown,
    as?: SignedInPerson,
    language?: string,
  ): Promise<LightMyRequestResponse>;
  /** @param cart by default, a donation of $25 */
  openCheckout(cart?: readonly SubmittedItem[], options?: OpenOptions): Promise<OpenedCheckout>;
  readCheckout(checkoutId: string, receipt?: string, as?: SignedInPerson): Promise<Checkout>;
  /** Opens and pays a checkout, and delivers the webhook. */
  openAndPay(options?: OpenOptions): Promise<OpenedCheckout>;
  readStats(): Promise<Stats>;
  /** The organization's total in the ledger, in cents. */
  readTotalCents(): Promise<number>;
  findDifferences(): Promise<readonly Difference[]>;
};

export async function startDonationSetup(overrides: DepsOverrides = {}): Promise<DonationSetup> {
  // Two servers and a database are slow on a busy machine.
  vi.setConfig({ testTimeout: 120_000 });
  const db = overrides.db ?? (await createTestDatabase());
  const clock = createTestClock();
  const cardProvider = await startCardProvider(clock);
  const queuedReceipts: number[] = [];
  const recordReceipts: JobQueue['enqueueAll'] = async (_tx, { name }, payloads) => {
    if (name !== sendReceiptEmail.name) return;
    queuedReceipts.push(...payloads.map((payload) => sendReceiptEmail.payload.parse(payload).receiptNumber));
  };
  const jobs: JobQueue = {
    enqueue: (tx, job, payload) => recordReceipts(tx, job, [payload]),
    enqueueAll: recordReceipts,
  };
  const deps = await createTestDeps(db, { payments: cardProvider.payments, now: clock.now, jobs, ...overrides });
  const app = await buildTestApp(deps);
  const baseUrl = await listenLocally(app);
  cardProvider.webhookUrl = baseUrl + WEBHOOK_PATH;
  const { log } = createLogSpy();
  const applyEvents = () => applyDueEvents(deps, log);
  const provider: CardProvider = {
    ...cardProvider,
    deliverEvents: async () => {
      await cardProvider.deliverEvents();
      await applyEvents();
    },
    redeliver: async (eventId) => {
      const response = await cardProvider.redeliver(eventId);
      await applyEvents();
      return response;
    },
  };
  const orgId = await addOrg(db, { created_at: clock.now() });

  const call: DonationSetup['call'] = (method, path, body, as, language) =>
    app.inject({
      method,
      url: path,
      headers: {
        'x-requested-with': 'test',
        ...as?.headers,
        ...(language === undefined ? {} : { 'accept-language': language }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
  const readCheckout: DonationSetup['readCheckout'] = async (checkoutId, receipt, as) => {
    const query = receipt === undefined ? '' : `?receipt=${receipt}`;
    const response = await call(
      'GET',
      callPath('readCheckout', { orgid: orgId, checkoutid: checkoutId }) + query,
      undefined,
      as,
    );
    return response.json<Checkout>();
  };
  const openCheckout: DonationSetup['openCheckout'] = async (cart = [donationItem(25)], options = {}) => {
    const { orgId: targetOrgId = orgId, as, coversFee = false, language } = options;
    const response = await call(
      'POST',
      callPath('createCheckout', { orgid: targetOrgId }),
      { cart, coversFee },
      as,
      language,
    );
    const { url } = response.json<{ url: string }>();
    const row = await db.kysely
      .selectFrom('checkouts')
      .select('id')
      .where('payment_url', '=', url)
      .executeTakeFirstOrThrow();
    return { id: row.id, paymentUrl: url };
  };
  return {
    db,
    deps,
    app,
    clock,
    provider,
    applyEvents,
    orgId,
    baseUrl,
    queuedReceipts,
    call,
    openCheckout,
    readCheckout,
    openAndPay: async (options) => {
      const checkout = await openCheckout(undefined, options);
      await provider.pay(checkout.paymentUrl);
      await provider.deliverEvents();
      return checkout;
    },
    readStats: () => readOrgStats(db, orgId),
    readTotalCents: () => sumCents(db, orgId),
    findDifferences: () => verifyLedger(db),
  };
}

async function sumCents(db: Database, orgId: string): Promise<number> {
  const sum = sql<number>`coalesce(sum(amount_cents), 0)::int8`.as('cents');
  const { cents } = await db.kysely
    .selectFrom('ledger_entries')
    .select(sum)
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow();
  return cents;
}
