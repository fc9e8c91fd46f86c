import { once } from 'node:events';
import net from 'node:net';
import { performance } from 'node:perf_hooks';

const CONNECTIONS = 50;

/**
 * Asks for the same address over fifty connections, each of which asks again as soon as it is answered.
 * @returns answers per second
 */
export async function answersPerSecond(url: URL, headers: string, answers: number): Promise<number> {
  const request = Buffer.from(`GET ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\n${headers}\r\n`);
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => connect(url)));
  const each = Math.ceil(answers / CONNECTIONS);
  const begin = performance.now();
  try {
    await Promise.all(sockets.map((socket) => ask(socket, request, each)));
    return (each * CONNECTIONS) / ((performance.now() - begin) / 1000);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

async function connect({ hostname, port }: URL): Promise<net.Socket> {
  const socket = net.connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  return socket;
}

/** All answers are the same, so that the first one tells how many bytes there are in each. */
function ask(socket: net.Socket, request: Buffer, times: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = times;
    let bytes = 0;
    let size = 0;
    let head = Buffer.alloc(0);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The connection was closed before every answer was there.')));
    socket.on('data', (part) => {
      bytes += part.length;
      if (size === 0) {
        head = Buffer.concat([head, part]);
        size = sizeOf(head);
      }
      if (size === 0 || bytes < size) return;
      if (bytes > size) reject(new Error('An answer is longer than the first one.'));
      bytes = 0;
      left -= 1;
      if (left === 0) resolve();
      else socket.write(request);
    });
    socket.write(request);
  });
}

/** The bytes of an answer with its head; 0 while the end of the head has not come. */
function sizeOf(begun: Buffer): number {
  const end = begun.indexOf('\r\n\r\n');
  if (end === -1) return 0;
  const head = begun.subarray(0, end).toString('latin1');
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  if (!/^HTTP\/1\.1 200 /.test(head) || length === undefined) throw new Error(`Not an answer to measure: ${head}`);
  return end + 4 + Number(length);
}
