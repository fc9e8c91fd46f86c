import { request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';

export type TimedAnswer = {
  readonly milliseconds: number;
  readonly status: number;
  /** The answer without the id of the request. */
  readonly body: string;
};

/**
 * Makes a call over a connection of its own, and measures from when that stands until the whole answer is there.
 * @param from the address of this machine that it comes from, in 127.0.0.0/8
 */
export async function timedCall(url: URL, from: string, body: object): Promise<TimedAnswer> {
  const payload = JSON.stringify(body);
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
  let begin = performance.now();
  call.once('socket', (socket) => socket.once('connect', () => (begin = performance.now())));
  const answer = new Promise<TimedAnswer>((resolve, reject) => {
    call.once('error', reject);
    call.once('response', (response) => {
      text(response).then((said) => {
        const milliseconds = performance.now() - begin;
        resolve({ milliseconds, status: response.statusCode ?? 0, body: said.replace(/"requestId":"[^"]*"/, '') });
      }, reject);
    });
  });
  call.end(payload);
  return answer;
}

/** A client's address that was not used before: 127.1.0.1, 127.1.0.2, … of which there are sixteen million. */
export function freshClients(): () => string {
  let used = 0;
  return () => {
    used += 1;
    return `127.${1 + (used >> 16)}.${(used >> 8) & 255}.${used & 255}`;
  };
}
