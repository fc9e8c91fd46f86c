import type { StatementSync } from 'node:sqlite';
import type Stripe from 'stripe';
import { apiCalls } from '#sandbox/api-calls.ts';
import { answerCall } from '#sandbox/api-routes.ts';
import { recordEvent } from '#sandbox/events.ts';
import { StripeApiError } from '#sandbox/parameters.ts';
import type { Provider } from '#sandbox/provider.ts';
import type { Store } from '#sandbox/store.ts';
import { Crash, Fault, fateOf, meet } from './faults.ts';
import type { World } from './world.ts';

/** Empties a store: opening another one takes longer than most seeds. */
export function emptyStore(store: Store): Store {
  const { db } = store;
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'settings'").all();
  db.exec('PRAGMA foreign_keys = OFF');
  for (const { name } of tables) db.exec(`DELETE FROM ${String(name)}`);
  db.exec("DELETE FROM settings WHERE name <> 'account'; PRAGMA foreign_keys = ON");
  return store;
}

/** Compiles each statement once: for a short life in memory, compiling takes longer than running. */
export function withKeptStatements(store: Store): Store {
  const { db } = store;
  const prepare = db.prepare.bind(db);
  const kept = new Map<string, StatementSync>();
  db.prepare = (text) => {
    const statement = kept.get(text) ?? prepare(text);
    kept.set(text, statement);
    return statement;
  };
  return store;
}

/** The sandbox without its web server, at the clock of the simulation. @param store empty */
export function newProvider(store: Store, now: () => Date): Provider {
  const at = (time: () => number): Provider => ({
    store,
    publicUrl: () => 'https://provider.example',
    now: time,
    asOf: (fixed) => at(() => fixed),
    emit: (type, object, before) => recordEvent(store, { type, object, before, created: time() }, now().getTime()),
  });
  return at(() => Math.floor(now().getTime() / 1000));
}

/** The network between the product and the provider, as the SDK wants it. */
export function simulatedNetwork(world: () => World): Stripe.HttpClient {
  return {
    getClientName: () => 'simulation',
    makeRequest: async (_host, _port, path, method, headers, data) => {
      const { schedule, faults, random, provider } = world();
      await schedule.turn();
      const key = Object.entries(headers).find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1];
      const fate = faults.isOut ? 'lost-before' : fateOf(faults, random, 'provider');
      const ask = async () => answerOf(provider, { method, path, data, key: key?.toString() });
      try {
        return response(await meet(fate, faults, 'ETIMEDOUT', ask));
      } catch (error) {
        // The SDK would wait for real time before it repeats a request whose connection was lost.
        const isSimulated = error instanceof Fault || error instanceof Crash;
        if (isSimulated && method === 'POST') return response({ status: 503, body: UNAVAILABLE });
        throw error;
      }
    },
  };
}

const UNAVAILABLE = JSON.stringify({ error: { type: 'api_error', message: 'simulated' } });

type Answer = { readonly status: number; readonly body: string };

function response({ status, body }: Answer): Stripe.HttpClientResponse {
  return {
    getStatusCode: () => status,
    getHeaders: () => ({ 'stripe-should-retry': 'false' }),
    getRawResponse: () => ({}),
    toStream: () => undefined,
    toJSON: async (): Promise<unknown> => JSON.parse(body),
  };
}

const CALLS = apiCalls.map((call) => ({
  call,
  pattern: new RegExp(`^${call.path.replace(':id', '(?<id>[^/]+)')}$`),
}));

type Sent = { readonly method: string; readonly path: string; readonly data: string; readonly key: string | undefined };

function answerOf(provider: Provider, { method, path: url, data, key }: Sent): Answer {
  const [path = '', query = ''] = url.split('?');
  const found = CALLS.find(({ call, pattern }) => call.method === method && pattern.test(path));
  if (!found) throw new Error(`The sandbox has no ${method} ${path}`);
  const id = found.pattern.exec(path)?.groups?.id ?? '';
  try {
    const form = method === 'POST' ? data : query;
    return { status: 200, body: answerCall(provider, found.call, { path, form, id, key }).answer };
  } catch (error) {
    if (!(error instanceof StripeApiError)) throw error;
    return { status: error.status, body: JSON.stringify(error.toBody()) };
  }
}
