import type { LightMyRequestResponse } from 'fastify';
import { CALLS, type CallName, type CallParams, callPath } from '#contract/calls.ts';
import { CALL_ROWS, type CallRequest } from './call-rows.ts';
import { type Caller, type Credentials, credentialsOf, type Place } from './callers.ts';
import type { Outcome } from './outcomes.ts';
import { type Targets, targetsFor } from './targets.ts';
import { changesIn, type World } from './world.ts';

export type CallAttempt<Name extends CallName> = {
  readonly name: Name;
  /** The organization that the call is about. */
  readonly place: Place;
  readonly caller: Caller;
  /** Replaces path parameters. */
  readonly params?: Partial<CallParams<Name>>;
};

/** @param before runs once all subjects of the call exist @returns the outcome, or the status if it's an unknown one */
export async function tryCall<Name extends CallName>(
  world: World,
  attempt: CallAttempt<Name>,
  before?: () => Promise<void>,
): Promise<Outcome | number> {
  const isRead = CALLS[attempt.name].method === 'GET';
  const call = await requestOf(world, attempt, await (isRead ? sharedSetup : setUpCall)(world, attempt));
  await before?.();
  return call();
}

/**
 * Makes calls that must not change anything, one at a time, and checks that the database didn't change.
 * @returns the outcome of each, or 'changed' for all of them if anything did change
 */
export async function tryForbiddenCalls<Name extends CallName>(
  world: World,
  attempts: readonly CallAttempt<Name>[],
): Promise<(Outcome | number | 'changed')[]> {
  const calls: (() => Promise<Outcome | number>)[] = [];
  for (const tried of attempts) calls.push(await requestOf(world, tried, await sharedSetup(world, tried)));
  const initialRows = await changesIn(world.db);
  const outcomes: (Outcome | number)[] = [];
  for (const call of calls) outcomes.push(await call());
  return (await changesIn(world.db)) === initialRows ? outcomes : outcomes.map(() => 'changed' as const);
}

type CallSetup = { readonly credentials: Credentials; readonly targets: Targets };

async function setUpCall(world: World, { caller, place }: CallAttempt<CallName>): Promise<CallSetup> {
  const credentials = await credentialsOf(world.deps, caller, world.orgs);
  return { credentials, targets: await targetsFor(world, caller, place, credentials) };
}

/** Test files in one worker share this module but not their worlds. */
const sharedSetups = new WeakMap<World, Map<string, Promise<CallSetup>>>();

/** Read-only calls can share their subject, because creating it takes longer than the call. */
function sharedSetup(world: World, tried: CallAttempt<CallName>): Promise<CallSetup> {
  const setups = sharedSetups.get(world) ?? new Map<string, Promise<CallSetup>>();
  sharedSetups.set(world, setups);
  const key = `${tried.caller} in ${tried.place}`;
  const means = setups.get(key) ?? setUpCall(world, tried);
  setups.set(key, means);
  return means;
}

async function requestOf<Name extends CallName>(
  world: World,
  { name, params }: CallAttempt<Name>,
  { credentials, targets }: CallSetup,
): Promise<() => Promise<Outcome | number>> {
  const sent = await CALL_ROWS[name].request(targets);
  const request = { ...sent, params: { ...sent.params, ...params } };
  return async () => outcomeOf(await makeCall(world, name, request, credentials));
}

let clients = 0;

/** Each call has its own IP address, so that no rate limit hides a permission. */
async function makeCall<Name extends CallName>(
  { app }: World,
  name: Name,
  { params, query, body, form, cookie }: CallRequest<Name>,
  { headers }: Credentials,
): Promise<LightMyRequestResponse> {
  clients += 1;
  const content = await contentOf(body, form);
  const cookies = [cookie, headers.cookie].filter((each) => each !== undefined).join('; ');
  return app.inject({
    method: CALLS[name].method,
    url: callPath(name, params),
    headers: {
      'x-requested-with': 'test',
      ...headers,
      ...content?.headers,
      ...(cookies === '' ? {} : { cookie: cookies }),
    },
    remoteAddress: `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}`,
    query: Object.fromEntries(Object.entries(query ?? {}).map(([key, value]) => [key, String(value)])),
    ...(content ? { payload: content.payload } : {}),
  });
}

async function contentOf(body: unknown, form: FormData | undefined) {
  if (body !== undefined) return { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) };
  if (!form) return undefined;
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  return { headers: { 'content-type': type }, payload: Buffer.from(await encoded.arrayBuffer()) };
}

function outcomeOf({ statusCode, json }: LightMyRequestResponse): Outcome | number {
  return statusCode === 200 ? 'done' : (json<{ code?: Outcome }>().code ?? statusCode);
}
