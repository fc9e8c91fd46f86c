import { expect, test } from 'vitest';
import { CALLS, type CallName } from '#contract/calls.ts';
import { CALL_ROWS } from './call-rows.ts';
import { CALLERS, type Caller } from './callers.ts';
import { placesOf, REJECTED, THING_CALLS } from './requests.ts';
import { tryCall, tryForbiddenCalls } from './try-call.ts';
import { makeWorld } from './world.ts';

/* Every call × every caller × both organizations over HTTP. matrix.test.ts compares them in memory and samples HTTP. */
const world = await makeWorld();
const { orgs } = world;

const cells = (Object.keys(CALLS) as CallName[]).flatMap((name) =>
  placesOf(name).map((place) => [name, place] as const),
);

test.each(cells)('%s in the %s is allowed as its row says, and a rejection changes nothing', async (name, place) => {
  const expected = CALL_ROWS[name].may(place);
  const rejectedCallers = CALLERS.filter((caller) => expected[caller] !== 'done');
  const outcomes = await tryForbiddenCalls(
    world,
    rejectedCallers.map((caller) => ({ name, place, caller })),
  );
  expect(byName(rejectedCallers, outcomes)).toEqual(rejectedCallers.map((caller) => [caller, expected[caller]]));
  for (const caller of CALLERS.filter((one) => !rejectedCallers.includes(one))) {
    expect([caller, await tryCall(world, { name, place, caller })]).toEqual([caller, 'done']);
  }
});

test.each(THING_CALLS)('%s can’t reach another organization through its own path', async (name) => {
  const params = { orgid: orgs['own organization'] };
  const outcomes = await tryForbiddenCalls(
    world,
    CALLERS.map((caller) => ({ name, place: 'other organization' as const, caller, params })),
  );
  expect(byName(CALLERS, outcomes)).toEqual(CALLERS.map((caller) => [caller, expect.stringMatching(REJECTED)]));
});

const byName = <Outcome>(callers: readonly Caller[], outcomes: readonly Outcome[]) =>
  callers.map((caller, index) => [caller, outcomes[index]]);
