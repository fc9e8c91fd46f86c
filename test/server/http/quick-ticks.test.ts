import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const FILE = fileURLToPath(new URL('../../../src/server/quick-ticks.ts', import.meta.url));
/** Of V8: collect everything now, and say what it learned about each place of a function. */
const FLAGS = ['--expose-gc', '--allow-natives-syntax', '--fuzzing', '--input-type=module'];

/** Whether V8 still knows the shape of a tick after full collections while none waits. */
function isKnownAfterCollections(isKept: boolean): string {
  const program = `
    import { setImmediate as turn } from 'node:timers/promises';
    import { keepTicksQuick } from ${JSON.stringify(FILE)};
    if (${isKept}) keepTicksQuick();
    const ticks = async () => {
      for (let tick = 0; tick < 2000; tick += 1) process.nextTick(() => {});
      await turn();
    };
    const isKnown = () => {
      const places = %GetFeedback(process.nextTick).filter((place) => place?.[0] === 'DefineKeyedOwnPropertyInLiteral');
      return places.length > 0 && places.every(([, how]) => how === 'MONOMORPHIC');
    };
    await ticks();
    let known = isKnown();
    // A collection of its own may find something that still holds one.
    for (let time = 0; known && time < 30; time += 1) {
      await turn();
      gc();
      await ticks();
      known = isKnown();
    }
    console.log(known);`;
  return execFileSync(process.execPath, [...FLAGS, '-e', program], { encoding: 'utf8' }).trim();
}

// Should V8 or Node learn to do without, the second one fails, and src/server/quick-ticks.ts can go.
test('what V8 compiled for ticks outlives full collections', () => {
  expect(isKnownAfterCollections(true)).toBe('true');
});

test('without that it is lost', () => {
  expect(isKnownAfterCollections(false)).toBe('false');
});
