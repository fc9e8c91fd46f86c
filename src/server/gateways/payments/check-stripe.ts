import Stripe from 'stripe';
import { isClockWrong } from '#domain/health-checks.ts';
import { type Check, kindOf, ok, warning, wrong } from '#server/gateways/check.ts';
import { commandLine } from '#server/program/program-file.ts';
import { EVENT_TYPES, firstEventPages } from './stripe-events.ts';
import { connect, type StripeOptions } from './stripe-payments.ts';

export type StripeChecking = Pick<StripeOptions, 'secretKey' | 'apiBase'> & {
  /** Address to which Stripe should send events. */
  readonly webhookUrl: string;
  readonly livemode: boolean;
  readonly now: () => Date;
};

const KEY = 'Stripe: key';
const WEBHOOK = 'Stripe: webhook';
const DELIVERIES = 'Stripe: reports';
const CLOCK = 'Clock';
const CONNECT = `Run “${commandLine('connect-stripe')}”.`;
const TIMEOUT_MS = 10_000;
const REPORT_PERIOD_MS = 3 * 24 * 60 * 60_000;
const CLOCK_WARNING_SECONDS = 60;

/** Reads of each resource that the program needs, since a restricted key may lack permissions. */
const READS: Readonly<Record<string, (stripe: Stripe) => Promise<unknown>>> = {
  'Checkout Sessions': (stripe) => stripe.checkout.sessions.list(ONE),
  Charges: (stripe) => stripe.charges.list(ONE),
  Refunds: (stripe) => stripe.refunds.list(ONE),
  Disputes: (stripe) => stripe.disputes.list(ONE),
  'Early Fraud Warnings': (stripe) => stripe.radar.earlyFraudWarnings.list(ONE),
  Invoices: (stripe) => stripe.invoices.list(ONE),
  Subscriptions: (stripe) => stripe.subscriptions.list(ONE),
  Payouts: (stripe) => stripe.payouts.list(ONE),
  'Balance Transactions': (stripe) => stripe.balanceTransactions.list(ONE),
  Events: (stripe) => stripe.events.list(ONE),
};
const ONE = { limit: 1 };

/** Checks the key, the account, its webhook, its recent reports, and the clock. */
export async function checkStripe(options: StripeChecking): Promise<Check[]> {
  const stripe = connect({ ...options, timeoutMs: TIMEOUT_MS });
  const account = await resultOf(() => stripe.accounts.retrieveCurrent());
  if (account === 'rejected') {
    return [wrong(KEY, 'Stripe rejects STRIPE_SECRET_KEY. Copy the key again from Stripe’s page “API keys”.')];
  }
  if (account instanceof Error) {
    return [wrong(KEY, `Stripe cannot be reached (${kindOf(account)}). May this machine call api.stripe.com?`)];
  }
  const [unreadable, webhook, deliveries] = await Promise.all([
    unreadableResources(stripe),
    checkWebhook(stripe, options),
    checkDeliveries(stripe, options),
  ]);
  const readable = account === 'forbidden' ? undefined : account;
  return [
    keyCheck(readable, unreadable, options.livemode),
    webhook,
    deliveries,
    ...(readable ? [clockCheck(readable.lastResponse.headers.date, options.now())] : []),
  ];
}

type StripeCheckError = 'rejected' | 'forbidden' | Error;

/** @returns Stripe's response; rejected if the key is invalid; forbidden if it lacks permission; any other error */
async function resultOf<T>(ask: () => Promise<T>): Promise<T | StripeCheckError> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeAuthenticationError) return 'rejected';
    if (error instanceof Stripe.errors.StripePermissionError) return 'forbidden';
    return error instanceof Error ? causeOf(error) : new Error();
  }
}

/** The system's own error for a failed connection, which shows whether a name, a port, or a certificate is the problem. */
function causeOf(error: Error): Error {
  return error instanceof Stripe.errors.StripeConnectionError && error.detail instanceof Error ? error.detail : error;
}

function isError<T extends object>(result: T | StripeCheckError): result is StripeCheckError {
  return typeof result === 'string' || result instanceof Error;
}

/** Names of the resources that the key may not read. */
async function unreadableResources(stripe: Stripe): Promise<string[]> {
  const names = await Promise.all(
    Object.entries(READS).map(async ([name, read]) =>
      (await resultOf(() => read(stripe))) === 'forbidden' ? name : '',
    ),
  );
  return names.filter((name) => name !== '');
}

type Account = Pick<Stripe.Account, 'country' | 'charges_enabled' | 'business_profile' | 'settings'>;

