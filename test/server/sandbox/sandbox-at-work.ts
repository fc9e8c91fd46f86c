import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { onTestFinished } from 'vitest';
import { buildSandboxServer, type SandboxHandle } from '#sandbox/sandbox.ts';

export const WEBHOOK_SECRET = 'whsec_of_the_tests';

/** A report as it came in: its bytes and its signature. */
export type Report = { readonly body: string; readonly signature: string };

export type Receiver = {
  readonly url: string;
  readonly reports: Report[];
  /** The types of what came in, in order. */
  readonly types: () => string[];
  /** What is answered from now on. */
  readonly answerWith: (status: number) => void;
};

/** Somebody who takes webhooks. */
export async function openReceiver(): Promise<Receiver> {
  const reports: Report[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      reports.push({ body, signature: String(request.headers['stripe-signature']) });
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
    reports,
    types: () => reports.map(({ body }) => (JSON.parse(body) as { type: string }).type),
    answerWith: (next) => {
      status = next;
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

export type Clock = { now: Date };

export type SandboxSettings = {
  readonly receiver?: Receiver;
  readonly stateFile?: string;
  readonly clock?: Clock;
  readonly deliver?: boolean;
};

export type AtWork = {
  readonly base: string;
  readonly stripe: Stripe;
  readonly handle: SandboxHandle;
  readonly complaints: string[];
  readonly close: () => Promise<void>;
  readonly get: (path: string) => Promise<Page>;
  readonly post: (path: string, fields: Record<string, string>) => Promise<Page>;
  /** Sends the card form of a session's page. */
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

/** The sandbox as a server of its own, with the real SDK talking to it. It delivers nothing by itself without a receiver. */
export async function openSandbox(settings: SandboxSettings = {}): Promise<AtWork> {
  const { receiver, clock } = settings;
  const complaints: string[] = [];
  let base = '';
  const complain = (_details: unknown, message?: string): void => void complaints.push(message ?? '');
  const app = await buildSandboxServer({
    stateFile: settings.stateFile ?? ':memory:',
    webhookUrl: () => receiver?.url ?? 'http://127.0.0.1:9/nobody',
    webhookSecret: WEBHOOK_SECRET,
    publicUrl: () => base,
    log: { warn: complain, error: complain },
    now: clock && (() => clock.now),
    deliver: settings.deliver ?? receiver !== undefined,
    retryDelay: () => 5,
  });
  base = await app.listen({ port: 0, host: '127.0.0.1' });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= app.close());
  onTestFinished(close);
  const get = (path: string): Promise<Page> => pageOf(fetch(new URL(path, base), { redirect: 'manual' }));
  const post = (path: string, fields: Record<string, string>): Promise<Page> =>
    pageOf(fetch(new URL(path, base), { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) }));
  const payByCard: AtWork['payByCard'] = ({ id }, fields) =>
    post(`/sandbox/pay/${id}`, { method: 'card', ...GOOD_CARD, ...fields });
  return { base, stripe: clientOf(base), handle: app.sandbox, complaints, close, get, post, payByCard };
}

async function pageOf(answer: Promise<Response>): Promise<Page> {
  const response = await answer;
  const { status, headers } = response;
  return { status, headers, location: headers.get('location'), text: await response.text() };
}

export function clientOf(base: string, key = 'sk_test_of_the_tests'): Stripe {
  const port = Number(new URL(base).port);
  return new Stripe(key, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
}

type Line = Stripe.Checkout.SessionCreateParams.LineItem;

/** A line of a cart. @param every how often it recurs */
export function line(
  cents: number,
  every?: { interval: 'month' | 'year' | 'week'; interval_count?: number },
  name = 'Donation',
): Line {
  const recurring = every ? { recurring: every } : {};
  return { quantity: 1, price_data: { currency: 'usd', unit_amount: cents, product_data: { name }, ...recurring } };
}

/** A request that Stripe takes. */
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
