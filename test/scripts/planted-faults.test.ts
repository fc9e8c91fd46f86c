import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { FAULTS, injectFault } from '#scripts/crash-test/faults.ts';

test.each(Object.entries(FAULTS))('the crash test can inject the fault "%s"', async (_name, fault) => {
  const source = await readFile(fault.file, 'utf8');
  expect(injectFault(source, fault)).not.toBe(source);
});
