import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { EVENT_TYPES } from '#server/gateways/payments/stripe-events.ts';
import { deferCleanup } from './defer-cleanup.ts';

/** An operator's Stripe setup, which the sandbox doesn't have: the account and its webhooks. */
export type StripeAccount = {
  readonly url: string;
  /** Status of the responses; if undefined, the account never responds. */
  status: number | undefined;
  /** Parts of paths that the key may not read. */
  readonly forbiddenPaths: Set<string>;
  account: { country: string; charges_enabled: boolean; business_profile: { name: string } };
  webhooks: Pick<Stripe.WebhookEndpoint, 'url' | 'status' | 'enabled_events' | 'livemode' | 'api_version'>[];
  /** Types of undelivered events. */
  undeliveredTypes: readonly string[];
  date: Date;
};

export function createWebhook(url: string): StripeAccount['webhooks'][number] {
  const enabled_events = [...EVENT_TYPES] as Stripe.WebhookEndpointCreateParams.EnabledEvent[];
  return { url, status: 'enabled', enabled_events, livemode: false, api_version: Stripe.API_VERSION };
}

export async function startStripeAccount(): Promise<StripeAccount> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stripe');
    const { status } = account;
    if (status === undefined) return;
    const isForbidden = [...account.forbiddenPaths].some((part) => pathname.includes(part));
    const list = (data: readonly object[]) => ({ object: 'list', data, has_more: false, url: pathname });
    const types = [...searchParams].flatMap(([name, value]) => (name.startsWith('types[') ? [value] : []));
    const hasTooManyTypes = types.length > 20;
    const errorStatus = status === 200 ? (isForbidden ? 403 : hasTooManyTypes ? 400 : undefined) : status;
    const reportedTypes = searchParams.has('delivery_success') ? account.undeliveredTypes : EVENT_TYPES;
    const events = reportedTypes.filter((type) => types.includes(type)).map((type) => ({ id: `evt_${type}`, type }));
    const body = pathname.endsWith('/account')
      ? { object: 'account', id: 'acct_1', ...account.account }
      : pathname.endsWith('/webhook_endpoints')
        ? list(account.webhooks)
        : list(pathname.endsWith('/events') ? events : []);
    response.writeHead(errorStatus ?? 200, { 'content-type': 'application/json', date: account.date.toUTCString() });
    response.end(
      JSON.stringify(errorStatus ? { error: { type: 'invalid_request_error', message: MESSAGE_WITH_KEY } } : body),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  deferCleanup(() => {
    server.closeAllConnections();
    server.close();
  });
  const account: StripeAccount = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    status: 200,
    forbiddenPaths: new Set(),
    account: { country: 'US', charges_enabled: true, business_profile: { name: 'Ithaca Fund' } },
    webhooks: [],
    undeliveredTypes: [],
    date: new Date(),
  };
  return account;
}

/** Stripe's message contains part of the key. */
const MESSAGE_WITH_KEY = 'Invalid API Key provided: sk_test_canary********nary';
