import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { crc32, deflateSync } from 'node:zlib';
import { API_BASE, callPath, LIVE_PATH, POLICY_REPORTS_PATH } from '#contract/calls.ts';
import { fillPath } from '#contract/path-pattern.ts';
import { sampleOrg } from '../sample/sample-org.ts';
import { type Ask, asking, pace, readOff } from '../soak/asking.ts';

/** What a storm needs to know; it runs in a thread of its own, so that it slows down nothing but the program. */
export type StormData = { readonly url: string; readonly name: string; readonly token: string };

/** The attacks of which the figures in docs/security.md tell, at the rate at which each was first made. */
type Storm = (at: At, ending: AbortSignal) => Promise<unknown>;
type At = { readonly url: string; readonly ask: Ask; readonly token: string };

const { id: orgid } = sampleOrg;
const FROM = '203.0.113.7';
const AT_ONCE = 16;

const atOnce =
  (work: (at: At) => Promise<unknown>): Storm =>
  async (at, ending) => {
    const again = async () => {
      while (!ending.aborted) await work(at).catch(() => pause(20));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, again));
  };

const perSecond =
  (times: number, work: (at: At) => Promise<unknown>): Storm =>
  (at, ending) =>
    pace(times, ending, () => work(at));

const post = (ask: Ask, path: string, body: object, headers = {}) =>
  readOff(ask({ who: 'storm', from: FROM, method: 'POST', path, body, headers }));
const get = (ask: Ask, path: string) => readOff(ask({ who: 'storm', from: FROM, path }));
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const table = (columns: number, rows: number) =>
  `${'|a'.repeat(columns)}\n${'|-'.repeat(columns)}\n${'|\n'.repeat(rows)}`.slice(0, 29_804);
