import { afterAll, onTestFinished, TestRunner } from 'vitest';

/**
 * Cleans up when the running test ends or, if called outside of a test, after the file's last test. Vitest ignores
 * `afterAll` inside a test.
 */
export function deferCleanup(cleanUp: () => unknown): void {
  if (TestRunner.getCurrentTest()) onTestFinished(async () => void (await cleanUp()));
  else afterAll(cleanUp);
}
