import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';

export type RawResponse = {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
};

/** Requests a path exactly as written. `inject` and `fetch` would normalize it. */
export type SendRawGet = (path: string) => Promise<RawResponse>;

/** Starts the app on a local port. */
export async function openRawClient(app: FastifyInstance): Promise<SendRawGet> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return async (path) => {
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      http.get({ host: '127.0.0.1', port, path, agent: false }, resolve).on('error', reject);
    });
    return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
  };
}
