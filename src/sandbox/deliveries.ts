// Events are delivered at least once: whatever is not answered with a 2xx is sent again, also after a restart.
import type { FastifyBaseLogger } from 'fastify';
import { deliveryQueue } from './delivery-queue.ts';
import { signatureOf } from './events.ts';
import type { Store } from './store.ts';

export type DeliveryOptions = {
  readonly store: Store;
  readonly webhookUrl: () => string;
  readonly webhookSecret: string;
  readonly now: () => Date;
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  /** Whether events are sent by themselves, or only when asked for. */
  readonly automatic: boolean;
  /** How long after so many failed attempts the next one is made, in milliseconds. */
  readonly retryDelay: (attempts: number) => number;
};

export type Deliveries = {
  /** Everything undelivered is due now: its receiver may have been away with the process that ended. */
  resume: () => void;
  /** Something new is to be delivered. Safe to call inside a transaction: it looks after that has ended. */
  announce: () => void;
  /** Tries everything that is undelivered now, whenever its turn would be. Resolves when it has been tried. */
  deliverPending: () => Promise<void>;
  /** Sends an event once more, delivered or not. @returns the receiver's status, or what went wrong */
  redeliver: (event: string) => Promise<string>;
  /** Resolves when no delivery is under way. What waits for its next turn is not under way. */
  idle: () => Promise<void>;
  /** Ends it: what is under way is broken off, and sent again by the next who opens this state. */
  stop: () => Promise<void>;
};

const AT_ONCE = 8;
const TIMEOUT_MS = 20_000;
const LONGEST_DELAY_MS = 10 * 60 * 1000;

/** 1, 2, 4 … seconds, at most 10 minutes. */
export function usualRetryDelay(attempts: number): number {
  return Math.min(1000 * 2 ** (attempts - 1), LONGEST_DELAY_MS);
}

export function webhookDeliveries(options: DeliveryOptions): Deliveries {
  const { store, automatic, log } = options;
  const queue = deliveryQueue(store);
  const underWay = new Map<string, Promise<string>>();
  const stopping = new AbortController();
  let announced: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;

  function attempt(event: string): Promise<string> {
    const known = underWay.get(event);
    if (known) return known;
    const started = post(event)
      .then((answer) => note(event, answer))
      .finally(() => underWay.delete(event));
    underWay.set(event, started);
    return started;
  }

  async function post(event: string): Promise<string> {
    const payload = queue.payload(event);
    const signature = signatureOf(payload, options.webhookSecret, options.now().getTime());
    try {
      const response = await fetch(options.webhookUrl(), {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signature,
          'user-agent': 'Stripe/1.0 (sandbox)',
        },
        body: payload,
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      return String(response.status);
    } catch (error) {
      return error instanceof Error ? reasonOf(error) : 'failed';
    }
  }

  function note(event: string, answer: string): string {
    const now = options.now().getTime();
    if (/^2\d\d$/.test(answer)) {
      queue.delivered(event, now);
    } else if (!stopping.signal.aborted) {
      const attempts = queue.failed(event, answer, now, options.retryDelay);
      log.warn({ event, attempts, answer }, 'the sandbox could not deliver an event');
    }
    return answer;
  }

  function deliverDue(): void {
    if (stopping.signal.aborted) return;
    const waiting = queue.due(options.now().getTime(), AT_ONCE + underWay.size).filter((event) => !underWay.has(event));
    for (const event of waiting.slice(0, AT_ONCE - underWay.size)) {
      attempt(event).then(deliverDue, (err: unknown) =>
        log.error({ err, event }, 'the sandbox lost track of a delivery'),
      );
    }
    waitForNext();
  }

  function waitForNext(): void {
    clearTimeout(timer);
    const next = queue.nextTurn(options.now().getTime());
    if (next === undefined) return;
    timer = setTimeout(deliverDue, Math.min(next, LONGEST_DELAY_MS)).unref();
  }

  async function idle(): Promise<void> {
    do {
      await Promise.allSettled(underWay.values());
      await new Promise(setImmediate);
    } while (announced || underWay.size > 0);
  }

  function announce(): void {
    if (!automatic || stopping.signal.aborted) return;
    announced ??= setImmediate(() => {
      announced = undefined;
      deliverDue();
    });
  }

  return {
    resume: () => {
      queue.makeDue(options.now().getTime());
      announce();
    },
    announce,
    deliverPending: async () => {
      await Promise.allSettled(queue.undelivered().map(attempt));
    },
    redeliver: attempt,
    idle,
    stop: async () => {
      stopping.abort(new Error('the sandbox is closing'));
      clearTimeout(timer);
      clearImmediate(announced);
      announced = undefined;
      await Promise.allSettled(underWay.values());
    },
  };
}

function reasonOf(error: Error): string {
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
