import { expect, test } from 'vitest';
import { API_BASE, CALLS, type CallName } from '#contract/calls.ts';
import { CALL_ROWS } from './call-rows.ts';
import { CALLERS, type Caller, comeAs, PLACES } from './callers.ts';
import { OTHER_ROUTES } from './other-routes.ts';
import { tryCall, tryCallsInVain } from './try-call.ts';
import { makeWorld } from './world.ts';

/*
 * The matrix: every route × everybody who may come × the organization of the thing, the caller's own or another. It is
 * generated from the calls and from what the server registers; what is answered is what a row says, by its name.
 */
const world = await makeWorld();
const { app, deps, orgs, routes } = world;

const names = Object.keys(CALLS) as CallName[];
/** A call that is in no organization is the same in each. */
const cells = names.flatMap((name) =>
  PLACES.filter((place) => place === 'own organization' || CALLS[name].path.includes(':orgid')).map(
    (place) => [name, place] as const,
  ),
);

/** What is refused because there is no such thing, or because of who asks. */
const NOT_THERE = /-not-found$|^forbidden$|^login-required$|^only-admins$|^email-unverified$|^token-invalid$/;

/** Routes that the server has and no table names. */
function unknownRoutes(registered: readonly string[]): string[] {
  const known = new Set([
    ...Object.values(CALLS).map(({ method, path }) => `${method} ${API_BASE}${path}`),
    ...Object.keys(OTHER_ROUTES),
  ]);
  return registered.filter((route) => !known.has(route));
}

test('every route has a row: of the calls in call-rows.ts, of all others in other-routes.ts', () => {
  expect(Object.keys(CALL_ROWS).toSorted()).toEqual(names.toSorted());
  expect(unknownRoutes(routes)).toEqual([]);
});

test('every row has a route', () => {
  const registered = new Set(routes);
  const calls = Object.values(CALLS).map(({ method, path }) => `${method} ${API_BASE}${path}`);
  const others = Object.keys(OTHER_ROUTES).map((route) => route.split(' ').slice(0, 2).join(' '));
  expect([...calls, ...others].filter((route) => !registered.has(route))).toEqual([]);
});

test('a new route without a row is caught', () => {
  expect(unknownRoutes([...routes, 'POST /api/orgs/:orgid/backdoor'])).toEqual(['POST /api/orgs/:orgid/backdoor']);
});

test.each(cells)('%s in the %s is for whom its row says, and a refusal changes nothing', async (name, place) => {
  const expected = CALL_ROWS[name].may(place);
  const refused = CALLERS.filter((caller) => expected[caller] !== 'done');
  const outcomes = await tryCallsInVain(
    world,
    refused.map((caller) => ({ name, place, caller })),
  );
  expect(named(refused, outcomes)).toEqual(refused.map((caller) => [caller, expected[caller]]));
  for (const caller of CALLERS.filter((one) => !refused.includes(one))) {
    expect([caller, await tryCall(world, { name, place, caller })]).toEqual([caller, 'done']);
  }
});

const named = <Outcome>(callers: readonly Caller[], outcomes: readonly Outcome[]) =>
  callers.map((caller, index) => [caller, outcomes[index]]);

/** Calls that name a thing of an organization beside the organization. */
const ofThings = names.filter((name) => /:orgid\/.*:(?!page|name)\w+/.test(CALLS[name].path));

test.each(ofThings)('%s reaches nothing of the other organization by the path of the own one', async (name) => {
  const params = { orgid: orgs['own organization'] };
  const outcomes = await tryCallsInVain(
    world,
    CALLERS.map((caller) => ({ name, place: 'other organization' as const, caller, params })),
  );
  expect(named(CALLERS, outcomes)).toEqual(CALLERS.map((caller) => [caller, expect.stringMatching(NOT_THERE)]));
});

test.each(Object.entries(OTHER_ROUTES))('%s answers to each as its row says', async (_route, row) => {
  for (const caller of CALLERS) {
    const { headers } = await comeAs(deps, caller, orgs);
    const sent = row.request(world);
    const answer = await app.inject({ ...sent, headers: { ...headers, ...sent.headers } });
    if (sent.payloadAsStream) answer.stream().destroy();
    expect([caller, answer.statusCode]).toEqual([caller, row.answers[caller]]);
  }
});
