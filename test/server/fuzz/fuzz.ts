import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { CALLS, type CallName } from '#contract/calls.ts';
import { createSeededRandom, type Random } from '#scripts/seeded-random.ts';
import { collectGarbage } from '#test/support/collect-garbage.ts';
import { CALL_ROWS, type CallRequest } from '../permissions/call-rows.ts';
import { CALLERS, type Caller, createCredentials, PLACES, type Place } from '../permissions/callers.ts';
import { createTargets, type Targets } from '../permissions/targets.ts';
import { requireSecondFactor, type World } from '../permissions/world.ts';
import { findProblem, type ReceivedResponse, type Sender } from './find-problem.ts';
import { buildRequest, type SentRequest } from './random-request.ts';

export type FuzzOptions = {
  readonly seed: string;
  readonly requestCount: number;
  /** Name of a call. By default, calls are picked at random. */
  readonly onlyCall?: string | undefined;
  readonly report?: (line: string) => void;
};

export type FuzzResult = {
  readonly requestCount: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** Heap size after each quarter of the requests, measured after garbage collection. */
  readonly heapMegabytes: readonly number[];
  readonly slowestMs: number;
  /** The problems, each with the data needed to repeat its request. */
  readonly problems: readonly string[];
};

/** Requests with the same credentials and targets. All but the last are mutated. */
const REQUESTS_PER_SETUP = 12;
const HANG_MS = 60_000;
/** A call that is meant to wait. */
const LONG_POLL_CALL: CallName = 'waitForChange';
const WAIT_MS = 300;
const AUTHORIZED_SHARE = 0.7;
const QUARTERS = 4;
const REPORT_EVERY = 2500;
const MAX_PROBLEMS = 50;
const MAX_SHOWN_CHARACTERS = 300;

/** Sends requests of every call as every kind of caller over the loopback network, one at a time. */
export async function fuzz(
  world: World,
  { seed, requestCount, onlyCall, report = () => {} }: FuzzOptions,
): Promise<FuzzResult> {
  const port = await startListening(world);
  const names = (Object.keys(CALLS) as CallName[]).filter((name) => onlyCall === undefined || name === onlyCall);
  if (names.length === 0) throw new Error(`There is no call ${onlyCall ?? ''}.`);
  const summary = { byStatus: {} as Record<string, number>, problems: [] as string[], heapMegabytes: [] as number[] };
  const random = createSeededRandom(seed);
  const setups = new Map<string, CallerSetup>();
  let [sentCount, slowestMs] = [0, 0];
  const sendRequest = async (
    name: CallName,
    setup: CallerSetup,
    request: CallRequest<CallName>,
    isMutated: boolean,
  ) => {
    const sentRequest = await buildRequest(
      name,
      request,
      setup.headers,
      createSeededRandom(`${seed} ${sentCount}`),
      isMutated,
    );
    const start = performance.now();
    const response = await send(port, sentRequest, sentCount, name);
    if (name !== LONG_POLL_CALL) slowestMs = Math.max(slowestMs, performance.now() - start);
    const key = response === 'waits' ? 'waits' : String(response.status);
    summary.byStatus[key] = (summary.byStatus[key] ?? 0) + 1;
    const problem = response === 'waits' ? undefined : await findProblem(sentRequest, response, setup.sender);
    // Restores the setting, because an authorized caller may have changed it.
    if (name === 'editOrg') await requireSecondFactor(world.db);
    if (!problem) return;
    summary.problems.push(describeProblem(name, setup, sentRequest, problem));
    report(summary.problems.at(-1) ?? '');
  };
  while (sentCount < requestCount && summary.problems.length < MAX_PROBLEMS) {
    const name = random.pick(names);
    const setup = await prepareSetup(world, setups, name, ...pickSender(name, random));
    let request: CallRequest<CallName> = await CALL_ROWS[name].request(setup.targets);
    for (let round = 1; round <= REQUESTS_PER_SETUP && sentCount < requestCount; round += 1) {
      // A checkout accepts one profile and then responds to all others without reading them.
      if (round > 1 && name === 'submitProfile') request = await CALL_ROWS[name].request(setup.targets);
      await sendRequest(name, setup, request, round < REQUESTS_PER_SETUP);
      sentCount += 1;
      if (sentCount % REPORT_EVERY === 0) report(`${sentCount} requests, ${summary.problems.length} problems`);
      if (sentCount % Math.ceil(requestCount / QUARTERS) !== 0 && sentCount < requestCount) continue;
      collectGarbage();
      summary.heapMegabytes.push(Math.round(process.memoryUsage().heapUsed / 1e5) / 10);
      report(`${sentCount} requests, ${summary.problems.length} problems, ${summary.heapMegabytes.at(-1) ?? 0} MB`);
    }
  }
  return { ...summary, requestCount: sentCount, slowestMs: Math.round(slowestMs) };
}

