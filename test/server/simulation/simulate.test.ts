import { afterAll, expect, test } from 'vitest';
import { openSimulation } from '#scripts/simulation/run-seed.ts';
import { testDatabase } from '#test/support/database.ts';

const SEEDS = 150;
const STEPS = 8;

const simulation = await openSimulation(await testDatabase());
afterAll(() => simulation.close());

test(`in ${SEEDS} simulated worlds every gift counts once, and the books agree with the provider to the cent`, async () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { violations, steps } = await simulation.run(seed, STEPS);
    const replay = `npm run simulate -- --seed ${seed} --steps ${STEPS}`;
    expect(violations, [replay, ...steps].join('\n')).toEqual([]);
  }
}, 240_000);

test('a seed always does the same', async () => {
  const first = await simulation.run(7, 60);
  await simulation.run(8, 20);
  expect(await simulation.run(7, 60)).toEqual(first);
}, 60_000);
