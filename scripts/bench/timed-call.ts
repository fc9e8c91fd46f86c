import { request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';

export type TimedAnswer = {
  readonly milliseconds: number;
  readonly status: number;
  /** The body without the request id. */
  readonly body: string;
};

/**
 * Makes a call over a new connection and measures from connecting to the end of the answer.
 * @param from the local address, in 127.0.0.0/8
 */
export async function timedCall(url: URL, from: string, content: object): Promise<TimedAnswer> {
  const payload = JSON.stringify(content);
  const call = request(url, {
    method: 'POST',
    agent: false,
    localAddress: from,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(payload),
      'x-requested-with': 'bench',
    },
  });
  let start = performance.now();
  call.once('socket', (socket) => socket.once('connect', () => (start = performance.now())));
  const answer = new Promise<TimedAnswer>((resolve, reject) => {
    call.once('error', reject);
    call.once('response', (response) => {
      text(response).then((body) => {
        const milliseconds = performance.now() - start;
        resolve({ milliseconds, status: response.statusCode ?? 0, body: body.replace(/"requestId":"[^"]*"/, '') });
      }, reject);
    });
  });
  call.end(payload);
  return answer;
}

/** Returns a new client address on each call: 127.1.0.1, 127.1.0.2, … */
export function freshClients(): () => string {
  let used = 0;
  return () => {
    used += 1;
    return `127.${1 + (used >> 16)}.${(used >> 8) & 255}.${used & 255}`;
  };
}
