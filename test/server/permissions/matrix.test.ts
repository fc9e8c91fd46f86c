import { expect, test } from 'vitest';
import { API_BASE, CALLS, type CallName } from '#contract/calls.ts';
import { CALL_ROWS } from './call-rows.ts';
import { CALLERS, type Caller, credentialsOf, PLACES } from './callers.ts';
import { OTHER_ROUTES } from './other-routes.ts';
import { tryCall, tryRefusedCalls } from './try-call.ts';
import { makeWorld } from './world.ts';

/* Every route × every kind of caller × the caller's own organization or another one. */
const world = await makeWorld();
const { app, deps, orgs, routes } = world;

const names = Object.keys(CALLS) as CallName[];
/** Calls outside of any organization are tried once. */
const cells = names.flatMap((name) =>
  PLACES.filter((place) => place === 'own organization' || CALLS[name].path.includes(':orgid')).map(
    (place) => [name, place] as const,
  ),
);

const REFUSED =
  /-not-found$|^forbidden$|^login-required$|^only-admins$|^second-factor-needed$|^email-unverified$|^token-invalid$/;

function unknownRoutes(registered: readonly string[]): string[] {
  const known = new Set([
    ...Object.values(CALLS).map(({ method, path }) => `${method} ${API_BASE}${path}`),
    ...Object.keys(OTHER_ROUTES),
  ]);
  return registered.filter((route) => !known.has(route));
}

test('every call has a row in call-rows.ts, and every other route one in other-routes.ts', () => {
  expect(Object.keys(CALL_ROWS).toSorted()).toEqual(names.toSorted());
  expect(unknownRoutes(routes)).toEqual([]);
});

test('every row belongs to a route', () => {
  const registered = new Set(routes);
  const calls = Object.values(CALLS).map(({ method, path }) => `${method} ${API_BASE}${path}`);
  const others = Object.keys(OTHER_ROUTES).map((route) => route.split(' ').slice(0, 2).join(' '));
  expect([...calls, ...others].filter((route) => !registered.has(route))).toEqual([]);
});

test('a new route without a row is caught', () => {
  expect(unknownRoutes([...routes, 'POST /api/orgs/:orgid/backdoor'])).toEqual(['POST /api/orgs/:orgid/backdoor']);
});

test.each(cells)('%s in the %s is allowed as its row says, and a refusal changes nothing', async (name, place) => {
  const expected = CALL_ROWS[name].may(place);
  const refused = CALLERS.filter((caller) => expected[caller] !== 'done');
  const outcomes = await tryRefusedCalls(
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

/** Calls whose path names something inside an organization. */
const ofThings = names.filter((name) => /:orgid\/.*:(?!page|name)\w+/.test(CALLS[name].path));

test.each(ofThings)('%s cannot reach into another organization through its own path', async (name) => {
  const params = { orgid: orgs['own organization'] };
  const outcomes = await tryRefusedCalls(
    world,
    CALLERS.map((caller) => ({ name, place: 'other organization' as const, caller, params })),
  );
  expect(named(CALLERS, outcomes)).toEqual(CALLERS.map((caller) => [caller, expect.stringMatching(REFUSED)]));
});

test.each(Object.entries(OTHER_ROUTES))('%s answers each caller as its row says', async (_route, row) => {
  for (const caller of CALLERS) {
    const { headers } = await credentialsOf(deps, caller, orgs);
    const sent = row.request(world);
    const answer = await app.inject({ ...sent, headers: { ...headers, ...sent.headers } });
    if (sent.payloadAsStream) answer.stream().destroy();
    expect([caller, answer.statusCode]).toEqual([caller, row.answers[caller]]);
  }
});
