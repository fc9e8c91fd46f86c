export type TestClock = {
  readonly now: () => Date;
  /** Moves the clock forward. The clock doesn't move on its own. */
  advance(milliseconds: number): void;
};

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function createTestClock(start = '2026-03-14T09:30:00.000Z'): TestClock {
  let time = Date.parse(start);
  return {
    now: () => new Date(time),
    advance: (milliseconds) => {
      time += milliseconds;
    },
  };
}
