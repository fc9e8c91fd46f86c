import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';

export type RawAnswer = {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
};

/** Asks a server for an address exactly as it is written; `inject` and `fetch` would put it in order first. */
export type RawGet = (address: string) => Promise<RawAnswer>;

/** Lets the app listen, until it is closed. */
export async function listenForRaw(app: FastifyInstance): Promise<RawGet> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return async (path) => {
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      http.get({ host: '127.0.0.1', port, path, agent: false }, resolve).on('error', reject);
    });
    return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
  };
}
