import http from 'node:http';
import { performance } from 'node:perf_hooks';
import { createSignature } from '#sandbox/events.ts';
import { WEBHOOK_SECRET } from '../provider/external-provider.ts';
import { createSeededRandom } from '../seeded-random.ts';

export const CONCURRENCY = 32;
export const MAX_COPIES = 8;

/** Copies each event one to eight times and shuffles the copies. */
export function copyAndShuffle<Event>(events: readonly Event[], count: number): Event[] {
  const random = createSeededRandom('deliveries');
  const copyCounts = new Map(events.map((event) => [event, 1]));
  const deliveries = [...events];
  while (deliveries.length < count) {
    const event = random.pick(events);
    const copyCount = copyCounts.get(event) ?? 0;
    if (copyCount >= MAX_COPIES) continue;
    copyCounts.set(event, copyCount + 1);
    deliveries.push(event);
  }
  for (let last = deliveries.length - 1; last > 0; last -= 1) {
    const swapIndex = random.integer(0, last);
    [deliveries[last], deliveries[swapIndex]] = [deliveries[swapIndex] as Event, deliveries[last] as Event];
  }
  return deliveries;
}

/** Runs `work` for each item, several at a time. @returns the total seconds, and the milliseconds of each item */
export async function timeEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>) {
  const milliseconds: number[] = [];
  const queue = items.values();
  const begin = performance.now();
  const processQueue = async () => {
    for (const item of queue) {
      const itemStart = performance.now();
      await work(item);
      milliseconds.push(performance.now() - itemStart);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, processQueue));
  return { seconds: (performance.now() - begin) / 1000, milliseconds: milliseconds.toSorted((a, b) => a - b) };
}

/** Posts events to the webhook as the provider does, over persistent connections. */
export function createWebhookSender(url: URL) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  const send = (payload: string) =>
    new Promise<void>((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload),
        'stripe-signature': createSignature(payload, WEBHOOK_SECRET, Date.now()),
      };
      http
        .request(url, { method: 'POST', agent, headers }, (response) => {
          response.resume();
          response.on('end', () => {
            if (response.statusCode === 200) resolve();
            else reject(new Error(`The webhook returned ${response.statusCode}.`));
          });
          response.on('error', reject);
        })
        .on('error', reject)
        .end(payload);
    });
  return { send, close: () => agent.destroy() };
}
