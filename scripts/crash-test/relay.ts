import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

export type Relay = {
  /** URL to which the provider sends its events. */
  readonly url: string;
  /** Number of events that a server has acknowledged with a 2xx. */
  acknowledgedCount(): number;
  /** Returns the ids of events that a server has acknowledged with a 2xx since the last call. */
  removeAcknowledged(): ReadonlySet<string>;
  /** Resolves when no copy is in transit. */
  waitUntilIdle(): Promise<void>;
  close(): Promise<void>;
};

const MAX_DELAY_MS = 200;
const MAX_COPY_DELAY_MS = 1500;
const COPY_SHARE = 0.4;
/** The server finds dropped events in the provider's event list. */
const DROP_SHARE = 0.03;
const MAX_COPIES = 3;
const TIMEOUT_MS = 15_000;

/** Simulated network between the provider and the webhook that reorders, duplicates, and drops events. */
export async function startRelay(webhooks: readonly string[]): Promise<Relay> {
  let acknowledgedIds = new Set<string>();
  let acknowledgedCount = 0;
  const pendingCopies = new Set<Promise<void>>();
  const forward = async ({ body, signature }: ReceivedEvent, maxDelay: number) => {
    await pause(Math.random() * maxDelay);
    const url = webhooks[Math.floor(Math.random() * webhooks.length)] ?? '';
    const headers = { 'stripe-signature': signature, 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    if (response.ok) {
      acknowledgedCount += 1;
      acknowledgedIds.add(readEventId(body));
    }
    return response.status;
  };
  const sendCopies = (request: ReceivedEvent) => {
    if (Math.random() > COPY_SHARE) return;
    const count = 1 + Math.floor(Math.random() * MAX_COPIES);
    for (let copy = 0; copy < count; copy += 1) {
      const delivery: Promise<void> = forward(request, MAX_COPY_DELAY_MS)
        .then(
          () => {},
          // The server is down. Copies aren't retried.
          () => {},
        )
        .finally(() => pendingCopies.delete(delivery));
      pendingCopies.add(delivery);
    }
  };
  const server = createServer((request, response) => {
    const respond = async () => {
      const receivedRequest = await receive(request);
      if (Math.random() < DROP_SHARE) {
        response.writeHead(200).end();
        return;
      }
      sendCopies(receivedRequest);
      response.writeHead(await forward(receivedRequest, MAX_DELAY_MS)).end();
    };
    respond().catch(() => response.writeHead(502).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    acknowledgedCount: () => acknowledgedCount,
    removeAcknowledged: () => {
      const previousIds = acknowledgedIds;
      acknowledgedIds = new Set();
      return previousIds;
    },
    waitUntilIdle: async () => {
      while (pendingCopies.size > 0) await Promise.all(pendingCopies);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

type ReceivedEvent = { readonly body: Buffer<ArrayBuffer>; readonly signature: string };

async function receive(request: IncomingMessage): Promise<ReceivedEvent> {
  return { body: Buffer.from(await buffer(request)), signature: String(request.headers['stripe-signature']) };
}

function readEventId(body: Buffer): string {
  return (JSON.parse(body.toString()) as { id: string }).id;
}
