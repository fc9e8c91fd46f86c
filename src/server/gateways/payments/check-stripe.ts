import Stripe from 'stripe';
import { isClockWrong } from '#domain/health-checks.ts';
import { errorLabel, failing, ok, type SettingCheck, warning } from '#server/gateways/check.ts';
import { formatCommandLine } from '#server/process/app-path.ts';
import { EVENT_TYPES, firstEventPages } from './stripe-events.ts';
import { createClient, type StripeOptions } from './stripe-payments.ts';

export type StripeCheckOptions = Pick<StripeOptions, 'secretKey' | 'apiBase'> & {
  /** Address to which Stripe should send events. */
  readonly webhookUrl: string;
  readonly livemode: boolean;
  readonly now: () => Date;
};

const KEY_SUBJECT = 'Stripe: key';
const WEBHOOK_SUBJECT = 'Stripe: webhook';
const DELIVERIES_SUBJECT = 'Stripe: events';
const CLOCK_SUBJECT = 'Clock';
const CONNECT = `Run “${formatCommandLine('connect-stripe')}”.`;
const TIMEOUT_MS = 10_000;
const EVENT_PERIOD_MS = 3 * 24 * 60 * 60_000;
const CLOCK_WARNING_SECONDS = 60;

/** Test read of each resource that the program needs, because a restricted key may lack permissions. */
const RESOURCE_READS: Readonly<Record<string, (stripe: Stripe) => Promise<unknown>>> = {
  'Checkout Sessions': (stripe) => stripe.checkout.sessions.list(ONE_ITEM),
  Charges: (stripe) => stripe.charges.list(ONE_ITEM),
  Refunds: (stripe) => stripe.refunds.list(ONE_ITEM),
  Disputes: (stripe) => stripe.disputes.list(ONE_ITEM),
  'Early Fraud Warnings': (stripe) => stripe.radar.earlyFraudWarnings.list(ONE_ITEM),
  Invoices: (stripe) => stripe.invoices.list(ONE_ITEM),
  Subscriptions: (stripe) => stripe.subscriptions.list(ONE_ITEM),
  Payouts: (stripe) => stripe.payouts.list(ONE_ITEM),
  'Balance Transactions': (stripe) => stripe.balanceTransactions.list(ONE_ITEM),
  Events: (stripe) => stripe.events.list(ONE_ITEM),
};
const ONE_ITEM = { limit: 1 };

/** Checks the key, the account, its webhook, its recent events, and the clock. */
export async function checkStripe(options: StripeCheckOptions): Promise<SettingCheck[]> {
  const stripe = createClient({ ...options, timeoutMs: TIMEOUT_MS });
  const account = await tryRequest(() => stripe.accounts.retrieveCurrent());
  if (account === 'rejected') {
    return [
      failing(KEY_SUBJECT, 'Stripe rejects STRIPE_SECRET_KEY. Copy the key again from Stripe’s “API keys” page.'),
    ];
  }
  if (account instanceof Error) {
    return [
      failing(
        KEY_SUBJECT,
        `Can’t reach Stripe (${errorLabel(account)}). Check that this machine can connect to api.stripe.com.`,
      ),
    ];
  }
  const [unreadableResources, webhook, deliveries] = await Promise.all([
    findUnreadableResources(stripe),
    checkWebhook(stripe, options),
    checkDeliveries(stripe, options),
  ]);
  const accountDetails = account === 'forbidden' ? undefined : account;
  return [
    toKeyCheck(accountDetails, unreadableResources, options.livemode),
    webhook,
    deliveries,
    ...(accountDetails ? [toClockCheck(accountDetails.lastResponse.headers.date, options.now())] : []),
  ];
}

type StripeCheckError = 'rejected' | 'forbidden' | Error;

/** @returns Stripe's response; rejected if the key is invalid; forbidden if it lacks permission; otherwise the error */
async function tryRequest<T>(request: () => Promise<T>): Promise<T | StripeCheckError> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeAuthenticationError) return 'rejected';
    if (error instanceof Stripe.errors.StripePermissionError) return 'forbidden';
    return error instanceof Error ? connectionCause(error) : new Error();
  }
}

/** Unwraps the system's error for a failed connection, which shows whether a name, a port, or a certificate is the problem. */
function connectionCause(error: Error): Error {
  return error instanceof Stripe.errors.StripeConnectionError && error.detail instanceof Error ? error.detail : error;
}

function isError<T extends object>(result: T | StripeCheckError): result is StripeCheckError {
  return typeof result === 'string' || result instanceof Error;
}

/** Finds the names of the resources that the key may not read. */
async function findUnreadableResources(stripe: Stripe): Promise<string[]> {
  const names = await Promise.all(
    Object.entries(RESOURCE_READS).map(async ([name, read]) =>
      (await tryRequest(() => read(stripe))) === 'forbidden' ? name : '',
    ),
  );
  return names.filter((name) => name !== '');
}

type Account = Pick<Stripe.Account, 'country' | 'charges_enabled' | 'business_profile' | 'settings'>;

/** @param account undefined if a restricted key may not read it */
export function toKeyCheck(
  account: Account | undefined,
  unreadableResources: readonly string[],
  livemode: boolean,
): SettingCheck {
  const key = livemode ? 'live key' : 'test key (no real money)';
  if (unreadableResources.length > 0) {
    return failing(
      KEY_SUBJECT,
      `this ${key} can’t read ${unreadableResources.join(', ')}. Give the restricted key these permissions.`,
    );
  }
  if (!account) return ok(KEY_SUBJECT, `restricted ${key} with all required permissions.`);
  const name = account.business_profile?.name ?? account.settings?.dashboard.display_name;
  const summary = `${key} of ${name ? `“${name}”` : 'an unnamed account'}, ${account.country ?? 'no country'}`;
  if (!account.charges_enabled) {
    return failing(
      KEY_SUBJECT,
      `${summary}, which can’t charge cards yet. Complete Stripe’s “Activate payments” form.`,
    );
  }
  return ok(KEY_SUBJECT, `${summary}, can charge cards.`);
}

