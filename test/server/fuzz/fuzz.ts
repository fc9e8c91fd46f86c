import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { CALLS, type CallName } from '#contract/calls.ts';
import { type Random, seededRandom } from '#scripts/seeded-random.ts';
import { collectGarbage } from '#test/support/collect-garbage.ts';
import { CALL_ROWS, type CallRequest } from '../permissions/call-rows.ts';
import { CALLERS, type Caller, credentialsOf, PLACES, type Place } from '../permissions/callers.ts';
import { type Targets, targetsFor } from '../permissions/targets.ts';
import { needSecondFactor, type World } from '../permissions/world.ts';
import { type ReceivedResponse, type Sender, wrongIn } from './judge.ts';
import { requestFor, type SentRequest } from './random-request.ts';

export type Fuzzing = {
  readonly seed: string;
  readonly requests: number;
  /** The name of a call; all calls in turn by default. */
  readonly only?: string | undefined;
  readonly say?: (line: string) => void;
};

export type Fuzzed = {
  readonly requests: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** The heap after each quarter of the requests, following a garbage collection. */
  readonly heapMegabytes: readonly number[];
  readonly slowestMs: number;
  /** The problems, each with the data needed to repeat its request. */
  readonly wrong: readonly string[];
};

/** For each caller and organization: the last valid credentials and targets, and earlier spoiled ones. */
const IN_A_ROW = 12;
const HANG_MS = 60_000;
/** Calls that are meant to wait. */
const WAITS: CallName = 'waitForChange';
const WAITED_MS = 300;
const OF_WHO_MAY = 0.7;
const QUARTERS = 4;
const SAY_EVERY = 2500;
const MOST_SHOWN = 50;
const SHOWN_CHARACTERS = 300;

/** Sends requests of every call as every kind of caller over the loopback network, one at a time. */
export async function fuzz(world: World, { seed, requests, only, say = () => {} }: Fuzzing): Promise<Fuzzed> {
  const port = await startListening(world);
  const names = (Object.keys(CALLS) as CallName[]).filter((name) => only === undefined || name === only);
  if (names.length === 0) throw new Error(`There is no call ${only ?? ''}.`);
  const summary = { byStatus: {} as Record<string, number>, wrong: [] as string[], heapMegabytes: [] as number[] };
  const random = seededRandom(seed);
  const meansByKey = new Map<string, Means>();
  let [done, slowestMs] = [0, 0];
  const sendOne = async (name: CallName, means: Means, request: CallRequest<CallName>, isSpoiled: boolean) => {
    const sent = await requestFor(name, request, means.headers, seededRandom(`${seed} ${done}`), isSpoiled);
    const start = performance.now();
    const response = await send(port, sent, done, name);
    if (name !== WAITS) slowestMs = Math.max(slowestMs, performance.now() - start);
    const key = response === 'waits' ? 'waits' : String(response.status);
    summary.byStatus[key] = (summary.byStatus[key] ?? 0) + 1;
    const problem = response === 'waits' ? undefined : await wrongIn(sent, response, means.sender);
    // An authorized caller may have switched the organization off.
    if (name === 'editOrg') await needSecondFactor(world.db);
    if (!problem) return;
    summary.wrong.push(problemText(name, means, sent, problem));
    say(summary.wrong.at(-1) ?? '');
  };
  while (done < requests && summary.wrong.length < MOST_SHOWN) {
    const name = random.pick(names);
    const means = await meansFor(world, meansByKey, name, ...senderFor(name, random));
    let request: CallRequest<CallName> = await CALL_ROWS[name].request(means.targets);
    for (let row = 1; row <= IN_A_ROW && done < requests; row += 1) {
      // A checkout accepts one profile and then responds to all others without reading them.
      if (row > 1 && name === 'submitProfile') request = await CALL_ROWS[name].request(means.targets);
      await sendOne(name, means, request, row < IN_A_ROW);
      done += 1;
      if (done % SAY_EVERY === 0) say(`${done} requests, ${summary.wrong.length} wrong`);
      if (done % Math.ceil(requests / QUARTERS) !== 0 && done < requests) continue;
      collectGarbage();
      summary.heapMegabytes.push(Math.round(process.memoryUsage().heapUsed / 1e5) / 10);
      say(`${done} requests, ${summary.wrong.length} wrong, ${summary.heapMegabytes.at(-1) ?? 0} MB`);
    }
  }
  return { ...summary, requests: done, slowestMs: Math.round(slowestMs) };
}

