import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BOTH_ENGINES, EMBEDDED_ONLY, NO_DATABASE, PICTURES, SIMULATION } from '#test/support/engines.ts';

test.each([...BOTH_ENGINES, ...EMBEDDED_ONLY, ...NO_DATABASE, ...PICTURES, ...SIMULATION])(
  '%s of test/server has tests, so a renamed file cannot silently lose an engine',
  (place) => {
    const files = globSync([`test/server/${place}/**/*.test.ts`, `test/server/${place}.test.ts`]);
    expect(files.length).toBeGreaterThan(0);
  },
);
