import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { limitConnections } from '#server/http/limit-connections.ts';

const app = Fastify();
afterAll(() => app.close());
limitConnections(app, ['127.0.0.9/32'], 20);
app.get('/', async () => 'ready');
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as AddressInfo;

function connect(localAddress: string): net.Socket {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

async function openConnections(count: number, localAddress: string): Promise<net.Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(localAddress));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}

async function isServed(localAddress: string): Promise<boolean> {
  const socket = connect(localAddress);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  return (await text(socket).catch(() => '')).startsWith('HTTP/1.1 200');
}

test('one client gets half of the connections, and a trusted proxy gets all', async () => {
  const openSockets = await openConnections(10, '127.0.0.2');
  expect(await isServed('127.0.0.2')).toBe(false);
  expect(await isServed('127.0.0.3')).toBe(true);
  for (const socket of openSockets) socket.destroy();
  await expect.poll(() => isServed('127.0.0.2')).toBe(true);
  await openConnections(19, '127.0.0.9');
  await expect.poll(() => isServed('127.0.0.9')).toBe(true);
  await openConnections(1, '127.0.0.9');
  expect(await isServed('127.0.0.3')).toBe(false);
});
