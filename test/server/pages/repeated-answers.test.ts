import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { newRequestId } from '#server/ids.ts';
import { type Repeated, repeatedAnswers } from '#server/pages/repeated-answers.ts';

const HEADERS = ['content-type', 'text/plain; charset=utf-8', 'x-kept', 'one', 'x-kept', 'two'];
const body = Buffer.from('the page, in pounds of CO₂');
const PAGE: Repeated = { status: 200, headers: [...HEADERS, 'content-length', String(body.length)], body };
const UNCHANGED: Repeated = { status: 304, headers: HEADERS, body: Buffer.alloc(0) };

type Options = { readonly answer?: Repeated; readonly time?: () => number; readonly newId?: () => string };

/** A server that always sends the same, and counts the heads that node:http writes. */
async function serverOf({ answer = PAGE, time = () => 0, newId = newRequestId }: Options) {
  const send = repeatedAnswers(time);
  const seen = { written: 0, ids: [] as string[] };
  const server = http.createServer((request, response) => {
    const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => http.ServerResponse;
    response.writeHead = (...args: unknown[]) => {
      seen.written += 1;
      return writeHead(...args);
    };
    const id = newId();
    seen.ids.push(id);
    send(answer, id, request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => server.close().closeAllConnections());
  const address = server.address();
  const connect = () =>
    net.connect({ host: '127.0.0.1', port: typeof address === 'object' ? (address?.port ?? 0) : 0 });
  return { seen, connect };
}

const ASK = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';
const ASK_LAST = 'GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n';

/** All bytes of the answers to these requests, each sent after the one before is answered. */
async function inTurn(socket: net.Socket, asks: readonly string[]): Promise<string> {
  let text = '';
  for (const [at, ask] of asks.entries()) {
    socket.write(ask);
    while (text.split('HTTP/1.1 ').length < at + 2)
      text += ((await once(socket, 'data')) as [Buffer])[0].toString('latin1');
  }
  socket.destroy();
  return text;
}

const idsIn = (text: string) => [...text.matchAll(/^x-request-id: (.+)\r$/gm)].map(([, id]) => id);
const withoutIds = (text: string) => text.replace(/^(x-request-id|Date): .+\r$/gm, '$1\r').split(/(?=HTTP\/1\.1 )/);

test.each([
  ['with a body', PAGE],
  ['without one', UNCHANGED],
])('an answer %s is repeated to the letter, with other ids', async (_which, answer) => {
  const { seen, connect } = await serverOf({ answer });
  const text = await inTurn(connect(), [ASK, ASK, ASK]);
  const [first, ...others] = withoutIds(text);
  expect(first).toContain('x-kept: one\r\nx-kept: two\r\n');
  expect(first).toContain('Connection: keep-alive\r\n');
  expect(others).toEqual([first, first]);
  expect(idsIn(text)).toEqual(seen.ids);
  expect([new Set(seen.ids).size, seen.written]).toEqual([3, 1]);
});

test('node:http writes the head anew in each second, for its date', async () => {
  let now = 0;
  const { seen, connect } = await serverOf({ time: () => (now += 400) });
  await inTurn(connect(), [ASK, ASK, ASK, ASK, ASK]);
  // At 0.4 and 0.8; 1.2 and 1.6; 2.0.
  expect(seen.written).toBe(3);
});

test.each([
  ['of HTTP 1.0', 'GET / HTTP/1.0\r\nhost: a\r\nconnection: keep-alive\r\n\r\n', newRequestId],
  ['that closes its connection', ASK_LAST, newRequestId],
  ['with an id of another program', ASK, () => 'of-a-proxy'],
])('the answer to a request %s is left to node:http', async (_which, ask, newId) => {
  const { seen, connect } = await serverOf({ newId });
  for (let time = 0; time < 3; time += 1) await inTurn(connect(), [ask]);
  expect(seen.written).toBe(3);
});

test('requests that are sent at once are each answered with their own id', async () => {
  const { seen, connect } = await serverOf({});
  const socket = connect();
  socket.write(ASK.repeat(5) + ASK_LAST);
  expect(idsIn((await buffer(socket)).toString('latin1'))).toEqual(seen.ids);
  expect(new Set(seen.ids).size).toBe(6);
});

/** A response on a connection that takes nothing, and the bytes that wait for it. */
function onSlowConnection() {
  const request = new http.IncomingMessage(new net.Socket());
  Object.assign(request, { httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
  const response = new http.ServerResponse(request);
  const waiting: Buffer[] = [];
  const connection = new Writable({
    write: (bytes: Buffer) => void waiting.push(bytes),
    writev: (chunks) =>
      void waiting.push(
        ...chunks.map(({ chunk, encoding }) => (Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk, encoding))),
      ),
    decodeStrings: false,
  });
  response.assignSocket(connection as net.Socket);
  return { request, response, waiting };
}

test('what a slow connection has not taken yet is not changed by the answers to others', () => {
  const send = repeatedAnswers(() => 0);
  const connections = ['first', 'second', 'third'].map((name) => {
    const connection = onSlowConnection();
    send(PAGE, name.padEnd(36, '-'), connection.request, connection.response);
    return connection;
  });
  const sent = connections.map(({ waiting }) => idsIn(Buffer.concat(waiting).toString('latin1')));
  expect(sent).toEqual([['first'], ['second'], ['third']].map(([name = '']) => [name.padEnd(36, '-')]));
});

test('slow connections share the bytes of a large answer', () => {
  const large = Buffer.alloc(100_000, 'a');
  const answer = { ...PAGE, headers: [...HEADERS, 'content-length', String(large.length)], body: large };
  const send = repeatedAnswers(() => 0);
  for (let time = 0; time < 3; time += 1) {
    const { request, response, waiting } = onSlowConnection();
    send(answer, newRequestId(), request, response);
    const own = waiting.filter((bytes) => bytes !== large);
    expect(waiting).toContain(large);
    expect(Buffer.concat(own).length).toBeLessThan(1000);
  }
});
