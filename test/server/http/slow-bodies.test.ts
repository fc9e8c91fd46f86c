import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { buildApp } from '#server/app.ts';
import { registerGracefulShutdown } from '#server/http/graceful-shutdown.ts';
import { createTestDeps } from '#test/support/build-app.ts';
import { createUnreachableDatabase, findAnyOrg } from '#test/support/unreachable-database.ts';

const deps = await createTestDeps(createUnreachableDatabase(), { findOrg: findAnyOrg });
const app = await buildApp(deps, { deadlines: { bodyMs: 300, checkEveryMs: 200, minBytesPerCheck: 1000 } });
afterAll(() => app.close());
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as AddressInfo;

/** Starts a request and sends its body slowly in pieces. @returns the response when the connection ends */
async function sendSlowly(
  head: readonly string[],
  chunk: string,
  intervalMs: number,
  length = 20_000_000,
): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  let response = '';
  socket.on('data', (data) => (response += data.toString())).on('error', () => {});
  socket.write(`${[...head, 'Host: a', 'X-Requested-With: a', `Content-Length: ${length}`].join('\r\n')}\r\n\r\n`);
  const timer = setInterval(() => socket.writable && socket.write(chunk), intervalMs);
  const closing = new Promise<string>((resolve) => socket.once('close', () => resolve('closed')));
  const outcome = await Promise.race([closing, pause(5000, 'still open')]);
  clearInterval(timer);
  socket.destroy();
  return `${outcome} ${response.split('\r\n')[0] ?? ''}`;
}

const FORM_HEADER = 'Content-Type: multipart/form-data; boundary=xx';
const PHOTO_PART = '--xx\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';

test('a JSON request that takes too long is closed, regardless of its pace', async () => {
  const head = ['POST /api/orgs/sample/checkouts HTTP/1.1', 'Content-Type: application/json'];
  expect(await sendSlowly(head, ' '.repeat(60), 20, 60_000)).toBe('closed HTTP/1.1 408 Request Timeout');
});

test('the connection of a nearly stalled form upload is closed', async () => {
  const head = ['PUT /api/orgs/sample/header HTTP/1.1', FORM_HEADER];
  expect(await sendSlowly(head, PHOTO_PART, 150)).toMatch(/^closed HTTP\/1\.1 4\d\d/);
});

test('a connection is closed if it keeps sending after its response', async () => {
  expect(await sendSlowly(['PUT /nowhere HTTP/1.1', FORM_HEADER], ' '.repeat(10_000), 10)).toMatch(
    /^closed HTTP\/1\.1 40[45]/,
  );
});

/** Starts an app with a response that never ends, and connects to it. */
async function startEndlessResponse(closingMs: number) {
  const app = Fastify();
  registerGracefulShutdown(app, closingMs);
  app.get('/never', () => new Promise(() => {}));
  const connection = once(app.server, 'connection');
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const socket = net.connect(Number(port), '127.0.0.1').on('error', () => undefined);
  await connection;
  return { app, socket, closing: once(socket.resume(), 'close') };
}

test('shutdown doesn’t wait for the first request on a connection', async () => {
  const { app, closing } = await startEndlessResponse(2 ** 30);
  await app.close();
  await closing;
});

test('shutdown doesn’t wait for an endless response', async () => {
  const { app, socket, closing } = await startEndlessResponse(50);
  const request = once(app.server, 'request');
  socket.write('GET /never HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await request;
  await app.close();
  await closing;
});
