// Events are delivered at least once: until the receiver responds with a 2xx, even across restarts.
import type { FastifyBaseLogger } from 'fastify';
import { createDeliveryQueue, createSignature } from './events.ts';
import type { Store } from './store.ts';
import { findActiveEndpoint } from './webhook-endpoints.ts';

export type DeliveryOptions = {
  readonly store: Store;
  /** Webhook URL, secret, and event types to use unless an endpoint was created through the API. */
  readonly webhookUrl: () => string;
  readonly webhookSecret: string;
  readonly webhookEvents: readonly string[];
  readonly now: () => Date;
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  /** Sends events automatically, without calls to `deliverPending`. */
  readonly deliversAutomatically: boolean;
  /** Milliseconds to wait after this number of failed attempts. */
  readonly retryDelay: (attempts: number) => number;
};

export type Deliveries = {
  /** Retries all undelivered events now, since the receiver may have been down along with the previous process. */
  resume: () => void;
  /** Delivers new events soon. Safe inside a transaction: it reads the queue after the transaction has ended. */
  schedule: () => void;
  /** Attempts all undelivered events, even if they are not due. */
  deliverPending: () => Promise<void>;
  /** Sends an event again, even if it was delivered. @returns the receiver's status, or an error message */
  redeliver: (event: string) => Promise<string>;
  /** Resolves when no request is in flight. */
  idle: () => Promise<void>;
  /** Aborts requests in flight. The next process sends them again. */
  stop: () => Promise<void>;
};

/** Result for an event type that the endpoint isn't subscribed to. Like a delivered event, it isn't sent again. */
const SKIPPED = '204';
const MAX_CONCURRENT = 8;
const TIMEOUT_MS = 20_000;
const MAX_DELAY_MS = 10 * 60 * 1000;

/** 1, 2, 4 … seconds, at most 10 minutes. */
export function defaultRetryDelay(attempts: number): number {
  return Math.min(1000 * 2 ** (attempts - 1), MAX_DELAY_MS);
}

export function createWebhookDeliveries(options: DeliveryOptions): Deliveries {
  const { store, deliversAutomatically, log } = options;
  const queue = createDeliveryQueue(store);
  const inFlight = new Map<string, Promise<string>>();
  const abortController = new AbortController();
  let immediate: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;

  function attempt(event: string): Promise<string> {
    const runningDelivery = inFlight.get(event);
    if (runningDelivery) return runningDelivery;
    const delivery = post(event)
      .then((result) => saveResult(event, result))
      .finally(() => inFlight.delete(event));
    inFlight.set(event, delivery);
    return delivery;
  }

  async function post(event: string): Promise<string> {
    const payload = queue.payload(event);
    const endpoint = findActiveEndpoint(store);
    if (!isSubscribed(endpoint?.enabled_events ?? options.webhookEvents, payload)) return SKIPPED;
    const { url, secret } = endpoint ?? { url: options.webhookUrl(), secret: options.webhookSecret };
    const signature = createSignature(payload, secret, options.now().getTime());
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signature,
          'user-agent': 'Stripe/1.0 (sandbox)',
        },
        body: payload,
        redirect: 'manual',
        signal: AbortSignal.any([abortController.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      return String(response.status);
    } catch (error) {
      return error instanceof Error ? errorText(error) : 'failed';
    }
  }

  function saveResult(event: string, result: string): string {
    const now = options.now().getTime();
    if (/^2\d\d$/.test(result)) {
      queue.markDelivered(event, now);
    } else if (!abortController.signal.aborted) {
      const attempts = queue.markFailed(event, result, now, options.retryDelay);
      log.warn({ event, attempts, result }, 'the sandbox could not deliver an event');
    }
    return result;
  }

  function deliverDue(): void {
    if (abortController.signal.aborted) return;
    const dueEvents = queue
      .dueEvents(options.now().getTime(), MAX_CONCURRENT + inFlight.size)
      .filter((event) => !inFlight.has(event));
    for (const event of dueEvents.slice(0, MAX_CONCURRENT - inFlight.size)) {
      attempt(event).then(deliverDue, (err: unknown) =>
        log.error({ err, event }, 'the sandbox could not record the result of a delivery'),
      );
    }
    scheduleNext();
  }

  function scheduleNext(): void {
    clearTimeout(timer);
    const next = queue.msUntilNext(options.now().getTime());
    if (next === undefined) return;
    timer = setTimeout(deliverDue, Math.min(next, MAX_DELAY_MS)).unref();
  }

  async function idle(): Promise<void> {
    do {
      await Promise.allSettled(inFlight.values());
      await new Promise(setImmediate);
    } while (immediate || inFlight.size > 0);
  }

  function schedule(): void {
    if (!deliversAutomatically || abortController.signal.aborted) return;
    immediate ??= setImmediate(() => {
      immediate = undefined;
      deliverDue();
    });
  }

  return {
    resume: () => {
      queue.makeAllDue(options.now().getTime());
      schedule();
    },
    schedule,
    deliverPending: async () => {
      await Promise.allSettled(queue.undeliveredEvents().map(attempt));
    },
    redeliver: attempt,
    idle,
    stop: async () => {
      abortController.abort(new Error('the sandbox is closing'));
      clearTimeout(timer);
      clearImmediate(immediate);
      immediate = undefined;
      await Promise.allSettled(inFlight.values());
    },
  };
}

function isSubscribed(events: readonly string[], payload: string): boolean {
  if (events.includes('*')) return true;
  const { type } = JSON.parse(payload) as { readonly type: string };
  return events.includes(type);
}

function errorText(error: Error): string {
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
