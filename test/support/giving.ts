import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { vi } from 'vitest';
import { callPath, WEBHOOK_PATH } from '#contract/calls.ts';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import { donationItem, type SubmittedItem } from '#domain/cart.ts';
import type { Stats } from '#domain/org.ts';
import type { Database } from '#server/db/connection.ts';
import type { AppDeps } from '#server/deps.ts';
import { orgStats } from '#server/features/ledger/org-stats.ts';
import { type Difference, verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { applyDueEvents } from '#server/features/provider-events/apply-events.ts';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import type { JobQueue } from '#server/jobs/define-job.ts';
import { buildTestApp, type DepsOverrides, testDeps } from './build-app.ts';
import { addOrg } from './builders/org.ts';
import { type CardProvider, listenLocally, startCardProvider } from './card-provider.ts';
import { type TestClock, testClock } from './clock.ts';
import { testDatabase } from './database.ts';
import type { SignedInPerson } from './sign-in.ts';
import { createLogSpy } from './watched-log.ts';

export type OpenedCheckout = { readonly id: string; readonly paymentUrl: string };

/** By default, a visitor opens a checkout of the setup's organization. */
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
  apply(): Promise<void>;
  readonly orgId: string;
  /** The program's URL. */
  readonly base: string;
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
  open(cart?: readonly SubmittedItem[], options?: OpenOptions): Promise<OpenedCheckout>;
  read(checkoutId: string, receipt?: string, as?: SignedInPerson): Promise<Checkout>;
  /** Opens and pays a checkout, and delivers the webhook. */
  openAndPay(options?: OpenOptions): Promise<OpenedCheckout>;
  stats(): Promise<Stats>;
  /** The organization's total in the ledger, in cents. */
  cents(): Promise<number>;
  differences(): Promise<readonly Difference[]>;
};

export async function startGiving(overrides: DepsOverrides = {}): Promise<DonationSetup> {
  // Two servers and a database are slow on a busy machine.
  vi.setConfig({ testTimeout: 120_000 });
  const db = overrides.db ?? (await testDatabase());
  const clock = testClock();
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
  const deps = await testDeps(db, { payments: cardProvider.payments, now: clock.now, jobs, ...overrides });
  const app = await buildTestApp(deps);
  const base = await listenLocally(app);
  cardProvider.webhookUrl = base + WEBHOOK_PATH;
  const { log } = createLogSpy();
  const apply = () => applyDueEvents(deps, log);
  const provider: CardProvider = {
    ...cardProvider,
    deliver: async () => {
      await cardProvider.deliver();
      await apply();
    },
    redeliver: async (eventId) => {
      const response = await cardProvider.redeliver(eventId);
      await apply();
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
  const read: DonationSetup['read'] = async (checkoutId, receipt, as) => {
    const query = receipt === undefined ? '' : `?receipt=${receipt}`;
    const response = await call(
      'GET',
      callPath('readCheckout', { orgid: orgId, checkoutid: checkoutId }) + query,
      undefined,
      as,
    );
    return response.json<Checkout>();
  };
  const open: DonationSetup['open'] = async (cart = [donationItem(25)], options = {}) => {
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
    apply,
    orgId,
    base,
    queuedReceipts,
    call,
    open,
    read,
    openAndPay: async (options) => {
      const checkout = await open(undefined, options);
      await provider.pay(checkout.paymentUrl);
      await provider.deliver();
      return checkout;
    },
    stats: () => orgStats(db, orgId),
    cents: () => sumCents(db, orgId),
    differences: () => verifyLedger(db),
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
