import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { API_BASE, LIVE_PATH } from '#contract/calls.ts';
import { fillPath } from '#contract/path-pattern.ts';

/** What the open pages need to know. They are in a thread of their own, so that they slow down nothing but the program. */
export type OpenPagesData = {
  readonly url: string;
  readonly orgid: string;
  readonly pages: number;
  /** What a page asks again after a change; the first is the one that shows the gift. */
  readonly asked: readonly string[];
};

/** The connections that a proxy keeps to the program. */
const CONNECTIONS = 64;
/** A page waits for at random, so that not all ask at once (`src/web/app/follow-org.ts`). */
const SPREAD_MS = 500;
/** One client may open twice as many. */
const PAGES_OF_CLIENT = 500;
const OPENED_AT_ONCE = 100;

const { url, orgid, pages, asked } = workerData as OpenPagesData;
const { host, hostname, port } = new URL(url);
const address = { host: hostname, port: Number(port), noDelay: true };
const now = () => performance.timeOrigin + performance.now();

type Answer = { readonly status: number; readonly etag: string };
type Waiting = { readonly text: string; readonly done: (answer: Answer) => void };

/** Sends requests over connections that are kept, one at a time on each. */
function requester(): (path: string, etag: string | undefined) => Promise<Answer> {
  const queue: Waiting[] = [];
  const idle: (() => void)[] = [];
  let open = 0;
  const connect = () => {
    open += 1;
    const socket = net.connect(address);
    let current: Waiting | undefined;
    let received = Buffer.alloc(0);
    const next = () => {
      current = queue.shift();
      if (current) socket.write(current.text);
      else idle.push(next);
    };
    socket.on('data', (part) => {
      received = received.length === 0 ? part : Buffer.concat([received, part]);
      const answer = wholeAnswer(received);
      if (!answer) return;
      received = Buffer.alloc(0);
      current?.done(answer);
      next();
    });
    socket.on('error', (error) => {
      throw error;
    });
    next();
  };
  return (path, etag) =>
    new Promise((done) => {
      const known = etag === undefined ? '' : `if-none-match: ${etag}\r\n`;
      const text = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\naccept-encoding: br\r\n${known}\r\n`;
      queue.push({ text, done });
      const next = idle.shift();
      if (next) next();
      else if (open < CONNECTIONS) connect();
    });
}

function wholeAnswer(received: Buffer): Answer | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = received.subarray(0, end).toString('latin1');
  const status = Number(head.slice(9, 12));
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  if (status !== 200 && status !== 304) throw new Error(`Not an answer to measure: ${head}`);
  if (received.length < end + 4 + length) return undefined;
  return { status, etag: /^etag: (.+)$/im.exec(head)?.[1] ?? '' };
}

/** An event stream, and what a browser's page does with it (`src/web/app/follow-org.ts`). */
function openPage(number: number, onChange: (version: number) => void): Promise<void> {
  const from = `198.51.100.${1 + Math.floor(number / PAGES_OF_CLIENT)}`;
  const path = API_BASE + fillPath(LIVE_PATH, { orgid });
  return new Promise((resolve, reject) => {
    const socket = net.connect(address);
    socket.on('error', reject);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nx-forwarded-for: ${from}\r\n\r\n`);
    socket.on('data', (part) => {
      const text = part.toString('latin1');
      if (/^HTTP\/1\.1 (?!200)/.test(text)) reject(new Error(text.slice(0, 200)));
      for (const [, version] of text.matchAll(/^data: (\d+)$/gm)) {
        resolve();
        onChange(Number(version));
      }
    });
  });
}

const ask = requester();
const tags = new Map<string, string>();
for (const path of asked) tags.set(path, (await ask(path, undefined)).etag);
const [shown = ''] = asked;
let first = 0;
let seen: number[] = [];
let requests = 0;

function followed(): (version: number) => void {
  let latest = 0;
  let timer: NodeJS.Timeout | undefined;
  let refreshing = false;
  let hasSeen = true;
  const refresh = async () => {
    if (refreshing) return;
    refreshing = true;
    for (let version = 0; version < latest; ) {
      version = latest;
      requests += asked.length;
      const answers = await Promise.all(asked.map((path) => ask(path, tags.get(path))));
      if (!hasSeen && answers[0]?.etag !== tags.get(shown)) {
        hasSeen = true;
        seen.push(now());
        if (seen.length === pages) parentPort?.postMessage({ seen, first, requests });
      }
    }
    refreshing = false;
  };
  return (version) => {
    if (latest === 0) {
      latest = version;
      hasSeen = false;
      return;
    }
    first ||= now();
    latest = version;
    clearTimeout(timer);
    timer = setTimeout(() => void refresh(), Math.random() * SPREAD_MS);
  };
}

for (let open = 0; open < pages; open += OPENED_AT_ONCE) {
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, (_, number) => openPage(open + number, followed())));
}
await pause(500);
[seen, first, requests] = [[], 0, 0];
parentPort?.postMessage('open');