async function checkWebhook(stripe: Stripe, { webhookUrl, livemode }: StripeCheckOptions): Promise<SettingCheck> {
  const endpoints = await tryRequest(() => stripe.webhookEndpoints.list({ limit: 100 }));
  if (endpoints === 'forbidden') {
    return warning(
      WEBHOOK_SUBJECT,
      'not checked, because the restricted key can’t read webhooks (permission: Webhook Endpoints, read).',
    );
  }
  if (isError(endpoints)) return warning(WEBHOOK_SUBJECT, 'Stripe did not respond. Try again.');
  return toWebhookCheck(endpoints.data, webhookUrl, livemode);
}

type Endpoint = Pick<Stripe.WebhookEndpoint, 'url' | 'status' | 'enabled_events' | 'livemode' | 'api_version'>;

export function toWebhookCheck(endpoints: readonly Endpoint[], url: string, livemode: boolean): SettingCheck {
  const matchingEndpoints = endpoints.filter(
    (endpoint) => endpoint.livemode === livemode && endpoint.url.replace(/\/$/, '') === url,
  );
  const endpoint = matchingEndpoints.find(({ status }) => status === 'enabled') ?? matchingEndpoints[0];
  if (!endpoint) return failing(WEBHOOK_SUBJECT, `there is no endpoint for ${url}. ${CONNECT}`);
  if (endpoint.status !== 'enabled') return failing(WEBHOOK_SUBJECT, `the endpoint for ${url} is disabled. ${CONNECT}`);
  if (matchingEndpoints.length > 1)
    return warning(WEBHOOK_SUBJECT, `there are ${matchingEndpoints.length} endpoints for ${url}. ${CONNECT}`);
  const enabledTypes = new Set(endpoint.enabled_events);
  const missingTypes = enabledTypes.has('*') ? [] : EVENT_TYPES.filter((type) => !enabledTypes.has(type));
  if (missingTypes.length > 0)
    return failing(WEBHOOK_SUBJECT, `it doesn’t send ${missingTypes.join(', ')}. ${CONNECT}`);
  const unusedTypes = [...enabledTypes].filter((type) => !EVENT_TYPES.includes(type));
  if (unusedTypes.length > 0)
    return warning(
      WEBHOOK_SUBJECT,
      `it also sends ${unusedTypes.join(', ')}, which this program doesn’t use. ${CONNECT}`,
    );
  const version = endpoint.api_version ?? 'the account’s default';
  if (endpoint.api_version !== null && endpoint.api_version !== Stripe.API_VERSION) {
    return warning(
      WEBHOOK_SUBJECT,
      `all events are enabled, but its API version is ${version} and this program uses ${Stripe.API_VERSION}. ${CONNECT}`,
    );
  }
  return ok(WEBHOOK_SUBJECT, `${url} is enabled, with all ${EVENT_TYPES.length} events and API version ${version}.`);
}

async function checkDeliveries(stripe: Stripe, { now }: StripeCheckOptions): Promise<SettingCheck> {
  const since = Math.floor((now().getTime() - EVENT_PERIOD_MS) / 1000);
  const created = { gte: since };
  const [eventPages, failedPages] = await Promise.all([
    tryRequest(() => firstEventPages(stripe, { created, limit: 1 })),
    tryRequest(() => firstEventPages(stripe, { created, limit: 100, delivery_success: false })),
  ]);
  if (isError(eventPages) || isError(failedPages))
    return warning(DELIVERIES_SUBJECT, 'Stripe did not list its events.');
  const count = failedPages.reduce((sum, { data }) => sum + data.length, 0);
  if (count > 0) {
    const countText = failedPages.some(({ has_more }) => has_more) ? `${count} or more` : `${count}`;
    return warning(
      DELIVERIES_SUBJECT,
      `${countText} events from the last three days weren’t delivered to every webhook. See Stripe’s “Webhooks” page. If the response is 400, STRIPE_WEBHOOK_SECRET belongs to another webhook. Then run “${formatCommandLine('connect-stripe --new-secret')}”.`,
    );
  }
  return ok(
    DELIVERIES_SUBJECT,
    eventPages.some(({ data }) => data.length > 0)
      ? 'all events from the last three days were delivered.'
      : 'no events in the last three days.',
  );
}

/** @param date the Date header of Stripe's response */
export function toClockCheck(date: string | undefined, now: Date): SettingCheck {
  const seconds = Math.round(Math.abs(now.getTime() - Date.parse(date ?? '')) / 1000);
  if (Number.isNaN(seconds)) return warning(CLOCK_SUBJECT, 'Stripe’s response had no time to compare with.');
  const problem = `this machine’s clock is ${seconds} seconds off from Stripe’s`;
  if (isClockWrong(1000 * seconds))
    return failing(CLOCK_SUBJECT, `${problem}, so its webhook events are rejected. Synchronize it with NTP.`);
  if (seconds > CLOCK_WARNING_SECONDS) return warning(CLOCK_SUBJECT, `${problem}. Synchronize it with NTP.`);
  return ok(CLOCK_SUBJECT, 'matches Stripe’s clock.');
}
