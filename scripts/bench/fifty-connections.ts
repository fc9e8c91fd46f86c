import { once } from 'node:events';
import net from 'node:net';
import { performance } from 'node:perf_hooks';

const CONNECTIONS = 50;

/** Requests one URL over fifty connections, each repeating as soon as it is answered. @returns answers per second */
export async function answersPerSecond(url: URL, headers: string, answers: number): Promise<number> {
  const request = Buffer.from(`GET ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\n${headers}\r\n`);
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => connect(url)));
  const each = Math.ceil(answers / CONNECTIONS);
  const begin = performance.now();
  try {
    await Promise.all(sockets.map((socket) => repeat(socket, request, each)));
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

/** Each answer tells how long it is: the page can change while it is measured. */
function repeat(socket: net.Socket, request: Buffer, times: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let remaining = times;
    let received: Buffer = Buffer.alloc(0);
    let bytes = 0;
    let size = 0;
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The connection was closed before the last answer.')));
    socket.on('data', (part: Buffer) => {
      bytes += part.length;
      if (size === 0) {
        received = received.length === 0 ? part : Buffer.concat([received, part]);
        try {
          size = sizeOf(received);
        } catch (error) {
          reject(error as Error);
          return;
        }
      }
      if (size === 0 || bytes < size) return;
      received = Buffer.alloc(0);
      bytes = 0;
      size = 0;
      remaining -= 1;
      if (remaining === 0) resolve();
      else socket.write(request);
    });
    socket.write(request);
  });
}

/** The size of an answer with its head, or 0 until the whole head has arrived. */
function sizeOf(received: Buffer): number {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return 0;
  const head = received.subarray(0, end).toString('latin1');
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  if (!/^HTTP\/1\.1 200 /.test(head) || length === undefined) throw new Error(`Not an answer to measure: ${head}`);
  return end + 4 + Number(length);
}
