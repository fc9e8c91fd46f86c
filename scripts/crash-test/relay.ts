import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

export type Relay = {
  /** URL to which the provider sends its events. */
  readonly url: string;
  /** Number of events that a server has acknowledged with a 2xx. */
  responseCount(): number;
  /** Returns the ids of events that a server has acknowledged with a 2xx since the last call. */
  takeAcknowledged(): ReadonlySet<string>;
  /** Resolves when no copy is in transit. */
  idle(): Promise<void>;
  close(): Promise<void>;
};

const LONGEST_DELAY_MS = 200;
const LONGEST_COPY_DELAY_MS = 1500;
const COPY_SHARE = 0.4;
/** The server finds dropped events in the provider's event list. */
const DROP_SHARE = 0.03;
const MAX_COPIES = 3;
const TIMEOUT_MS = 15_000;

/** Network between the provider and the webhook, which reorders, duplicates, and drops events. */
export async function startRelay(webhooks: readonly string[]): Promise<Relay> {
  let acknowledgedIds = new Set<string>();
  let responseCount = 0;
  const copies = new Set<Promise<void>>();
  const forward = async ({ body, signature }: ReceivedEvent, longestDelay: number) => {
    await pause(Math.random() * longestDelay);
    const url = webhooks[Math.floor(Math.random() * webhooks.length)] ?? '';
    const headers = { 'stripe-signature': signature, 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    if (response.ok) {
      responseCount += 1;
      acknowledgedIds.add(idOf(body));
    }
    return response.status;
  };
  const sendCopies = (request: ReceivedEvent) => {
    if (Math.random() > COPY_SHARE) return;
    const count = 1 + Math.floor(Math.random() * MAX_COPIES);
    for (let copy = 0; copy < count; copy += 1) {
      const delivery: Promise<void> = forward(request, LONGEST_COPY_DELAY_MS)
        .then(
          () => {},
          // The server is down. Copies aren't retried.
          () => {},
        )
        .finally(() => copies.delete(delivery));
      copies.add(delivery);
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
      response.writeHead(await forward(receivedRequest, LONGEST_DELAY_MS)).end();
    };
    respond().catch(() => response.writeHead(502).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    responseCount: () => responseCount,
    takeAcknowledged: () => {
      const acknowledgedSoFar = acknowledgedIds;
      acknowledgedIds = new Set();
      return acknowledgedSoFar;
    },
    idle: async () => {
      while (copies.size > 0) await Promise.all(copies);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

type ReceivedEvent = { readonly body: Buffer<ArrayBuffer>; readonly signature: string };

async function receive(request: IncomingMessage): Promise<ReceivedEvent> {
  return { body: Buffer.from(await buffer(request)), signature: String(request.headers['stripe-signature']) };
}

function idOf(body: Buffer): string {
  return (JSON.parse(body.toString()) as { id: string }).id;
}
