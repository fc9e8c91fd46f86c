import http from 'node:http';
import { performance } from 'node:perf_hooks';
import { signatureOf } from '#sandbox/events.ts';
import { WEBHOOK_SECRET } from '../provider/outside-provider.ts';
import { seededRandom } from '../sample/seeded-random.ts';

export const AT_ONCE = 32;
export const MOST_COPIES = 8;

/** Each event once to eight times, in any order. */
export function shuffledCopies<Event>(events: readonly Event[], deliveries: number): Event[] {
  const random = seededRandom('deliveries');
  const copies = new Map(events.map((event) => [event, 1]));
  const all = [...events];
  while (all.length < deliveries) {
    const event = random.pick(events);
    const count = copies.get(event) ?? 0;
    if (count >= MOST_COPIES) continue;
    copies.set(event, count + 1);
    all.push(event);
  }
  for (let last = all.length - 1; last > 0; last -= 1) {
    const other = random.whole(0, last);
    [all[last], all[other]] = [all[other] as Event, all[last] as Event];
  }
  return all;
}

/** Runs the work for each item, several at a time. @returns the seconds of all, and the milliseconds of each */
export async function timeEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>) {
  const each: number[] = [];
  const waiting = items.values();
  const begin = performance.now();
  const inTurn = async () => {
    for (const item of waiting) {
      const begun = performance.now();
      await work(item);
      each.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, inTurn));
  return { seconds: (performance.now() - begin) / 1000, milliseconds: each.toSorted((a, b) => a - b) };
}

/** Posts events to the webhook like the provider, over connections that are kept. */
export function webhookSender(url: URL) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const send = (payload: string) =>
    new Promise<void>((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload),
        'stripe-signature': signatureOf(payload, WEBHOOK_SECRET, Date.now()),
      };
      http
        .request(url, { method: 'POST', agent, headers }, (answer) => {
          answer.resume();
          answer.on('end', () => {
            if (answer.statusCode === 200) resolve();
            else reject(new Error(`The webhook answered ${answer.statusCode}.`));
          });
          answer.on('error', reject);
        })
        .on('error', reject)
        .end(payload);
    });
  return { send, close: () => agent.destroy() };
}
