import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { API_BASE, LIVE_PATH } from '#contract/calls.ts';
import { fillPath } from '#contract/path-pattern.ts';

/** Input of this worker thread. The open pages run in their own thread so that they don't slow down the measurement. */
export type OpenPagesData = {
  readonly url: string;
  readonly orgId: string;
  readonly pageCount: number;
  /** Paths that a page refetches after a change. The first path's response contains the gift. */
  readonly paths: readonly string[];
};

/** Connections from a proxy to the server. */
const CONNECTIONS = 64;
/** Pages refetch after a random delay, so that the requests spread out (`src/web/app/subscribe-to-org.ts`). */
const MAX_JITTER_MS = 500;
/** Half of the limit for one client. */
const PAGES_PER_CLIENT = 500;
const BATCH_SIZE = 100;

const { url, orgId, pageCount, paths } = workerData as OpenPagesData;
const { host, hostname, port } = new URL(url);
const address = { host: hostname, port: Number(port), noDelay: true };
const now = () => performance.timeOrigin + performance.now();

type Response = { readonly status: number; readonly etag: string };
type QueuedRequest = { readonly text: string; readonly onResponse: (response: Response) => void };

/** Sends requests over persistent connections, one at a time on each. */
function createClient(): (path: string, etag: string | undefined) => Promise<Response> {
  const queue: QueuedRequest[] = [];
  const idle: (() => void)[] = [];
  let openConnections = 0;
  const connect = () => {
    openConnections += 1;
    const socket = net.connect(address);
    let currentRequest: QueuedRequest | undefined;
    let buffer = Buffer.alloc(0);
    const sendNext = () => {
      currentRequest = queue.shift();
      if (currentRequest) socket.write(currentRequest.text);
      else idle.push(sendNext);
    };
    socket.on('data', (part) => {
      buffer = buffer.length === 0 ? part : Buffer.concat([buffer, part]);
      const response = parseResponse(buffer);
      if (!response) return;
      buffer = Buffer.alloc(0);
      currentRequest?.onResponse(response);
      sendNext();
    });
    socket.on('error', (error) => {
      throw error;
    });
    sendNext();
  };
  return (path, etag) =>
    new Promise((onResponse) => {
      const condition = etag === undefined ? '' : `if-none-match: ${etag}\r\n`;
      const text = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\naccept-encoding: br\r\n${condition}\r\n`;
      queue.push({ text, onResponse });
      const reuseConnection = idle.shift();
      if (reuseConnection) reuseConnection();
      else if (openConnections < CONNECTIONS) connect();
    });
}

function parseResponse(data: Buffer): Response | undefined {
  const end = data.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = data.subarray(0, end).toString('latin1');
  const status = Number(head.slice(9, 12));
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  if (status !== 200 && status !== 304) throw new Error(`Unexpected response: ${head}`);
  if (data.length < end + 4 + length) return undefined;
  return { status, etag: /^etag: (.+)$/im.exec(head)?.[1] ?? '' };
}

/** Opens an event stream, as a page in a browser does (`src/web/app/subscribe-to-org.ts`). */
function openPage(pageNumber: number, onChange: (version: number) => void): Promise<void> {
  const clientAddress = `198.51.100.${1 + Math.floor(pageNumber / PAGES_PER_CLIENT)}`;
  const path = API_BASE + fillPath(LIVE_PATH, { orgid: orgId });
  return new Promise((resolve, reject) => {
    const socket = net.connect(address);
    socket.on('error', reject);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nx-forwarded-for: ${clientAddress}\r\n\r\n`);
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

const request = createClient();
const etags = new Map<string, string>();
for (const path of paths) etags.set(path, (await request(path, undefined)).etag);
const [giftPath = ''] = paths;
let firstChangeAt = 0;
let seenTimes: number[] = [];
let requests = 0;

function refetchOnChange(): (version: number) => void {
  let latestVersion = 0;
  let timer: NodeJS.Timeout | undefined;
  let isRefreshing = false;
  let hasSeenGift = true;
  const refresh = async () => {
    if (isRefreshing) return;
    isRefreshing = true;
    for (let version = 0; version < latestVersion; ) {
      version = latestVersion;
      requests += paths.length;
      const responses = await Promise.all(paths.map((path) => request(path, etags.get(path))));
      if (!hasSeenGift && responses[0]?.etag !== etags.get(giftPath)) {
        hasSeenGift = true;
        seenTimes.push(now());
        if (seenTimes.length === pageCount) parentPort?.postMessage({ seenTimes, firstChangeAt, requests });
      }
    }
    isRefreshing = false;
  };
  return (version) => {
    if (latestVersion === 0) {
      latestVersion = version;
      hasSeenGift = false;
      return;
    }
    firstChangeAt ||= now();
    latestVersion = version;
    clearTimeout(timer);
    timer = setTimeout(() => void refresh(), Math.random() * MAX_JITTER_MS);
  };
}

for (let openCount = 0; openCount < pageCount; openCount += BATCH_SIZE) {
  await Promise.all(Array.from({ length: BATCH_SIZE }, (_, index) => openPage(openCount + index, refetchOnChange())));
}
await pause(500);
[seenTimes, firstChangeAt, requests] = [[], 0, 0];
parentPort?.postMessage('open');