/** @param account undefined if a restricted key may not read it */
export function keyCheck(account: Account | undefined, unreadable: readonly string[], livemode: boolean): Check {
  const mode = livemode ? 'a live key' : 'a test key: no money moves';
  if (unreadable.length > 0) {
    return wrong(
      KEY,
      `${mode}, which may not read ${unreadable.join(', ')}. Give the restricted key these permissions.`,
    );
  }
  if (!account) return ok(KEY, `${mode}, restricted; it may read what is needed.`);
  const name = account.business_profile?.name ?? account.settings?.dashboard.display_name ?? 'without a name';
  const summary = `${mode}; account “${name}”, ${account.country ?? 'no country'}`;
  if (!account.charges_enabled) {
    return wrong(KEY, `${summary}, which may not charge cards yet. Finish Stripe’s form “Activate payments”.`);
  }
  return ok(KEY, `${summary}, may charge cards.`);
}

async function checkWebhook(stripe: Stripe, { webhookUrl, livemode }: StripeChecking): Promise<Check> {
  const endpoints = await resultOf(() => stripe.webhookEndpoints.list({ limit: 100 }));
  if (endpoints === 'forbidden') {
    return warning(
      WEBHOOK,
      'the restricted key may not read webhooks, so it was not looked at (Webhook Endpoints: read).',
    );
  }
  if (isError(endpoints)) return warning(WEBHOOK, 'Stripe did not respond. Try again.');
  return webhookCheck(endpoints.data, webhookUrl, livemode);
}

type Endpoint = Pick<Stripe.WebhookEndpoint, 'url' | 'status' | 'enabled_events' | 'livemode' | 'api_version'>;

export function webhookCheck(endpoints: readonly Endpoint[], url: string, livemode: boolean): Check {
  const ownEndpoints = endpoints.filter(
    (endpoint) => endpoint.livemode === livemode && endpoint.url.replace(/\/$/, '') === url,
  );
  const endpoint = ownEndpoints.find(({ status }) => status === 'enabled') ?? ownEndpoints[0];
  if (!endpoint) return wrong(WEBHOOK, `there is none for ${url}. ${CONNECT}`);
  if (endpoint.status !== 'enabled') return wrong(WEBHOOK, `the one for ${url} is switched off. ${CONNECT}`);
  if (ownEndpoints.length > 1) return warning(WEBHOOK, `there are ${ownEndpoints.length} for ${url}. ${CONNECT}`);
  const enabled = new Set(endpoint.enabled_events);
  const missing = enabled.has('*') ? [] : EVENT_TYPES.filter((type) => !enabled.has(type));
  if (missing.length > 0) return wrong(WEBHOOK, `it does not send ${missing.join(', ')}. ${CONNECT}`);
  const unused = [...enabled].filter((type) => !EVENT_TYPES.includes(type));
  if (unused.length > 0) return warning(WEBHOOK, `it also sends ${unused.join(', ')}, which nothing uses. ${CONNECT}`);
  const version = endpoint.api_version ?? 'the account’s default';
  if (endpoint.api_version !== null && endpoint.api_version !== Stripe.API_VERSION) {
    return warning(
      WEBHOOK,
      `its events are complete; its API version is ${version}, this program’s ${Stripe.API_VERSION}. ${CONNECT}`,
    );
  }
  return ok(WEBHOOK, `${url} is enabled, with all ${EVENT_TYPES.length} events and API version ${version}.`);
}

async function checkDeliveries(stripe: Stripe, { now }: StripeChecking): Promise<Check> {
  const since = Math.floor((now().getTime() - REPORT_PERIOD_MS) / 1000);
  const created = { gte: since };
  const [sent, failed] = await Promise.all([
    resultOf(() => firstEventPages(stripe, { created, limit: 1 })),
    resultOf(() => firstEventPages(stripe, { created, limit: 100, delivery_success: false })),
  ]);
  if (isError(sent) || isError(failed)) return warning(DELIVERIES, 'Stripe did not list its reports.');
  const count = failed.reduce((sum, { data }) => sum + data.length, 0);
  if (count > 0) {
    const countText = failed.some(({ has_more }) => has_more) ? `${count} or more` : `${count}`;
    return warning(
      DELIVERIES,
      `${countText} reports of the last three days have not arrived at every webhook. Look at Stripe’s page “Webhooks”: with 400 STRIPE_WEBHOOK_SECRET is another webhook’s. Then run “${commandLine('connect-stripe --new-secret')}”.`,
    );
  }
  return ok(
    DELIVERIES,
    sent.some(({ data }) => data.length > 0)
      ? 'all of the last three days arrived.'
      : 'there were none in the last three days.',
  );
}

/** @param date the Date header of Stripe's response */
export function clockCheck(date: string | undefined, now: Date): Check {
  const seconds = Math.round(Math.abs(now.getTime() - Date.parse(date ?? '')) / 1000);
  if (Number.isNaN(seconds)) return warning(CLOCK, 'Stripe’s response had no time to compare with.');
  const problem = `this machine’s clock is ${seconds} seconds off from Stripe’s`;
  if (isClockWrong(1000 * seconds)) return wrong(CLOCK, `${problem}: its reports are rejected. Set it by NTP.`);
  if (seconds > CLOCK_WARNING_SECONDS) return warning(CLOCK, `${problem}. Set it by NTP.`);
  return ok(CLOCK, 'agrees with Stripe’s.');
}
