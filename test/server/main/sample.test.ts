import { expect, test } from 'vitest';
import { seedSample } from '#scripts/sample/seed-sample.ts';
import { testDeps } from '#test/support/build-app.ts';
import { testDatabase } from '#test/support/database.ts';

const db = await testDatabase();

test('of two programs that start at once on an empty database, one makes the sample, and the other uses it', async () => {
  const kept = new Set<string>();
  const pictures = {
    store: async () => {
      const key = `picture-${kept.size}-${kept.size + 1}`;
      kept.add(key);
      return { key, width: 320, height: 240, widths: [320] };
    },
    open: async () => undefined,
    remove: async (key: string) => void kept.delete(key),
    discard: async () => {},
  };
  const deps = await testDeps(db, { pictures });
  await Promise.all([seedSample(deps), seedSample(deps)]);
  const named = (await db.kysely.selectFrom('offsetters').select('photo').execute()).map(({ photo }) => photo?.key);
  expect(await db.kysely.selectFrom('orgs').select('id').execute()).toEqual([{ id: 'sample' }]);
  expect(named.length).toBeGreaterThan(5);
  for (const key of named) expect(kept).toContain(key);
  const { count } = await db.kysely
    .selectFrom('awardees')
    .select((one) => one.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const installers = await db.kysely.selectFrom('installers').select('id').execute();
  // The other one has taken its pictures away again.
  expect(kept.size).toBe(named.length + count + installers.length);
});
