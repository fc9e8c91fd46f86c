// @spec 1.editors 6.admin 7.authorize 7.sign-in decisions.4
// Slow because it sends two requests for each of 150 calls.
import { expect, test } from 'vitest';
import { API_BASE, CALLS, type CallName } from '#contract/calls.ts';
import { Failure } from '#domain/failures.ts';
import { type Actor, can, VISITOR } from '#domain/permissions.ts';
import { requirePermission } from '#server/http/actor.ts';
import { CALL_ROWS } from './call-rows.ts';
import { CALLERS, type Caller, createCredentials, type Place, SAMPLED_CALLERS } from './callers.ts';
import { OTHER_ROUTES } from './other-routes.ts';
import type { Outcome } from './outcomes.ts';
import { closestForbiddenCaller, leastPowerfulCaller, placesOf, REJECTION_CODES, RESOURCE_CALLS } from './requests.ts';
import { isOwner } from './targets.ts';
import { tryCall, tryForbiddenCalls } from './try-call.ts';
import { createWorld } from './world.ts';

/* Checks every combination of call and caller against the permission table in memory. Over HTTP, it sends one allowed
   and one rejected request per call, one request of each kind of caller if the outcome depends on the owner, and all
   callers' requests if it depends on the content. matrix.full.test.ts sends every combination. */
const world = await createWorld();
const { app, deps, orgs, routes, actions } = world;

const callNames = Object.keys(CALLS) as CallName[];
const callerCredentials = await Promise.all(
  CALLERS.map(async (caller) => [caller, await createCredentials(deps, caller, orgs)] as const),
);
const actors = await Promise.all(
  callerCredentials.map(async ([caller, { headers, person }]) => {
    const token = headers.authorization?.replace('Bearer ', '');
    const actor: Actor | undefined = token === undefined ? VISITOR : await deps.identity.findActor(token);
    return { caller, actor, userId: person?.userId };
  }),
);

/**
 * Calls whose outcome depends on more than the action and the owner: on the changed fields or on a verified address.
 */
const CONTENT_DEPENDENT_CALLS: readonly CallName[] = [
  'editOrg',
  'claimOffsetter',
  'claimGifts',
  'sendConfirmationCode',
];

