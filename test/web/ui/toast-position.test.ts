import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findFreeTop } from '#web/ui/toast-position.ts';

const box = fc.record({ top: fc.integer({ min: -500, max: 1500 }), height: fc.integer({ min: 1, max: 90 }) });
const boxes = fc.array(
  box.map(({ top, height }) => ({ top, bottom: top + height })),
  { maxLength: 12 },
);

test.each([
  ['nothing is in the way', [], 700],
  ['a button is below it', [{ top: 760, bottom: 800 }], 700],
  ['it would cover a button', [{ top: 720, bottom: 764 }], 654],
  [
    'it would cover a button, and above it another one',
    [
      { top: 720, bottom: 764 },
      { top: 640, bottom: 690 },
    ],
    574,
  ],
  ['there is no room', [{ top: 0, bottom: 800 }], undefined],
])('%s', (_title, controls, top) => {
  expect(findFreeTop(700, 50, controls)).toBe(top);
});

test('a toast covers a control only if the window has no room', () => {
  fc.assert(
    fc.property(
      boxes,
      fc.integer({ min: 100, max: 900 }),
      fc.integer({ min: 40, max: 90 }),
      (controls, top, height) => {
        const freePosition = findFreeTop(top, height, controls);
        if (freePosition === undefined) return;
        expect(freePosition).toBeLessThanOrEqual(top);
        expect(controls.some(({ top: start, bottom }) => start < freePosition + height && bottom > freePosition)).toBe(
          false,
        );
      },
    ),
  );
});
