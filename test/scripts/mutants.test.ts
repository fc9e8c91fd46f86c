import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { FAULTS } from '#scripts/crash-test/faults.ts';
import { GUARDS } from '#scripts/mutants/guards.ts';
import { withoutGuard } from '#scripts/mutants/mutation.ts';

test('each guard that `npm run mutants` removes, and each text that a planted fault replaces, is there exactly once', async () => {
  const lost = await Promise.all(
    [...GUARDS, ...Object.values(FAULTS)].map(async (mutant) => {
      const source = await readFile(mutant.file, 'utf8');
      try {
        return withoutGuard(source, mutant) === source ? [`${mutant.file}: unchanged: ${mutant.guard}`] : [];
      } catch (error) {
        return [`${mutant.file}: ${String(error)}`];
      }
    }),
  );
  expect(lost.flat()).toEqual([]);
  expect(GUARDS.length).toBeGreaterThanOrEqual(60);
});
