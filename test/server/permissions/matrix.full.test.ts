import { expect, test } from 'vitest';
import { CALLS, type CallName } from '#contract/calls.ts';
import { CALL_ROWS } from './call-rows.ts';
import { CALLERS, type Caller } from './callers.ts';
import { placesOf, REJECTION_CODES, RESOURCE_CALLS } from './requests.ts';
import { tryCall, tryForbiddenCalls } from './try-call.ts';
import { createWorld } from './world.ts';

/* Sends every combination of call, caller, and organization over HTTP. matrix.test.ts checks them in memory and sends
   a sample over HTTP. */
const world = await createWorld();
const { orgs } = world;

const combinations = (Object.keys(CALLS) as CallName[]).flatMap((name) =>
  placesOf(name).map((place) => [name, place] as const),
);

test.each(combinations)('%s in the %s matches its row, and rejected calls change nothing', async (name, place) => {
  const expected = CALL_ROWS[name].outcomes(place);
  const rejectedCallers = CALLERS.filter((caller) => expected[caller] !== 'done');
  const outcomes = await tryForbiddenCalls(
    world,
    rejectedCallers.map((caller) => ({ name, place, caller })),
  );
  expect(pairWithCallers(rejectedCallers, outcomes)).toEqual(
    rejectedCallers.map((caller) => [caller, expected[caller]]),
  );
  for (const caller of CALLERS.filter((candidate) => !rejectedCallers.includes(candidate))) {
    expect([caller, await tryCall(world, { name, place, caller })]).toEqual([caller, 'done']);
  }
});

test.each(RESOURCE_CALLS)('%s can’t reach another organization through its own path', async (name) => {
  const params = { orgid: orgs['own organization'] };
  const outcomes = await tryForbiddenCalls(
    world,
    CALLERS.map((caller) => ({ name, place: 'other organization' as const, caller, params })),
  );
  expect(pairWithCallers(CALLERS, outcomes)).toEqual(
    CALLERS.map((caller) => [caller, expect.stringMatching(REJECTION_CODES)]),
  );
});

const pairWithCallers = <Outcome>(callers: readonly Caller[], outcomes: readonly Outcome[]) =>
  callers.map((caller, index) => [caller, outcomes[index]]);
