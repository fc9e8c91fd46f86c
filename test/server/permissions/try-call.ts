import type { LightMyRequestResponse } from 'fastify';
import { CALLS, type CallName, type CallParams, callPath } from '#contract/calls.ts';
import { CALL_ROWS, type CallRequest } from './call-rows.ts';
import { type Caller, type Credentials, createCredentials, type Place } from './callers.ts';
import type { Outcome } from './outcomes.ts';
import { createTargets, type Targets } from './targets.ts';
import { countChangedRows, type World } from './world.ts';

export type CallAttempt<Name extends CallName> = {
  readonly name: Name;
  /** The organization that the call is about. */
  readonly place: Place;
  readonly caller: Caller;
  /** Replaces path parameters. */
  readonly params?: Partial<CallParams<Name>>;
};

/**
 * @param beforeCall runs once all subjects of the call exist
 * @returns the outcome, or the HTTP status if the response has no error code
 */
export async function tryCall<Name extends CallName>(
  world: World,
  attempt: CallAttempt<Name>,
  beforeCall?: () => Promise<void>,
): Promise<Outcome | number> {
  const isRead = CALLS[attempt.name].method === 'GET';
  const call = await prepareRequest(world, attempt, await (isRead ? getSharedSetup : setUpCall)(world, attempt));
  await beforeCall?.();
  return call();
}

/**
 * Makes calls one at a time and checks that none of them changes the database.
 * @returns the outcome of each call, or 'changed' for every call if the database changed
 */
export async function tryForbiddenCalls<Name extends CallName>(
  world: World,
  attempts: readonly CallAttempt<Name>[],
): Promise<(Outcome | number | 'changed')[]> {
  const calls: (() => Promise<Outcome | number>)[] = [];
  for (const attempt of attempts)
    calls.push(await prepareRequest(world, attempt, await getSharedSetup(world, attempt)));
  const initialRows = await countChangedRows(world.db);
  const outcomes: (Outcome | number)[] = [];
  for (const call of calls) outcomes.push(await call());
  return (await countChangedRows(world.db)) === initialRows ? outcomes : outcomes.map(() => 'changed' as const);
}

type CallSetup = { readonly credentials: Credentials; readonly targets: Targets };

async function setUpCall(world: World, { caller, place }: CallAttempt<CallName>): Promise<CallSetup> {
  const credentials = await createCredentials(world.deps, caller, world.orgs);
  return { credentials, targets: await createTargets(world, caller, place, credentials) };
}

/** Test files in one worker share this module but not their worlds. */
const sharedSetups = new WeakMap<World, Map<string, Promise<CallSetup>>>();

/** Read-only calls can share their subject, because creating it takes longer than the call. */
function getSharedSetup(world: World, attempt: CallAttempt<CallName>): Promise<CallSetup> {
  const setups = sharedSetups.get(world) ?? new Map<string, Promise<CallSetup>>();
  sharedSetups.set(world, setups);
  const key = `${attempt.caller} in ${attempt.place}`;
  const setup = setups.get(key) ?? setUpCall(world, attempt);
  setups.set(key, setup);
  return setup;
}

async function prepareRequest<Name extends CallName>(
  world: World,
  { name, params }: CallAttempt<Name>,
  { credentials, targets }: CallSetup,
): Promise<() => Promise<Outcome | number>> {
  const baseRequest = await CALL_ROWS[name].request(targets);
  const request = { ...baseRequest, params: { ...baseRequest.params, ...params } };
  return async () => outcomeOf(await makeCall(world, name, request, credentials));
}

let clientCount = 0;

/** Gives each call its own IP address so rate limits don't interfere. */
async function makeCall<Name extends CallName>(
  { app }: World,
  name: Name,
  { params, query, body, form, cookie }: CallRequest<Name>,
  { headers }: Credentials,
): Promise<LightMyRequestResponse> {
  clientCount += 1;
  const content = await encodeBody(body, form);
  const cookies = [cookie, headers.cookie].filter((header) => header !== undefined).join('; ');
  return app.inject({
    method: CALLS[name].method,
    url: callPath(name, params),
    headers: {
      'x-requested-with': 'test',
      ...headers,
      ...content?.headers,
      ...(cookies === '' ? {} : { cookie: cookies }),
    },
    remoteAddress: `10.${(clientCount >> 16) & 255}.${(clientCount >> 8) & 255}.${clientCount & 255}`,
    query: Object.fromEntries(Object.entries(query ?? {}).map(([key, value]) => [key, String(value)])),
    ...(content ? { payload: content.payload } : {}),
  });
}

async function encodeBody(body: unknown, form: FormData | undefined) {
  if (body !== undefined) return { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) };
  if (!form) return undefined;
  const formResponse = new Response(form);
  const type = formResponse.headers.get('content-type') ?? '';
  return { headers: { 'content-type': type }, payload: Buffer.from(await formResponse.arrayBuffer()) };
}

function outcomeOf({ statusCode, json }: LightMyRequestResponse): Outcome | number {
  return statusCode === 200 ? 'done' : (json<{ code?: Outcome }>().code ?? statusCode);
}
