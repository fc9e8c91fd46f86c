import { once } from 'node:events';
import net from 'node:net';
import { performance } from 'node:perf_hooks';

const CONNECTIONS = 50;

/** Requests one URL over fifty connections without pauses. @returns responses per second */
export async function measureResponsesPerSecond(url: URL, headers: string, count: number): Promise<number> {
  const request = Buffer.from(`GET ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\n${headers}\r\n`);
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => connect(url)));
  const requestsPerConnection = Math.ceil(count / CONNECTIONS);
  const begin = performance.now();
  try {
    await Promise.all(sockets.map((socket) => sendRepeatedly(socket, request, requestsPerConnection)));
    return (requestsPerConnection * CONNECTIONS) / ((performance.now() - begin) / 1000);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

async function connect({ hostname, port }: URL): Promise<net.Socket> {
  const socket = net.connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  return socket;
}

/** Reads the length of each response, since the page can change during the measurement. */
function sendRepeatedly(socket: net.Socket, request: Buffer, times: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let remaining = times;
    let buffer: Buffer = Buffer.alloc(0);
    let bytes = 0;
    let size = 0;
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The connection was closed before the last response.')));
    socket.on('data', (part: Buffer) => {
      bytes += part.length;
      if (size === 0) {
        buffer = buffer.length === 0 ? part : Buffer.concat([buffer, part]);
        try {
          size = parseResponseSize(buffer);
        } catch (error) {
          reject(error as Error);
          return;
        }
      }
      if (size === 0 || bytes < size) return;
      buffer = Buffer.alloc(0);
      bytes = 0;
      size = 0;
      remaining -= 1;
      if (remaining === 0) resolve();
      else socket.write(request);
    });
    socket.write(request);
  });
}

/** Size of a response with its headers, or 0 until all headers have arrived. */
function parseResponseSize(data: Buffer): number {
  const end = data.indexOf('\r\n\r\n');
  if (end === -1) return 0;
  const head = data.subarray(0, end).toString('latin1');
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  if (!/^HTTP\/1\.1 200 /.test(head) || length === undefined) throw new Error(`Unexpected response: ${head}`);
  return end + 4 + Number(length);
}
