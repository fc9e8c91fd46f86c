import { afterAll, expect, test } from 'vitest';
import { openSimulation } from '#scripts/simulation/run-seed.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { pickRunCount } from '#test/support/run-count.ts';

const SEEDS = pickRunCount(4, 200);
const STEPS = 8;
/** Number of steps in a repeated world. */
const REPEATED_STEPS = pickRunCount(25, 60);

const simulation = await openSimulation(await createTestDatabase());
afterAll(() => simulation.close());

test(`in ${SEEDS} simulated worlds every gift counts once, no home is helped twice, and the books match the provider`, async () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { violations, steps } = await simulation.run(seed, STEPS);
    const replay = `npm run simulate -- --seed ${seed} --steps ${STEPS}`;
    expect(violations, [replay, ...steps].join('\n')).toEqual([]);
  }
}, 240_000);

// Any seed must work. These are far apart, so their worlds have little in common.
test.each([8, 267, 81, 128].slice(0, pickRunCount(1, 4)))(
  'seed %i takes the same steps and ends with the same books, regardless of earlier runs',
  async (seed) => {
    const firstRun = await simulation.run(seed, REPEATED_STEPS);
    expect(firstRun.violations).toEqual([]);
    await simulation.run(2, 10);
    expect(await simulation.run(seed, REPEATED_STEPS)).toEqual(firstRun);
  },
  60_000,
);