/** Usually an authorized caller, since most checks come after authorization. */
function senderFor(name: CallName, random: Random): [Caller, Place] {
  const callerPlaces = CALLERS.flatMap((caller) => PLACES.map((place): [Caller, Place] => [caller, place]));
  const may = callerPlaces.filter(([caller, place]) => CALL_ROWS[name].may(place)[caller] === 'done');
  return random.pick(random.chance(OF_WHO_MAY) ? may : callerPlaces);
}

function problemText(
  name: CallName,
  { sender, place }: Means,
  { method, url, body, how }: SentRequest,
  problem: string,
): string {
  const short = (text: string) => (text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text);
  const requestText = `${method} ${short(url)} ${short(body?.toString() ?? '')}`;
  return `${name} by ${sender.caller} in the ${place} (${how}): ${problem}\n  ${requestText}`;
}

async function startListening({ app }: World): Promise<number> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

type Means = {
  readonly headers: Readonly<Record<string, string>>;
  readonly targets: Targets;
  readonly place: Place;
  readonly sender: Sender;
  uses: number;
};

/** Tokens and account changes must be recent. */
const MOST_USES = 20;

/**
 * Calls that change something get their own credentials and targets, since they may end a session or verify an address.
 */
async function meansFor(
  world: World,
  kept: Map<string, Means>,
  name: CallName,
  caller: Caller,
  place: Place,
): Promise<Means> {
  const key = `${caller} in ${place}`;
  const knownMeans = CALLS[name].method === 'GET' ? kept.get(key) : undefined;
  if (knownMeans && knownMeans.uses < MOST_USES && (await ownerExists(world, knownMeans))) {
    knownMeans.uses += 1;
    return knownMeans;
  }
  const credentials = await credentialsOf(world.deps, caller, world.orgs);
  const { headers } = credentials;
  const means: Means = {
    headers,
    place,
    targets: await targetsFor(world, caller, place, credentials),
    sender: { caller, orgs: world.orgs, authorization: headers.authorization },
    uses: 1,
  };
  if (CALLS[name].method === 'GET') kept.set(key, means);
  return means;
}

/** A GET that was sent as a DELETE may have deleted the account. */
async function ownerExists({ db }: World, { targets: { credentials, ownerId } }: Means): Promise<boolean> {
  const ids = [ownerId, ...(credentials.person ? [credentials.person.userId] : [])];
  const users = await db.kysely.selectFrom('users').where('id', 'in', ids).select('id').execute();
  return users.length === new Set(ids).size;
}

/** Each request has its own client address, so that no rate limit hides later behavior. */
async function send(
  port: number,
  { method, url, headers, body }: SentRequest,
  at: number,
  name: CallName,
): Promise<ReceivedResponse | 'waits'> {
  const localAddress = `127.${1 + ((at >> 16) & 127)}.${(at >> 8) & 255}.${1 + (at & 127)}`;
  const signal = AbortSignal.timeout(name === WAITS ? WAITED_MS : HANG_MS);
  try {
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const options = {
      method,
      port,
      host: '127.0.0.1',
      localAddress,
      path: sentForm(url),
      signal,
      agent: false,
    } as const;
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const request = http.request({ ...options, headers: { ...asHeaders(headers), ...length } }, resolve);
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
      return name === WAITS ? 'waits' : { status: 599, type: '', body: Buffer.from('no response in a minute') };
    // The server rejects a body that is too large before reading all of it.
    if (body && body.length > 60_000) return { status: 413, type: '', body: Buffer.alloc(0) };
    return { status: 598, type: '', body: Buffer.from(String(error)) };
  }
}

/** Headers that a client can't send. */
function sentForm(url: string): string {
  return url.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character));
}

function asHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, value.replace(/[^\x20-\xff]/g, '?')]));
}
