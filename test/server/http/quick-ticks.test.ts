import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const FILE = fileURLToPath(new URL('../../../src/server/quick-ticks.ts', import.meta.url));
/** Of V8: collect everything now, and say what it learned about each place of a function. */
const FLAGS = ['--expose-gc', '--allow-natives-syntax', '--fuzzing', '--input-type=module'];

/** Whether V8 still knows the shape of a tick after a full collection while none waits. */
function isKnownAfterCollection(isKept: boolean): string {
  const program = `
    import { setImmediate as turn } from 'node:timers/promises';
    import { keepTicksQuick } from ${JSON.stringify(FILE)};
    if (${isKept}) keepTicksQuick();
    const ticks = async () => {
      for (let tick = 0; tick < 2000; tick += 1) process.nextTick(() => {});
      await turn();
    };
    await ticks();
    for (let time = 0; time < 3; time += 1) {
      await turn();
      gc();
    }
    await ticks();
    const learned = %GetFeedback(process.nextTick).filter((place) => place?.[0] === 'DefineKeyedOwnPropertyInLiteral');
    console.log(learned.length > 0 && learned.every(([, how]) => how === 'MONOMORPHIC'));`;
  return execFileSync(process.execPath, [...FLAGS, '-e', program], { encoding: 'utf8' }).trim();
}

// Should V8 or Node learn to do without, the second one fails, and src/server/quick-ticks.ts can go.
test('what V8 compiled for ticks outlives a full collection', () => {
  expect(isKnownAfterCollection(true)).toBe('true');
});

test('without that it is lost', () => {
  expect(isKnownAfterCollection(false)).toBe('false');
});
