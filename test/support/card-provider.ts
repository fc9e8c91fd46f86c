import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import Stripe from 'stripe';
import { buildSandboxServer } from '#sandbox/sandbox.ts';
import { EVENT_TYPES } from '#server/gateways/payments/stripe-events.ts';
import { createStripePayments, type StripeOptions } from '#server/gateways/payments/stripe-payments.ts';
import type { TestClock } from './clock.ts';
import { deferCleanup } from './defer-cleanup.ts';

export const VALID_CARD = '4242 4242 4242 4242';
export const DECLINED_CARD = '4000 0000 0000 0002';
export const THREE_D_SECURE_CARD = '4000 0025 0000 3155';

export const WEBHOOK_SECRET = 'whsec_of_the_tests';
const SECRET_KEY = 'sk_test_of_the_tests';
export const INSTALLATION = 'the tests';

/** The sandbox as a server, with the real SDK as its client. Events are delivered only on request. */
export type CardProvider = {
  /** The program's webhook URL, set once the program is listening. */
  webhookUrl: string;
  readonly options: StripeOptions;
  readonly payments: ReturnType<typeof createStripePayments>;
  /** Client for inspecting the provider's data. */
  readonly stripe: Stripe;
  /** Submits the hosted payment page. @returns the URL that it redirects to */
  pay(paymentUrl: string, card?: string, name?: string): Promise<string>;
  /** Pays by bank debit, which stays pending until `resolveDebits`. */
  payByDebit(paymentUrl: string): Promise<string>;
  /** Settles or fails every pending debit, as the bank would. */
  resolveDebits(outcome: 'settle' | 'fail'): Promise<void>;
  expireSession(paymentUrl: string): Promise<void>;
  /** Ends every recurring gift, so that moving the clock no longer renews it. */
  endSubscriptions(): Promise<void>;
  /** Tries to deliver all undelivered events. */
  deliverEvents(): Promise<void>;
  /** Delivers an event again. @returns the program's status */
  redeliver(eventId: string): Promise<string>;
  /** Submits a form on the sandbox's dashboard, for example `charges/ch_…` with `action=dispute`. */
  submitDashboardForm(path: string, fields: Record<string, string>): Promise<void>;
  /** @returns the id of the charge for a checkout's payment */
  readChargeId(paymentUrl: string): Promise<string>;
  /** Checkout session events, oldest first. */
  listSessionEvents(): Promise<Stripe.Event[]>;
};

export async function startCardProvider(clock: TestClock): Promise<CardProvider> {
  let webhookUrl = 'http://127.0.0.1:9/not-listening-yet';
  let baseUrl = '';
  const server = await buildSandboxServer({
    stateFile: ':memory:',
    webhookUrl: () => webhookUrl,
    webhookSecret: WEBHOOK_SECRET,
    // As `fund connect-stripe` sets it up. Half of the events have other types.
    webhookEvents: EVENT_TYPES,
    publicUrl: () => baseUrl,
    log: { warn: () => {}, error: () => {} },
    now: clock.now,
    deliversAutomatically: false,
  });
  baseUrl = await listenLocally(server);
  deferCleanup(() => server.close());
  const options = {
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    installation: INSTALLATION,
    apiBase: () => baseUrl,
    // On a busy machine, the sandbox may respond slowly without being unreachable.
    timeoutMs: 60_000,
    now: clock.now,
  };
  const { hostname, port } = new URL(baseUrl);
  const stripe = new Stripe(SECRET_KEY, { host: hostname, port, protocol: 'http' });
  return {
    get webhookUrl() {
      return webhookUrl;
    },
    set webhookUrl(url) {
      webhookUrl = url;
    },
    options,
    payments: createStripePayments(options),
    stripe,
    pay: (paymentUrl, card = VALID_CARD, name = PAYER.name) =>
      sendForm(paymentUrl, { ...PAYER, name, number: card, expiry: '12/60', cvc: '123' }),
    payByDebit: (paymentUrl) => sendForm(paymentUrl, { ...PAYER, method: 'us_bank_account' }),
    resolveDebits: (outcome) => resolveDebits(baseUrl, outcome),
    expireSession: async (paymentUrl) => void (await stripe.checkout.sessions.expire(parseSessionId(paymentUrl))),
    endSubscriptions: async () => {
      for await (const { id } of stripe.subscriptions.list({ limit: 100 })) await stripe.subscriptions.cancel(id);
    },
    deliverEvents: () => server.sandbox.deliverPending(),
    redeliver: (eventId) => redeliver(baseUrl, eventId),
    submitDashboardForm: async (path, fields) => {
      const response = await fetch(`${baseUrl}/sandbox/${path}`, {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
      });
      if (response.status !== 303)
        throw new Error(`The dashboard returned ${response.status}: ${await response.text()}`);
      await response.body?.cancel();
    },
    readChargeId: async (paymentUrl) => {
      const session = await stripe.checkout.sessions.retrieve(parseSessionId(paymentUrl), {
        expand: ['payment_intent', 'invoice.payments'],
      });
      const invoice = typeof session.invoice === 'object' ? session.invoice : null;
      const invoiceIntent = invoice?.payments?.data[0]?.payment.payment_intent;
      const intent =
        typeof session.payment_intent === 'object' && session.payment_intent
          ? session.payment_intent
          : await stripe.paymentIntents.retrieve(
              typeof invoiceIntent === 'string' ? invoiceIntent : (invoiceIntent?.id ?? ''),
            );
      return typeof intent.latest_charge === 'string' ? intent.latest_charge : (intent.latest_charge?.id ?? '');
    },
    listSessionEvents: () => sessionEvents(stripe),
  };
}

export const PAYER = { email: 'payer@example.org', name: 'Paula Payer' };

export async function listenLocally(app: FastifyInstance): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address() as AddressInfo;
  return `http://127.0.0.1:${address.port}`;
}

export function parseSessionId(paymentUrl: string): string {
  return paymentUrl.split('/').at(-1) ?? '';
}

async function sendForm(url: string, fields: Record<string, string>): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  await response.body?.cancel();
  return response.headers.get('location') ?? url;
}

async function resolveDebits(baseUrl: string, outcome: 'settle' | 'fail'): Promise<void> {
  const page = await fetch(`${baseUrl}/sandbox/debits`).then((response) => response.text());
  const intents = new Set([...page.matchAll(/\/sandbox\/debits\/(pi_\w+)/g)].map(([, intent]) => intent));
  for (const intent of intents) await sendForm(`${baseUrl}/sandbox/debits/${intent}`, { outcome });
}

async function redeliver(baseUrl: string, eventId: string): Promise<string> {
  const response = await fetch(`${baseUrl}/sandbox/events/${eventId}/redeliver`, { method: 'POST' });
  const { result } = (await response.json()) as { result: string };
  return result;
}

async function sessionEvents(stripe: Stripe): Promise<Stripe.Event[]> {
  const { data } = await stripe.events.list({ type: 'checkout.session.*', limit: 100 });
  return data.reverse();
}
