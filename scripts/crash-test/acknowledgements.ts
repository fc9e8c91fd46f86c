import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export type Acknowledgements = {
  readonly url: string;
  /** The sessions whose completion the server answered with a 2xx. */
  readonly sessions: ReadonlySet<string>;
  close(): Promise<void>;
};

/** A proxy that forwards every webhook unchanged and records which ones were acknowledged. */
export async function recordAcknowledgements(productUrl: string): Promise<Acknowledgements> {
  const sessions = new Set<string>();
  const server = createServer((request, response) => {
    forward(request, response, productUrl, sessions).catch(() => response.writeHead(502).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${new URL(productUrl).pathname}`,
    sessions,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  productUrl: string,
  sessions: Set<string>,
): Promise<void> {
  const body = await buffer(request);
  const headers = {
    'stripe-signature': String(request.headers['stripe-signature']),
    'content-type': 'application/json',
  };
  const answer = await fetch(productUrl, { method: 'POST', headers, body });
  await answer.body?.cancel();
  if (answer.ok) {
    const event = JSON.parse(body.toString()) as { type: string; data: { object: { id: string } } };
    if (event.type === 'checkout.session.completed') sessions.add(event.data.object.id);
  }
  response.writeHead(answer.status).end();
}