function evaluateInMemory(name: CallName, place: Place, { caller, actor, userId }: (typeof actors)[number]): Outcome {
  if (!actor) return 'token-invalid';
  try {
    requirePermission(actor, CALL_ROWS[name].action, {
      ...(CALLS[name].path.includes(':orgid') ? { orgId: orgs[place] } : {}),
      ownerId: isOwner(caller, place) ? userId : 'someone-else',
    });
    return 'done';
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

const isDecidedByOwner = (name: CallName) => {
  const { action } = CALL_ROWS[name];
  const orgSubject = { orgId: orgs['own organization'] };
  return actors.some(
    ({ actor, userId }) =>
      actor && can(actor, action, { ...orgSubject, ownerId: userId }) !== can(actor, action, orgSubject),
  );
};

function findUnknownRoutes(registeredRoutes: readonly string[]): string[] {
  const knownRoutes = new Set([
    ...Object.values(CALLS).map(({ method, path }) => `${method} ${API_BASE}${path}`),
    ...Object.keys(OTHER_ROUTES),
  ]);
  return registeredRoutes.filter((route) => !knownRoutes.has(route));
}

// @asvs 8.2.1
test('every call has a row in call-rows.ts, and every other route has one in other-routes.ts', () => {
  expect(Object.keys(CALL_ROWS).toSorted()).toEqual(callNames.toSorted());
  expect(findUnknownRoutes(routes)).toEqual([]);
});

test('every row belongs to a route', () => {
  const registeredRoutes = new Set(routes);
  const calls = Object.values(CALLS).map(({ method, path }) => `${method} ${API_BASE}${path}`);
  const otherRoutes = Object.keys(OTHER_ROUTES).map((route) => route.split(' ').slice(0, 2).join(' '));
  expect([...calls, ...otherRoutes].filter((route) => !registeredRoutes.has(route))).toEqual([]);
});

test('a new route without a row is caught', () => {
  expect(findUnknownRoutes([...routes, 'POST /api/orgs/:orgid/backdoor'])).toEqual(['POST /api/orgs/:orgid/backdoor']);
});

test('every call’s route checks the action in its row', () => {
  expect(Object.fromEntries(actions)).toEqual(
    Object.fromEntries(callNames.map((name) => [name, CALL_ROWS[name].action])),
  );
});

test.each(callNames.filter((name) => !CONTENT_DEPENDENT_CALLS.includes(name)))(
  'the permission table matches the row of %s for every caller',
  (name) => {
    for (const place of placesOf(name)) {
      const outcomes = actors.map((actor) => [actor.caller, evaluateInMemory(name, place, actor)]);
      expect(Object.fromEntries(outcomes), place).toEqual(CALL_ROWS[name].outcomes(place));
    }
  },
);

// @asvs 8.2.1 8.3.1
test.each(callNames)(
  '%s over HTTP works for an allowed caller and changes nothing for a forbidden one',
  async (name) => {
    const place = 'own organization';
    const caller = closestForbiddenCaller(name);
    expect([caller, ...(await tryForbiddenCalls(world, [{ name, place, caller }]))]).toEqual([
      caller,
      CALL_ROWS[name].outcomes(place)[caller],
    ]);
    expect(await tryCall(world, { name, place, caller: leastPowerfulCaller(name) })).toBe('done');
  },
);

test.each(
  callNames
    .filter((name) => isDecidedByOwner(name) || CONTENT_DEPENDENT_CALLS.includes(name))
    .flatMap((name) => placesOf(name).map((place) => [name, place] as const)),
)('%s in the %s over HTTP matches its row for its owner and others', async (name, place) => {
  const callers = CONTENT_DEPENDENT_CALLS.includes(name) ? CALLERS : SAMPLED_CALLERS;
  const expected = CALL_ROWS[name].outcomes(place);
  const rejectedCallers = callers.filter((caller) => expected[caller] !== 'done');
  const outcomes = await tryForbiddenCalls(
    world,
    rejectedCallers.map((caller) => ({ name, place, caller })),
  );
  expect(indexByCaller(rejectedCallers, outcomes)).toEqual(
    indexByCaller(
      rejectedCallers,
      rejectedCallers.map((caller) => expected[caller]),
    ),
  );
  for (const caller of callers.filter((candidate) => !rejectedCallers.includes(candidate))) {
    expect([caller, await tryCall(world, { name, place, caller })]).toEqual([caller, 'done']);
  }
});

const indexByCaller = <Result>(callers: readonly Caller[], results: readonly Result[]) =>
  Object.fromEntries(callers.map((caller, index) => [caller, results[index]]));

// @asvs 8.2.2 8.4.1
test.each(RESOURCE_CALLS)('%s can’t reach another organization through its own path', async (name) => {
  const caller = leastPowerfulCaller(name);
  const params = { orgid: orgs['own organization'] };
  const [outcome] = await tryForbiddenCalls(world, [{ name, place: 'other organization', caller, params }]);
  expect(outcome).toMatch(REJECTION_CODES);
});

// @asvs 13.4.5
test.each(Object.entries(OTHER_ROUTES))('%s returns the status in its row to each caller', async (_route, row) => {
  for (const [caller, { headers }] of callerCredentials.filter(([candidate]) => SAMPLED_CALLERS.includes(candidate))) {
    const request = row.request(world);
    const response = await app.inject({ ...request, headers: { ...headers, ...request.headers } });
    if (request.payloadAsStream) response.stream().destroy();
    expect([caller, response.statusCode]).toEqual([caller, row.responses[caller]]);
  }
});
