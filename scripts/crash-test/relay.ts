import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

export type Relay = {
  /** Where the provider sends its events. */
  readonly url: string;
  /** How many events a server has answered with a 2xx. */
  answered(): number;
  /** The events that a server has answered with a 2xx since the last call. */
  takeAcknowledged(): ReadonlySet<string>;
  /** Resolves when no copy is on its way any more. */
  idle(): Promise<void>;
  close(): Promise<void>;
};

const LONGEST_DELAY_MS = 200;
const LONGEST_COPY_DELAY_MS = 1500;
const COPIED = 0.4;
/** The program finds them in the provider's list of events. */
const DROPPED = 0.03;
const MOST_COPIES = 3;
const TIMEOUT_MS = 15_000;

/** The network between the provider and the webhook: it delays events, so that they come in any order, repeats some, and loses some. */
export async function startRelay(webhooks: readonly string[]): Promise<Relay> {
  let acknowledged = new Set<string>();
  let answered = 0;
  const copies = new Set<Promise<void>>();
  const forward = async ({ body, signature }: Received, longestDelay: number) => {
    await pause(Math.random() * longestDelay);
    const url = webhooks[Math.floor(Math.random() * webhooks.length)] ?? '';
    const headers = { 'stripe-signature': signature, 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
    await answer.body?.cancel();
    if (answer.ok) {
      answered += 1;
      acknowledged.add(idOf(body));
    }
    return answer.status;
  };
  const sendCopies = (received: Received) => {
    if (Math.random() > COPIED) return;
    const count = 1 + Math.floor(Math.random() * MOST_COPIES);
    for (let copy = 0; copy < count; copy += 1) {
      const sent: Promise<void> = forward(received, LONGEST_COPY_DELAY_MS)
        .then(
          () => {},
          // The server is down, and the provider does not know of copies.
          () => {},
        )
        .finally(() => copies.delete(sent));
      copies.add(sent);
    }
  };
  const server = createServer((request, response) => {
    const answer = async () => {
      const received = await receive(request);
      if (Math.random() < DROPPED) {
        response.writeHead(200).end();
        return;
      }
      sendCopies(received);
      response.writeHead(await forward(received, LONGEST_DELAY_MS)).end();
    };
    answer().catch(() => response.writeHead(502).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    answered: () => answered,
    takeAcknowledged: () => {
      const taken = acknowledged;
      acknowledged = new Set();
      return taken;
    },
    idle: async () => {
      while (copies.size > 0) await Promise.all(copies);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

type Received = { readonly body: Buffer<ArrayBuffer>; readonly signature: string };

async function receive(request: IncomingMessage): Promise<Received> {
  return { body: Buffer.from(await buffer(request)), signature: String(request.headers['stripe-signature']) };
}

function idOf(body: Buffer): string {
  return (JSON.parse(body.toString()) as { id: string }).id;
}
