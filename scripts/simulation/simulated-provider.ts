import type { StatementSync } from 'node:sqlite';
import type Stripe from 'stripe';
import { apiCalls } from '#sandbox/api-calls.ts';
import { handleCall } from '#sandbox/api-routes.ts';
import { recordEvent } from '#sandbox/events.ts';
import { StripeApiError } from '#sandbox/parameters.ts';
import type { Provider } from '#sandbox/provider.ts';
import type { Store } from '#sandbox/store.ts';
import { applyFaultOutcome, Crash, Fault, pickFaultOutcome } from './faults.ts';
import type { World } from './world.ts';

/** Empties a store, which is faster than opening a new one. */
export function emptyStore(store: Store): Store {
  const { db } = store;
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'settings'").all();
  db.exec('PRAGMA foreign_keys = OFF');
  for (const { name } of tables) db.exec(`DELETE FROM ${String(name)}`);
  db.exec("DELETE FROM settings WHERE name <> 'account'; PRAGMA foreign_keys = ON");
  return store;
}

/** Caches prepared statements. In a short-lived store, preparing them takes longer than running them. */
export function withCachedStatements(store: Store): Store {
  const { db } = store;
  const prepare = db.prepare.bind(db);
  const statements = new Map<string, StatementSync>();
  db.prepare = (text) => {
    const statement = statements.get(text) ?? prepare(text);
    statements.set(text, statement);
    return statement;
  };
  return store;
}

/** The sandbox without its web server, using the simulation's clock. @param store must be empty */
export function createProvider(store: Store, now: () => Date): Provider {
  const createProviderAt = (time: () => number): Provider => ({
    store,
    publicUrl: () => 'https://provider.example',
    now: time,
    asOf: (fixed) => createProviderAt(() => fixed),
    emit: (type, object, before) => recordEvent(store, { type, object, before, created: time() }, now().getTime()),
  });
  return createProviderAt(() => Math.floor(now().getTime() / 1000));
}

/** Simulated network between the server and the provider, used as the SDK's HTTP client. */
export function createSimulatedNetwork(world: () => World): Stripe.HttpClient {
  return {
    getClientName: () => 'simulation',
    makeRequest: async (_host, _port, path, method, headers, data) => {
      const { schedule, faults, random, provider } = world();
      await schedule.waitForTurn();
      const key = Object.entries(headers).find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1];
      const outcome = faults.isProviderDown ? 'lost-before' : pickFaultOutcome(faults, random, 'provider');
      const send = async () => handleRequest(provider, { method, path, data, key: key?.toString() });
      try {
        return toResponse(await applyFaultOutcome(outcome, faults, 'ETIMEDOUT', send));
      } catch (error) {
        // After a lost connection, the SDK would wait in real time before repeating the request.
        const isSimulated = error instanceof Fault || error instanceof Crash;
        if (isSimulated && method === 'POST') return toResponse({ status: 503, body: UNAVAILABLE });
        throw error;
      }
    },
  };
}

const UNAVAILABLE = JSON.stringify({ error: { type: 'api_error', message: 'simulated' } });

type RawResponse = { readonly status: number; readonly body: string };

function toResponse({ status, body }: RawResponse): Stripe.HttpClientResponse {
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

type RawRequest = {
  readonly method: string;
  readonly path: string;
  readonly data: string;
  readonly key: string | undefined;
};

function handleRequest(provider: Provider, { method, path: url, data, key }: RawRequest): RawResponse {
  const [path = '', query = ''] = url.split('?');
  const match = CALLS.find(({ call, pattern }) => call.method === method && pattern.test(path));
  if (!match) throw new Error(`The sandbox has no ${method} ${path}`);
  const id = match.pattern.exec(path)?.groups?.id ?? '';
  try {
    const form = method === 'POST' ? data : query;
    return { status: 200, body: handleCall(provider, match.call, { path, form, id, key }).response };
  } catch (error) {
    if (!(error instanceof StripeApiError)) throw error;
    return { status: error.status, body: JSON.stringify(error.toBody()) };
  }
}
