import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { onTestFinished } from 'vitest';
import { buildSandboxServer, type SandboxHandle } from '#sandbox/sandbox.ts';

export const WEBHOOK_SECRET = 'whsec_of_the_tests';

/** A delivered event: its body and signature header. */
export type DeliveredEvent = { readonly body: string; readonly signature: string };

export type Receiver = {
  readonly url: string;
  readonly events: DeliveredEvent[];
  /** The types of the events received so far, in order. */
  readonly types: () => string[];
  /** Sets the status of all later responses. */
  readonly respondWith: (status: number) => void;
};

/** Starts a server that receives webhooks. */
export async function openReceiver(): Promise<Receiver> {
  const events: DeliveredEvent[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      events.push({ body, signature: String(request.headers['stripe-signature']) });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    events,
    types: () => events.map(({ body }) => (JSON.parse(body) as { type: string }).type),
    respondWith: (newStatus) => {
      status = newStatus;
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

export type Clock = { now: Date };

export type SandboxSettings = {
  readonly receiver?: Receiver;
  readonly stateFile?: string;
  readonly clock?: Clock;
  readonly deliversAutomatically?: boolean;
};

export type OpenSandbox = {
  readonly base: string;
  readonly stripe: Stripe;
  readonly handle: SandboxHandle;
  readonly warnings: string[];
  readonly close: () => Promise<void>;
  readonly get: (path: string) => Promise<Page>;
  readonly post: (path: string, fields: Record<string, string>) => Promise<Page>;
  /** Submits the card form of a session's page. */
  readonly payByCard: (session: { id: string }, fields?: Record<string, string>) => Promise<Page>;
};

export type Page = {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
  readonly headers: Headers;
};

export const GOOD_CARD = {
  email: 'ann@example.org',
  name: 'Ann Lee',
  number: '4242 4242 4242 4242',
  expiry: '12 / 34',
  cvc: '123',
};

/** Starts the sandbox as a server, with the real SDK as its client. Without a receiver, tests deliver events themselves. */
export async function openSandbox(settings: SandboxSettings = {}): Promise<OpenSandbox> {
  const { receiver, clock } = settings;
  const warnings: string[] = [];
  let base = '';
  const collectWarning = (_details: unknown, message?: string): void => void warnings.push(message ?? '');
  const app = await buildSandboxServer({
    stateFile: settings.stateFile ?? ':memory:',
    webhookUrl: () => receiver?.url ?? 'http://127.0.0.1:9/nobody',
    webhookSecret: WEBHOOK_SECRET,
    publicUrl: () => base,
    log: { warn: collectWarning, error: collectWarning },
    now: clock && (() => clock.now),
    deliversAutomatically: settings.deliversAutomatically ?? receiver !== undefined,
    retryDelay: () => 5,
  });
  base = await app.listen({ port: 0, host: '127.0.0.1' });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= app.close());
  onTestFinished(close);
  const get = (path: string): Promise<Page> => readPage(fetch(new URL(path, base), { redirect: 'manual' }));
  const post = (path: string, fields: Record<string, string>): Promise<Page> =>
    readPage(fetch(new URL(path, base), { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) }));
  const payByCard: OpenSandbox['payByCard'] = ({ id }, fields) =>
    post(`/sandbox/pay/${id}`, { method: 'card', ...GOOD_CARD, ...fields });
  return { base, stripe: createClient(base), handle: app.sandbox, warnings, close, get, post, payByCard };
}

async function readPage(pendingResponse: Promise<Response>): Promise<Page> {
  const response = await pendingResponse;
  const { status, headers } = response;
  return { status, headers, location: headers.get('location'), text: await response.text() };
}

export function createClient(base: string, key = 'sk_test_of_the_tests'): Stripe {
  const port = Number(new URL(base).port);
  return new Stripe(key, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
}

type Line = Stripe.Checkout.SessionCreateParams.LineItem;

export function line(
  cents: number,
  recurrence?: { interval: 'month' | 'year' | 'week'; interval_count?: number },
  name = 'Donation',
): Line {
  const recurring = recurrence ? { recurring: recurrence } : {};
  return { quantity: 1, price_data: { currency: 'usd', unit_amount: cents, product_data: { name }, ...recurring } };
}

/** Builds a valid request. */
export function sessionRequest(
  overrides: Stripe.Checkout.SessionCreateParams = {},
): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    line_items: [line(2500)],
    success_url: 'http://shop.test/thanks?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://shop.test/cart',
    ...overrides,
  };
}
