import { expect, test } from 'vitest';
import { type Load, sheddingUnder } from '#domain/load.ts';

const LIMITS: Load = { heap: 0.8, memory: 0.9, delayMs: 1000, connections: 1000 };
const IDLE: Load = { heap: 0.1, memory: 0.1, delayMs: 0, connections: 0 };

test.each<[Partial<Load>, string]>([
  [{}, 'nothing'],
  [{ heap: 0.79, memory: 0.89, delayMs: 999, connections: 899 }, 'nothing'],
  [{ heap: 0.8 }, 'most'],
  [{ memory: 0.9 }, 'most'],
  [{ delayMs: 1000 }, 'most'],
  [{ connections: 900 }, 'most'],
  [{ heap: 0.89, memory: 0.94, delayMs: 4999, connections: 1000 }, 'most'],
  [{ heap: 0.91 }, 'all'],
  [{ memory: 0.96 }, 'all'],
  [{ delayMs: 5000 }, 'all'],
])('under %j %s is refused', (load, shedding) => {
  expect(sheddingUnder({ ...IDLE, ...load }, LIMITS)).toBe(shedding);
});