/** Picks a caller, usually an authorized one, because most checks come after authorization. */
function pickSender(name: CallName, random: Random): [Caller, Place] {
  const callerPlaces = CALLERS.flatMap((caller) => PLACES.map((place): [Caller, Place] => [caller, place]));
  const authorizedCallers = callerPlaces.filter(
    ([caller, place]) => CALL_ROWS[name].outcomes(place)[caller] === 'done',
  );
  return random.pick(random.chance(AUTHORIZED_SHARE) ? authorizedCallers : callerPlaces);
}

function describeProblem(
  name: CallName,
  { sender, place }: CallerSetup,
  { method, url, body, mutation }: SentRequest,
  problem: string,
): string {
  const truncate = (text: string) =>
    text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
  const requestText = `${method} ${truncate(url)} ${truncate(body?.toString() ?? '')}`;
  return `${name} by ${sender.caller} in the ${place} (${mutation}): ${problem}\n  ${requestText}`;
}

async function startListening({ app }: World): Promise<number> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

type CallerSetup = {
  readonly headers: Readonly<Record<string, string>>;
  readonly targets: Targets;
  readonly place: Place;
  readonly sender: Sender;
  useCount: number;
};

/** Maximum uses of the same credentials, because tokens and account changes must be recent. */
const MAX_USES = 20;

/**
 * Calls that change something get their own credentials and targets, since they may end a session or verify an address.
 */
async function prepareSetup(
  world: World,
  setups: Map<string, CallerSetup>,
  name: CallName,
  caller: Caller,
  place: Place,
): Promise<CallerSetup> {
  const key = `${caller} in ${place}`;
  const existingSetup = CALLS[name].method === 'GET' ? setups.get(key) : undefined;
  if (existingSetup && existingSetup.useCount < MAX_USES && (await ownerExists(world, existingSetup))) {
    existingSetup.useCount += 1;
    return existingSetup;
  }
  const credentials = await createCredentials(world.deps, caller, world.orgs);
  const { headers } = credentials;
  const setup: CallerSetup = {
    headers,
    place,
    targets: await createTargets(world, caller, place, credentials),
    sender: { caller, orgs: world.orgs, authorization: headers.authorization },
    useCount: 1,
  };
  if (CALLS[name].method === 'GET') setups.set(key, setup);
  return setup;
}

/** Checks that the account still exists, because a GET mutated into a DELETE may have deleted it. */
async function ownerExists({ db }: World, { targets: { credentials, ownerId } }: CallerSetup): Promise<boolean> {
  const ids = [ownerId, ...(credentials.person ? [credentials.person.userId] : [])];
  const users = await db.kysely.selectFrom('users').where('id', 'in', ids).select('id').execute();
  return users.length === new Set(ids).size;
}

/** Each request has its own client address, so rate limits don't hide later behavior. */
async function send(
  port: number,
  { method, url, headers, body }: SentRequest,
  index: number,
  name: CallName,
): Promise<ReceivedResponse | 'waits'> {
  const localAddress = `127.${1 + ((index >> 16) & 127)}.${(index >> 8) & 255}.${1 + (index & 127)}`;
  const signal = AbortSignal.timeout(name === LONG_POLL_CALL ? WAIT_MS : HANG_MS);
  try {
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const options = {
      method,
      port,
      host: '127.0.0.1',
      localAddress,
      path: encodeUrl(url),
      signal,
      agent: false,
    } as const;
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const request = http.request({ ...options, headers: { ...sanitizeHeaders(headers), ...length } }, resolve);
      request.on('error', reject);
      request.end(body);
    });
    return {
      status: response.statusCode ?? 0,
      type: response.headers['content-type'] ?? '',
      body: await buffer(response),
    };
  } catch (error) {
    if (signal.aborted)
      return name === LONG_POLL_CALL
        ? 'waits'
        : { status: 599, type: '', body: Buffer.from('no response in a minute') };
    // The server rejects a body that is too large before reading all of it.
    if (body && body.length > 60_000) return { status: 413, type: '', body: Buffer.alloc(0) };
    return { status: 598, type: '', body: Buffer.from(String(error)) };
  }
}

function encodeUrl(url: string): string {
  return url.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character));
}

function sanitizeHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, value.replace(/[^\x20-\xff]/g, '?')]));
}