export const STORMS: Readonly<Record<string, Storm>> = {
  'tables of 3,700 × 7,500 cells, 16 at once': atOnce(({ ask, token }) =>
    post(
      ask,
      callPath('previewCell', { orgid, page: 'home', name: 'intro' }),
      { markdown: table(3700, 7500) },
      bearer(token),
    ),
  ),
  'forms for no organization, 16 held open': atOnce(({ url }) =>
    readOff(
      fetch(new URL(callPath('submitProfile', { orgid: 'nowhere', checkoutid: randomUUID() }), url), {
        method: 'PUT',
        headers: {
          ...{ 'content-type': 'multipart/form-data; boundary=part' },
          ...{ 'x-requested-with': 'bench', 'x-forwarded-for': FROM },
        },
        body: ReadableStream.from(slowForm()),
        duplex: 'half',
      }),
    ),
  ),
  'dripped JSON, 200 connections': (at, ending) => drip(at, ending, 200),
  '3,000 event streams': (at, ending) => holdStreams(at, ending, 3000),
  'checkouts, 170 a second': perSecond(170, ({ ask }) =>
    post(ask, callPath('createCheckout', { orgid }), { cart: [{ type: 'donation', cost: 25, recurring: 'no' }] }),
  ),
  'pledges, 500 a second': perSecond(500, ({ ask }) => {
    const body = { name: 'Paul', email: `${randomUUID()}@example.org`, amount: 25 };
    return post(ask, callPath('pledgeCheck', { orgid }), body);
  }),
  'searches of cities, 300 a second': perSecond(300, ({ ask }) =>
    get(ask, `${callPath('searchCities', {})}?search=${randomUUID().slice(0, 2)}`),
  ),
  'wrong passwords, 50 a second': perSecond(50, ({ ask }) =>
    post(ask, callPath('signInByPassword', {}), { email: 'ada@example.org', password: 'a wrong one of many words' }),
  ),
  'mailed links, 50 a second': perSecond(50, ({ ask }) =>
    post(ask, callPath('sendSignInLink', {}), { email: 'ada@example.org' }),
  ),
  'reports of blocked content, 300 a second': perSecond(300, ({ ask }) => {
    const report = { 'effective-directive': 'img-src', 'blocked-uri': `https://${randomUUID()}.example/` };
    return post(ask, POLICY_REPORTS_PATH, { 'csp-report': report }, { 'content-type': 'application/csp-report' });
  }),
  'the sitemap, 16 at once': atOnce(({ ask }) => get(ask, '/sitemap.xml')),
  'login pages with other addresses, 16 at once': atOnce(({ ask }) =>
    get(ask, `/login?return_to=/orgs/${orgid}/${randomUUID()}`),
  ),
  'JSON 20,000 deep, 16 at once': atOnce(({ url }) =>
    readOff(
      fetch(new URL(callPath('createCheckout', { orgid }), url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-requested-with': 'bench', 'x-forwarded-for': FROM },
        body: `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      }),
    ),
  ),
  'pictures of 1 × 50,000,000, 16 at once': atOnce(async ({ ask, token }) => {
    const form = new FormData();
    form.append('file', new Blob([highPictureBytes()], { type: 'image/png' }), 'high.png');
    const path = callPath('addPicture', { orgid });
    await readOff(ask({ who: 'storm', from: FROM, method: 'POST', path, form, headers: bearer(token) }));
  }),
};

let highPicture: Uint8Array<ArrayBuffer> | undefined;

/** A gray PNG of one pixel in each of 50,000,000 rows. */
function highPictureBytes(): Uint8Array<ArrayBuffer> {
  const rows = 50_000_000;
  const part = (type: string, data: Buffer) => {
    const typed = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(typed));
    return Buffer.concat([length, typed, check]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(1, 0);
  head.writeUInt32BE(rows, 4);
  head.writeUInt8(8, 8);
  highPicture ??= new Uint8Array(
    Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      ...[part('IHDR', head), part('IDAT', deflateSync(Buffer.alloc(2 * rows))), part('IEND', Buffer.alloc(0))],
    ]),
  );
  return highPicture;
}

/** 25 MB in ten seconds. */
async function* slowForm(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('--part\r\ncontent-disposition: form-data; name="file"; filename="me.jpg"\r\n\r\n');
  for (let sent = 0; sent < 100; sent += 1) {
    yield new Uint8Array(250_000);
    await pause(100);
  }
}

/** Keeps connections that send one letter a second of a body. */
async function drip({ url }: At, ending: AbortSignal, count: number): Promise<void> {
  const { hostname, port, host } = new URL(url);
  const head = [
    `POST ${callPath('createCheckout', { orgid })} HTTP/1.1`,
    `host: ${host}`,
    'content-type: application/json',
    'x-requested-with: bench',
    `x-forwarded-for: ${FROM}`,
    'content-length: 5000\r\n\r\n',
  ].join('\r\n');
  const one = async () => {
    while (!ending.aborted) {
      const socket = net.connect(Number(port), hostname).on('error', () => undefined);
      socket.write(head);
      socket.resume();
      while (!socket.destroyed && !ending.aborted) {
        socket.write(' ');
        await pause(1000, undefined, { signal: ending }).catch(() => undefined);
      }
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: count }, one));
}

/** Opens as many as it can, and opens again what was closed. */
async function holdStreams({ url }: At, ending: AbortSignal, count: number): Promise<void> {
  const { hostname, port, host } = new URL(url);
  const head = `GET ${API_BASE}${fillPath(LIVE_PATH, { orgid })} HTTP/1.1\r\nhost: ${host}\r\nx-forwarded-for: ${FROM}\r\n\r\n`;
  const one = async () => {
    while (!ending.aborted) {
      const socket = net.connect(Number(port), hostname).on('error', () => undefined);
      socket.write(Buffer.from(head));
      socket.resume();
      const stop = () => socket.destroy();
      ending.addEventListener('abort', stop, { once: true });
      await once(socket, 'close').catch(() => undefined);
      ending.removeEventListener('abort', stop);
      await pause(1000, undefined, { signal: ending }).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: count }, one));
}

if (parentPort) {
  const { url, name, token } = workerData as StormData;
  const ending = new AbortController();
  parentPort.once('message', () => ending.abort());
  const { ask, tallies } = asking(url);
  parentPort.postMessage('It begins.');
  await STORMS[name]?.({ url, ask, token }, ending.signal);
  const { requests = 0, refused = 0, failed = 0 } = tallies.get('storm') ?? {};
  parentPort.postMessage({ requests, refused, failed });
}
